import { columnUnit, formatInColumn, formatMetric, missing, plural, type ColumnUnit } from '@/lib/format'
import { missingReason } from '@/lib/judge/delta'
import {
  metricGroups,
  metrics,
  metricsOf,
  servedPerSecond,
  sortedMetrics,
  type FigureSortKey,
  type Metric,
  type RunFigures,
  attemptsOfFigures,
  boundOf,
} from '@/lib/run/metrics'
import { fewWords, restsOnFew } from '@/lib/stats/sampled-run'
import { tools } from '@/lib/run/tools'
import { median } from '@/lib/stats/robust'
import type { RunPast, RunRepeat, RunRow } from '@/lib/history/stored-runs'
import type { RunSortKey } from '@/lib/history/run-list'

/** A column of figures: its metric and one unit for all its values. */
export interface RunColumn {
  readonly metric: Metric
  readonly unit: ColumnUnit
  /** `p99 ms`. */
  readonly head: string
  /** Null: lists cannot be sorted by it. */
  readonly sortKey: FigureSortKey | null
  read(figures: RunFigures): number | null
}

/** A figure that a list can be filtered by, within a range. */
export interface RangeFigure {
  readonly sortKey: FigureSortKey
  /** With the unit of the bounds: `p99, ms`. */
  readonly name: string
}

/** All such figures. Computed on the server, so that pages do not include the table. */
export const rangeFigures: readonly RangeFigure[] = sortedMetrics.map(({ sortKey, label, shortLabel, unit }) => {
  if (unit === 'per-second') return { sortKey, name: label }
  return { sortKey, name: unit === 'ratio' ? `${label}, 0–1` : `${shortLabel}, ${unit}` }
})

const servedId = 'throughput'
const labels: Readonly<Record<string, string>> = { [servedId]: 'Served/s', 'error-ratio': 'Failed' }
const labelOf = ({ id, shortLabel }: Metric): string => labels[id] ?? shortLabel
const readOf = (metric: Metric) => (metric.id === servedId ? servedPerSecond : metric.read)

const placeOf = (metric: Metric): number => metric.in.list ?? metric.in['lambda-list'] ?? Infinity

type ListedRun = Pick<RunRow, 'tool' | 'figures'>

/** The metrics of a list: the requested or else the default ones, and the one that it is sorted by. */
function listedMetrics(
  rows: readonly ListedRun[],
  asked: readonly string[] | null,
  sort: RunSortKey,
): readonly Metric[] {
  const isOfLambda = rows.some(({ tool }) => tools[tool].counts === 'invocation')
  const places = [...metricsOf('list'), ...metricsOf('lambda-list')].sort((a, b) => placeOf(a) - placeOf(b))
  const isShown = (metric: Metric): boolean => {
    if (metric.sortKey !== null && metric.sortKey === sort) return true
    if (asked !== null) return asked.includes(metric.id)
    if (metric.in.list === undefined && !(isOfLambda && metric.in['lambda-list'] !== undefined)) return false
    // Documents of Lambda have means, or percentiles, or both.
    const wantsFigure = metric.isRare === true || isOfLambda
    return !wantsFigure || rows.some(({ figures }) => readOf(metric)(figures) !== null)
  }
  return [...places, ...metrics.filter((metric) => !places.includes(metric))].filter(isShown)
}

/**
 * The columns of figures of a list of runs, sorted by `sort`, with units that fit its values. `asked` null: the default
 * ones.
 */
export function runColumns(
  rows: readonly ListedRun[],
  { asked = null, sort = 'time' }: { readonly asked?: readonly string[] | null; readonly sort?: RunSortKey } = {},
): readonly RunColumn[] {
  return listedMetrics(rows, asked, sort).map((metric): RunColumn => {
    const read = readOf(metric)
    const values = rows.map(({ figures }) => read(figures))
    const unit = columnUnit(metric.unit, values)
    const withUnit = metric.unit === 'ms' && values.some((value) => value !== null)
    const head = withUnit ? `${labelOf(metric)} ${unit.label}` : labelOf(metric)
    return { metric, unit, head, sortKey: metric.sortKey, read }
  })
}

