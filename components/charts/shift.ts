import { columnUnit, formatInColumn, formatTick, type ColumnUnit } from '../../lib/format'
import { quantileName } from '../../lib/stats/quantile'
import { quantileShift, type ShiftPoint } from '../../lib/stats/shift'
import { axisOver } from './axes/latency-axis'
import { percentileAxis } from './percentiles'
import type { Axis, Mark, PlotTable, Prepared, Series } from './plot/model'
import { linearTicks, rankOf, seriesStyle, short } from './plot/scale'
import type { PlottedRun } from './plotted-run'

/** How much slower a candidate is than the base at each percentile. */
export interface ShiftLine extends Series {
  readonly points: readonly ShiftPoint[]
}

/** The shift of each candidate as a plot: zero is the base. */
export interface PreparedShift extends Prepared {
  readonly lines: readonly ShiftLine[]
}

/**
 * Prepares the shift of each later side from the first, where both have a percentile; null when they share none.
 * `above`: the axis of the plot above it, so that one cursor runs through both; absent: its own.
 */
export function prepareShift(
  sides: readonly (readonly Pick<PlottedRun, 'id' | 'imported'>[])[],
  names: readonly string[],
  above?: Axis,
): PreparedShift | null {
  const [base = [], ...others] = sides.map((side) => side.map(({ imported }) => imported))
  const lines = others.flatMap((head, at): ShiftLine[] => {
    const points = quantileShift(base, head)
    const id = sides[at + 1]?.[0]?.id ?? String(at)
    return points.length < 2 ? [] : [{ id, name: names[at + 1] ?? '', style: seriesStyle(at + 1), points }]
  })
  if (lines.length === 0) return null
  const all = lines.flatMap((one) => one.points)
  const reached = all.flatMap((point) => [point.ms, point.lowMs ?? point.ms, point.highMs ?? point.ms, 0])
  const [least, most] = [Math.min(...reached), Math.max(...reached)]
  const unit = columnUnit('ms', [Math.max(-least, most)])
  const up = most > 0 ? linearTicks(most * unit.factor) : [0]
  const step = (most > -least ? up[1] : linearTicks(-least * unit.factor)[1]) ?? 1
  const first = Math.floor((least * unit.factor) / step + 1e-9)
  const last = Math.ceil((most * unit.factor) / step - 1e-9)
  const ticks = Array.from(
    { length: Math.max(1, last - first) + 1 },
    (_, at) => Number(((first + at) * step).toPrecision(12)) / unit.factor,
  )
  const tickLabel = (ms: number) => (ms > 0 ? '+' : '') + formatTick(ms * unit.factor)
  const lastX = Math.max(...all.map((point) => point.x))
  const axis = above !== undefined && above.domain[1] >= lastX ? above : percentileAxis(lastX).axis
  const { places, placeOf } = rankOf(all.map(({ x }) => x))
  const hasBand = all.some(({ lowMs }) => lowMs !== null)
  const title = `Shift from ${names[0] ?? 'the baseline'} by percentile (${unit.label}; above 0: slower)`
  return {
    plot: {
      id: 'shift',
      title,
      // A max is no percentile: it has no shift.
      x: { ...axis, ticks: axis.ticks.filter(({ label }) => label !== 'max') },
      series: lines.map(({ points: _, ...series }) => series),
      panels: [
        {
          label: title,
          y: axisOver(ticks, tickLabel),
          rules: [{ kind: 'zero', at: 0, label: '', title: '' }],
          marks: lines.flatMap((line, at) => marksOf(line, at, placeOf)),
          says: 'shift',
          frame: 'large',
        },
      ],
      places,
      heading: { kind: 'quantile' },
      link: 'quantile',
      legend: 'markers',
      footnote: hasBand ? 'Band: range of the repeats, or the sampling error within one run.' : null,
    },
    lines,
    table: () => tableOf(lines, unit),
  }
}

/** Three marks per line: the dots belong to the middle one. */
function marksOf({ points }: ShiftLine, series: number, placeOf: (x: number) => number): readonly Mark[] {
  const banded = points.filter(({ lowMs }) => lowMs !== null)
  const edge = (of: (point: ShiftPoint) => number | null) => banded.map((point) => short(of(point) ?? point.ms))
  const [low, high] = [edge(({ lowMs }) => lowMs), edge(({ highMs }) => highMs)]
  const at = points.map(({ x }) => placeOf(x))
  const y = points.map(({ ms }) => short(ms))
  return [
    { kind: 'band', series, x: banded.map(({ x }) => x), low, high, opacity: 0.15 },
    { kind: 'line', series, at, y, width: 2, reads: 'exact' },
    { kind: 'dots', series, of: series * 3 + 1, which: points.map((_, index) => index), isHollow: false, size: 1 },
  ]
}

function tableOf(lines: readonly ShiftLine[], unit: ColumnUnit): PlotTable {
  const qs = [...new Set(lines.flatMap((one) => one.points.map((point) => point.q)))].sort((a, b) => a - b)
  const cell = (point: ShiftPoint | undefined) => {
    if (!point) return formatInColumn(null, 'ms', unit)
    const text = (ms: number) => `${ms > 0 ? '+' : ms < 0 ? '\u2212' : ''}${formatInColumn(Math.abs(ms), 'ms', unit)}`
    const { ms, lowMs, highMs } = point
    return lowMs === null || highMs === null ? text(ms) : `${text(ms)} (${text(lowMs)} to ${text(highMs)})`
  }
  return {
    head: ['Percentile', ...lines.map((one) => `${one.name} (${unit.label})`)],
    rows: qs.map((q) => [quantileName(q), ...lines.map((one) => cell(one.points.find((point) => point.q === q)))]),
  }
}
