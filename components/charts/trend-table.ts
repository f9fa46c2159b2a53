import { columnUnit, formatInColumn, formatTime } from '@/lib/format'
import type { Metric } from '@/lib/run/metrics'
import { changeWords, labelChanges } from './label-marks'
import type { PlotTable } from './plot-tables'
import { annotationsWithin, isWithin, rangesOf, trendNames, type DrawnTrend, type TrendOptions } from './trend-plot'

/** The figures behind a trend's chart, newest first, with what happened between them. */
export function prepareTrendTable(metric: Metric, trends: readonly DrawnTrend[], options: TrendOptions): PlotTable {
  const isDrawn = isWithin(options)
  const drawn = trends.map((trend) => trend.points.filter((point) => isDrawn(point.orderedAt)))
  const unit = columnUnit(metric.unit, rangesOf(drawn.flat()))
  const byTime = drawn.map((points) => new Map(points.map((point) => [point.orderedAt, point.value])))
  const times = [...new Set(drawn.flat().map((point) => point.orderedAt))].sort()
  const changes = labelChanges(trends.map((trend) => trend.points)).filter((one) => isDrawn(one.at))
  const notes = [
    ...annotationsWithin(options.annotations ?? [], times).map(
      ({ kind, text, at }) => [at, `${kind}: ${text}`] as const,
    ),
    ...changes.map((one) => [one.at, changeWords(one)] as const),
  ]
  const rows = [
    ...times.map((at) => {
      const cells = byTime.map((values) => formatInColumn(values.get(at) ?? null, metric.unit, unit))
      return { at, cells: [formatTime(at), ...cells] }
    }),
    ...notes.map(([at, words]) => ({ at, cells: [formatTime(at), words, ...trends.slice(1).map(() => '')] })),
  ]
  rows.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  return { head: ['When', ...trendNames(trends)], rows: rows.map((row) => row.cells) }
}