/** A group of figures that a list can have columns for. */
export interface ColumnChoices {
  readonly group: string
  readonly choices: readonly { readonly id: string; readonly name: string; readonly isShown: boolean }[]
}

/** All figures that a list can have columns for, in groups. */
export function columnChoices(columns: readonly RunColumn[]): readonly ColumnChoices[] {
  const shown = new Set(columns.map(({ metric }) => metric.id))
  return metricGroups.map((group) => ({
    group,
    choices: metrics
      .filter((metric) => metric.group === group)
      .map(({ id, label }) => ({ id, name: labels[id] ?? label, isShown: shown.has(id) })),
  }))
}

/** The contents of a cell. */
export interface RunCell {
  readonly text: string
  /** On hover: the unrounded value, or why there is none. */
  readonly title: string
  /** The colour of its verdict; absent: not judged, or as expected. */
  readonly tone?: 'worse' | 'better' | 'unusual'
  /** It is a percentile that rests on few samples. */
  readonly isFew?: true
}

/** One figure of a run. `past` absent: without a verdict. */
export function runCell(column: RunColumn, row: RunRow, past?: RunPast): RunCell {
  const tone = toneOf(column, row, past)
  const cell = { ...plainCell(column, row), ...(tone === undefined ? {} : { tone }) }
  const isFew = column.metric.read(row.figures) !== null && restsOnFew(column.metric, [row])
  return isFew ? { ...cell, isFew, title: `${cell.title}. ${fewWords(row)}` } : cell
}

function toneOf({ metric }: RunColumn, { judged }: RunRow, past: RunPast | undefined): RunCell['tone'] {
  if (metric.group === 'Failures' && judged?.state === 'failing') return 'worse'
  return past?.off[metric.id]
}

function plainCell(column: RunColumn, row: RunRow): RunCell {
  const { metric, unit } = column
  const value = column.read(row.figures)
  const { errorCount } = row.figures
  const attempts = attemptsOfFigures(row.figures)
  if (metric.id === 'error-ratio' && errorCount !== null) {
    const of =
      attempts === null
        ? plural(errorCount, 'error')
        : `${plural(errorCount, 'error')} in ${plural(attempts, 'request')}`
    return {
      text: value === null ? formatMetric(errorCount, 'count') : formatInColumn(value, metric.unit, unit),
      title: of,
    }
  }
  if (value === null) return { text: missing, title: missingReason(metric, row) }
  const isOfAll = metric.id === servedId && row.figures.throughputPerSecond === null
  const title = `${value}${unitWords(metric)}`
  return {
    text: boundOf(row, metric, value) + formatInColumn(value, metric.unit, unit),
    title: isOfAll ? `${title}, failed ones included: ${tools[row.tool].name} does not print those served` : title,
  }
}

/** A figure of the repeats of one experiment, `row` among them: their median and range. */
export function repeatsCell(
  column: RunColumn,
  row: Pick<RunRow, 'tool'>,
  repeats: readonly RunRepeat[],
): { readonly text: string; readonly spread: string | null; readonly title: string } {
  const { metric, unit } = column
  const values = repeats.map((run) => column.read(run.figures)).filter((value) => value !== null)
  if (values.length === 0) return { text: missing, spread: null, title: 'None of these runs has a value' }
  const shown = (value: number) => boundOf(row, metric, value) + formatInColumn(value, metric.unit, unit)
  const [low, high] = [shown(Math.min(...values)), shown(Math.max(...values))]
  const lacking = values.length < repeats.length ? `, ${repeats.length - values.length} without it` : ''
  const title = `Median of ${plural(values.length, 'run')}${lacking}: ${low} to ${high}`
  return { text: shown(median(values)), spread: low === high ? null : `${low}–${high}`, title }
}

const unitWords = (metric: Metric): string =>
  metric.unit === 'ms' ? ' ms' : metric.unit === 'per-second' ? ' requests/s' : ''
