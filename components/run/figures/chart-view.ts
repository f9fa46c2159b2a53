import { leadingLatency } from '../../../lib/run/figures'
import type { StoredRun } from '../../../lib/history/stored-runs'
import type { ImportedRun, Latency } from '../../../lib/run/run'
import type { ScaleChoice } from '../../charts/axes/histogram-axis'
import type { ScaleKind } from '../../charts/plot/scale'
import type { TimeRange } from '../../charts/timeline'
import { readScale, readTables } from '../../charts/plot/address'

export const barCounts = [20, 40, 80, 160] as const

/** How a run's latencies are shown; it is in the address. */
export interface ChartView {
  /** Which distribution; null: the leading one. */
  readonly of: Latency['of'] | null
  /** Axis of the histogram; null: chosen by the data. */
  readonly axis: ScaleChoice
  readonly barCount: number
  /** Latency axis of the percentile plot; null: chosen by the data. */
  readonly y: ScaleKind | null
  /** Sort key of the table of targets; largest first. */
  readonly sort: TargetSort
  /** The charts that are shown as tables, by their ids. */
  readonly tables: readonly string[]
  /** The part of the timeline that is drawn; null: all of it. */
  readonly range: TimeRange | null
}

export const targetSorts = ['requests', 'errors', 'bytes', 'mean', 'p99', 'max'] as const
export type TargetSort = (typeof targetSorts)[number]

/** The default view. */
export const plainView: ChartView = {
  of: null,
  axis: null,
  barCount: 40,
  y: null,
  sort: 'requests',
  tables: [],
  range: null,
}

const names = {
  all: 'All',
  success: 'Successes',
  failure: 'Failures',
  recorded: 'Recorded',
  uncorrected: 'Uncorrected',
}

/** Name of a distribution. */
export const distributionName = (of: Latency['of']): string => names[of]

/** Reads the view from an address; ignores what it does not know. */
export function readChartView(params: URLSearchParams): ChartView {
  const of = params.get('of')
  const axis = params.get('axis')
  const bars = Number(params.get('bars'))
  return {
    of: of !== null && isDistribution(of) ? of : null,
    axis: axis === 'linear' || axis === 'log' ? axis : null,
    barCount: barCounts.find((count) => count === bars) ?? plainView.barCount,
    y: readScale(params.getAll('y')),
    sort: targetSorts.find((sort) => sort === params.get('sort')) ?? plainView.sort,
    tables: readTables(params.getAll('table')),
    range: readTimeRange(params),
  }
}

/** `from` and `to`, ms since the start. */
function readTimeRange(params: URLSearchParams): TimeRange | null {
  const [fromMs, toMs] = [Number(params.get('from') ?? Number.NaN), Number(params.get('to') ?? Number.NaN)]
  return fromMs >= 0 && toMs > fromMs && Number.isFinite(toMs) ? { fromMs, toMs } : null
}

const isDistribution = (text: string): text is Latency['of'] => Object.hasOwn(names, text)

/** The query string of a view with some parts changed: `?of=success`; empty for the default view. */
export function chartViewHref(view: ChartView, change: Partial<ChartView>): string {
  const { of, axis, barCount, y, sort, tables, range } = { ...view, ...change }
  const params = new URLSearchParams()
  if (of !== null) params.set('of', of)
  if (axis !== null) params.set('axis', axis)
  if (barCount !== plainView.barCount) params.set('bars', String(barCount))
  if (y !== null) params.set('y', y)
  if (sort !== plainView.sort) params.set('sort', sort)
  if (tables.length > 0) params.set('table', tables.join('.'))
  if (range !== null) {
    params.set('from', String(range.fromMs))
    params.set('to', String(range.toMs))
  }
  return params.size === 0 ? '?' : `?${params}`
}

/** The distributions to choose from: those with values, the leading one first; a single one is no choice. */
export function chooseDistributions(run: Pick<ImportedRun, 'latencies'>): readonly Latency['of'][] {
  const leading = leadingLatency(run)
  const known = run.latencies.filter((latency) => latency.count !== 0 && latency !== leading)
  return leading === null ? [] : [leading.of, ...known.map((latency) => latency.of)]
}

/** The latencies that charts of this view read: the chosen one alone, else all. */
export function viewedLatencies(run: Pick<ImportedRun, 'latencies'>, view: ChartView): readonly Latency[] {
  const chosen = run.latencies.filter((latency) => latency.of === view.of)
  return chosen.length > 0 ? chosen : run.latencies
}

/** A fan shows six percentiles of the leading distribution: whether there is more to draw. */
export const hasMoreThanFan = ({ imported: { latencies } }: Pick<StoredRun, 'imported'>): boolean =>
  chooseDistributions({ latencies }).length > 1 ||
  latencies.some(({ histogram, quantiles }) => histogram?.kind === 'hdr' || quantiles.length > 12)
