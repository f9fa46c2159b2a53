import { columnUnit, formatInColumn, formatMetric, missing, plural, type ColumnUnit } from '@/lib/format'
import { missingReason } from '@/lib/judge/delta'
import { sortedMetrics, type FigureSortKey, type Metric, type SortedMetric } from '@/lib/run/metrics'
import { median } from '@/lib/stats/robust'
import type { RunRepeat, RunRow, RunSortKey } from '@/lib/run/stored'

/** A column of figures: its metric and one unit for all its values. */
export interface RunColumn {
  readonly metric: SortedMetric
  readonly unit: ColumnUnit
  /** `p99 ms`. */
  readonly head: string
}

/** A figure to a range of which a list can be narrowed. */
export interface RangeFigure {
  readonly sortKey: FigureSortKey
  /** With the unit of the bounds: `p99, ms`. */
  readonly name: string
}

/** Those figures: the columns of lists. Decided on the server, so that pages do not carry the table. */
export const rangeFigures: readonly RangeFigure[] = sortedMetrics.map(({ sortKey, label, shortLabel, unit }) => {
  if (unit === 'per-second') return { sortKey, name: label }
  return { sortKey, name: unit === 'ratio' ? `${label}, 0–1` : `${shortLabel}, ${unit}` }
})

/** The columns of figures of a list of runs, sorted by `sort`, units chosen from its values. */
export function runColumns(rows: readonly RunRow[], sort: RunSortKey = 'time'): readonly RunColumn[] {
  return sortedMetrics.flatMap((metric) => {
    const values = rows.map((row) => metric.read(row.figures))
    const isKnown = values.some((value) => value !== null)
    if (metric.isRare && !isKnown && metric.sortKey !== sort) return []
    const unit = columnUnit(metric.unit, values)
    const withUnit = metric.unit === 'ms' && isKnown
    return [{ metric, unit, head: withUnit ? `${metric.shortLabel} ${unit.label}` : metric.shortLabel }]
  })
}

/** One figure: what the cell shows, and on hover the unrounded value or why there is none. */
export function runCell(column: RunColumn, row: RunRow): { readonly text: string; readonly title: string } {
  const { metric, unit } = column
  const value = metric.read(row.figures)
  const { errorCount, requests } = row.figures
  if (metric.id === 'error-ratio' && errorCount !== null) {
    const of =
      requests === null
        ? plural(errorCount, 'error')
        : `${plural(errorCount, 'error')} in ${plural(requests, 'request')}`
    return {
      text: value === null ? formatMetric(errorCount, 'count') : formatInColumn(value, metric.unit, unit),
      title: of,
    }
  }
  if (value === null) return { text: missing, title: missingReason(metric, row) }
  return { text: formatInColumn(value, metric.unit, unit), title: `${value}${unitWords(metric)}` }
}

/** A figure of several runs of one experiment: their median, and between which values they lie. */
export function repeatsCell(
  column: RunColumn,
  repeats: readonly RunRepeat[],
): { readonly text: string; readonly spread: string | null; readonly title: string } {
  const { metric, unit } = column
  const values = repeats.map((run) => metric.read(run.figures)).filter((value) => value !== null)
  if (values.length === 0) return { text: missing, spread: null, title: 'None of these runs has a value' }
  const shown = (value: number) => formatInColumn(value, metric.unit, unit)
  const [low, high] = [shown(Math.min(...values)), shown(Math.max(...values))]
  const lacking = values.length < repeats.length ? `, ${repeats.length - values.length} without it` : ''
  const title = `Median of ${plural(values.length, 'run')}${lacking}: ${low} to ${high}`
  return { text: shown(median(values)), spread: low === high ? null : `${low}–${high}`, title }
}

const unitWords = (metric: Metric): string =>
  metric.unit === 'ms' ? ' ms' : metric.unit === 'per-second' ? ' requests/s' : ''
