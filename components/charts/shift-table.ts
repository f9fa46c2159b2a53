import { formatInColumn, type ColumnUnit } from '../../lib/format'
import { quantileName } from '../../lib/stats/quantile'
import type { PlotTable } from './plot-tables'
import type { ShiftPlot, ShiftPoint, ShiftSeries } from './shift-plot'

/** The shifts in figures, made where they are shown. */
export const shiftTable = ({ series, unit }: Pick<ShiftPlot, 'series' | 'unit'>): PlotTable => tableOf(series, unit)

function tableOf(series: readonly ShiftSeries[], unit: ColumnUnit): PlotTable {
  const qs = [...new Set(series.flatMap((one) => one.points.map((point) => point.q)))].sort((a, b) => a - b)
  const cell = (point: ShiftPoint | undefined) => {
    if (!point) return formatInColumn(null, 'ms', unit)
    const text = (ms: number) => `${ms > 0 ? '+' : ms < 0 ? '\u2212' : ''}${formatInColumn(Math.abs(ms), 'ms', unit)}`
    const { ms, lowMs, highMs } = point
    return lowMs === null || highMs === null ? text(ms) : `${text(ms)} (${text(lowMs)} to ${text(highMs)})`
  }
  return {
    head: ['Percentile', ...series.map((one) => `${one.name} (${unit.label})`)],
    rows: qs.map((q) => [quantileName(q), ...series.map((one) => cell(one.points.find((point) => point.q === q)))]),
  }
}
