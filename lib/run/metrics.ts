import { errorCountOf, errorRatioOf, leadingLatency, quantileMs, successRatioOf } from './figures'
import type { ImportedRun, Latency } from './run'
import { boundSign, tools, type Tool } from './tools'

export type MetricUnit = 'ms' | 'per-second' | 'ratio' | 'count' | 'bytes' | 'mb'
export type MetricDirection = 'lower-is-better' | 'higher-is-better' | 'neutral'

/** Groups of metrics in forms, in order. */
export const metricGroups = ['Speed', 'Latency', 'Failures', 'Lambda', 'Volume'] as const
export type MetricGroup = (typeof metricGroups)[number]

/**
 * Where metrics are shown by default. comparison: the table of a comparison; lambda-comparison: added for Lambda runs.
 * headline: the subjects of its first sentence, most important first. matrix: the first two that any run has. lead,
 * lambda-lead: the large figures of a run's page. previous: the first one shared with the previous run. preview: the
 * first five that a draft's run has. trends: the choices above a trend. list: the columns of lists of runs;
 * lambda-list: added for Lambda runs.
 */
export type MetricSet =
  | 'comparison'
  | 'lambda-comparison'
  | 'headline'
  | 'matrix'
  | 'lead'
  | 'lambda-lead'
  | 'previous'
  | 'preview'
  | 'trends'
  | 'list'
  | 'lambda-list'

/** One row of the table: everything known about a figure. */
interface MetricEntry {
  /** Its name in code and its field in `prisma/schema.prisma`; the column is the same in snake case. */
  readonly key: string
  /** Stable, kebab-case: used in URLs. */
  readonly id: string
  readonly label: string
  /** For column heads. */
  readonly shortLabel: string
  /** Its label for one Lambda invocation; absent: `shortLabel`. */
  readonly lambdaLabel?: string
  readonly unit: MetricUnit
  readonly direction: MetricDirection
  readonly group: MetricGroup
  /** What it is, in one sentence. */
  readonly explain: string
  /** Reads it from an imported run; null: not printed by the tool, and not computable from samples. */
  readFrom(run: ImportedRun): number | null
  /** Its key in `run.printed`; null: never printed, or not for this run. */
  printedKey(run: ImportedRun): string | null
  /**
   * Present: lists of runs have it as a column, sort by it and filter by its range. Used in URLs; needs its indices.
   */
  readonly sortKey?: string
  /** Present: few tools print it, so lists show its column only if a run has the figure or they are sorted by it. */
  readonly isRare?: true
  /** Present: it is the percentile with this share of the requests at or below it. */
  readonly q?: number
  /** Present: it raises alerts unless a rule overrides that; this is the smallest relative change that matters. */
  readonly minEffect?: number
  /** The sets it is in, with its place in each, from 1; metrics of the same place are in table order. */
  readonly in: Readonly<Partial<Record<MetricSet, number>>>
}

type Source = Pick<MetricEntry, 'readFrom' | 'printedKey'>
type NumbersOf<Of> = { [Key in keyof Of]: Of[Key] extends number | null ? Key : never }[keyof Of] & string

/** A field of the run itself, printed under its own name. */
const own = (field: NumbersOf<ImportedRun>): Source => ({ readFrom: (run) => run[field], printedKey: () => field })

/** From the leading distribution; `printed`: its name among what the tool printed for that. */
const ofLatency = (printed: string, read: (latency: Latency) => number | null): Source => {
  const readFrom = (run: ImportedRun) => {
    const latency = leadingLatency(run)
    return latency === null ? null : read(latency)
  }
  const printedKey = (run: ImportedRun) => {
    const latency = leadingLatency(run)
    return latency === null ? null : `latencies.${run.latencies.indexOf(latency)}.${printed}`
  }
  return { readFrom, printedKey }
}

/** A field of the leading distribution. */
const latency = (field: NumbersOf<Latency>): Source => ofLatency(field, (of) => of[field])

const ofLambda = (field: 'billedMs' | 'initMs' | 'maxMemoryUsedMb', which: 'mean' | 'max'): Source => ({
  readFrom: (run) => run.lambda?.[field]?.[which] ?? null,
  printedKey: () => `lambda.${field}`,
})

const computed = (readFrom: Source['readFrom']): Source => ({ readFrom, printedKey: () => null })

const lowerMs = { unit: 'ms', direction: 'lower-is-better' } as const

/** What all percentiles share. `name`: `p99.9`, also as printed by tools. */
const percentile = (name: string, q: number) => ({
  label: name,
  shortLabel: name,
  q,
  ...lowerMs,
  group: 'Latency' as const,
  ...ofLatency(name, (of) => quantileMs(of, q)),
})

/**
 * The one table of figures, in reading order. To add one: an entry here, its field in `prisma/schema.prisma`, a
 * migration with its column (and, with a sort key, its indices); see CONTRIBUTING.md.
 */
const table = [
  {
    key: 'requestsPerSecond',
    id: 'requests-per-second',
    label: 'Requests per second',
    shortLabel: 'Req/s',
    unit: 'per-second',
    direction: 'higher-is-better',
    group: 'Speed',
    explain: 'All requests per second, with or without a response.',
    ...own('requestsPerSecond'),
    sortKey: 'rps',
    minEffect: 0.05,
    in: { comparison: 1, headline: 2, matrix: 1, lead: 3, previous: 4, preview: 1, trends: 1 },
  },
  {
    key: 'throughputPerSecond',
    id: 'throughput',
    label: 'Throughput',
    shortLabel: 'Throughput',
    unit: 'per-second',
    direction: 'higher-is-better',
    group: 'Speed',
    explain: 'Successful requests per second, until the last response.',
    ...own('throughputPerSecond'),
    in: { list: 3 },
  },
  {
    key: 'meanMs',
    id: 'mean',
    label: 'Mean',
    shortLabel: 'Mean',
    lambdaLabel: 'Mean duration',
    ...lowerMs,
    group: 'Latency',
    explain: 'Arithmetic mean of the latencies.',
    ...latency('meanMs'),
    minEffect: 0.05,
    in: {
      comparison: 1,
      headline: 2,
      matrix: 3,
      'lambda-lead': 1,
      previous: 3,
      preview: 2,
      trends: 1,
      'lambda-list': 2,
    },
  },
  {
    key: 'stdDevMs',
    id: 'std-dev',
    label: 'Standard deviation',
    shortLabel: 'Std dev',
    ...lowerMs,
    group: 'Latency',
    explain: 'Spread of the latencies around their mean.',
    ...latency('stdDevMs'),
    in: {},
  },
  {
    key: 'minMs',
    id: 'min',
    label: 'Min',
    shortLabel: 'Min',
    ...lowerMs,
    group: 'Latency',
    explain: 'Lowest latency of a request.',
    ...latency('minMs'),
    in: { preview: 3 },
  },
  {
    key: 'p50Ms',
    id: 'p50',
    ...percentile('p50', 0.5),
    label: 'p50 (median)',
    explain: 'Half of the requests were at or below this.',
    sortKey: 'p50',
    minEffect: 0.05,
    in: { comparison: 1, headline: 2, matrix: 5, lead: 2, previous: 2, preview: 1, trends: 1, list: 2 },
  },
  { key: 'p75Ms', id: 'p75', ...percentile('p75', 0.75), explain: '1 in 4 requests was slower.', in: {} },
  { key: 'p90Ms', id: 'p90', ...percentile('p90', 0.9), explain: '1 in 10 requests was slower.', in: { trends: 1 } },
  {
    key: 'p95Ms',
    id: 'p95',
    ...percentile('p95', 0.95),
    explain: '1 in 20 requests was slower.',
    minEffect: 0.05,
    in: { trends: 1 },
  },
  {
    key: 'p99Ms',
    id: 'p99',
    ...percentile('p99', 0.99),
    explain: '1 in 100 requests was slower.',
    sortKey: 'p99',
    minEffect: 0.1,
    in: { comparison: 1, headline: 1, matrix: 2, lead: 1, previous: 1, preview: 1, trends: 1, list: 1 },
  },
  {
    key: 'p999Ms',
    id: 'p999',
    ...percentile('p99.9', 0.999),
    explain: '1 in 1\u202f000 requests was slower.',
    sortKey: 'p999',
    isRare: true,
    in: { trends: 1, list: 1 },
  },
  {
    key: 'maxMs',
    id: 'max',
    label: 'Max',
    shortLabel: 'Max',
    ...lowerMs,
    group: 'Latency',
    explain: 'Highest latency of a request.',
    ...latency('maxMs'),
    sortKey: 'max',
    in: { comparison: 1, headline: 2, matrix: 4, lead: 4, previous: 4, preview: 1, trends: 1, list: 5 },
  },
  {
    key: 'successRatio',
    id: 'success-ratio',
    label: 'Success',
    shortLabel: 'Success',
    unit: 'ratio',
    direction: 'higher-is-better',
    group: 'Failures',
    explain: 'Share of requests that succeeded.',
    ...computed(successRatioOf),
    printedKey: () => 'successRatio',
    in: { comparison: 1, headline: 2 },
  },
  {
    key: 'errorRatio',
    id: 'error-ratio',
    label: 'Error rate',
    shortLabel: 'Errors',
    unit: 'ratio',
    direction: 'lower-is-better',
    group: 'Failures',
    explain: 'Share of requests that failed.',
    ...computed(errorRatioOf),
    sortKey: 'errors',
    // Twice as many failures, and at least half a percentage point (lib/levels/trend.ts).
    minEffect: 1,
    in: { preview: 1, trends: 1, list: 4 },
  },
  {
    key: 'errorCount',
    id: 'error-count',
    label: 'Errors',
    shortLabel: 'Errors',
    unit: 'count',
    direction: 'lower-is-better',
    group: 'Failures',
    explain: 'Requests that failed or got an error status.',
    ...computed(errorCountOf),
    in: { lead: 5 },
  },
  {
    key: 'requests',
    id: 'requests',
    label: 'Requests',
    shortLabel: 'Requests',
    unit: 'count',
    direction: 'neutral',
    group: 'Volume',
    explain: 'All requests, with or without a response.',
    ...own('requests'),
    in: { list: 7 },
  },
  {
    key: 'durationMs',
    id: 'duration',
    label: 'Duration',
    shortLabel: 'Duration',
    unit: 'ms',
    direction: 'neutral',
    group: 'Volume',
    explain: 'From the first request to the last response.',
    ...own('durationMs'),
    in: {},
  },
  {
    key: 'bytesIn',
    id: 'bytes-in',
    label: 'Bytes in',
    shortLabel: 'Bytes in',
    unit: 'bytes',
    direction: 'neutral',
    group: 'Volume',
    explain: 'Bytes of the responses, as the tool counts them.',
    ...own('bytesIn'),
    in: {},
  },
  {
    key: 'bytesOut',
    id: 'bytes-out',
    label: 'Bytes out',
    shortLabel: 'Bytes out',
    unit: 'bytes',
    direction: 'neutral',
    group: 'Volume',
    explain: 'Bytes of the requests.',
    ...own('bytesOut'),
    in: {},
  },
  {
    key: 'billedMs',
    id: 'billed',
    label: 'Mean billed duration',
    shortLabel: 'Mean billed',
    ...lowerMs,
    group: 'Lambda',
    explain: 'Mean billed duration of an invocation.',
    ...ofLambda('billedMs', 'mean'),
    in: { 'lambda-comparison': 1, headline: 2, matrix: 3, 'lambda-lead': 1, preview: 2, 'lambda-list': 6 },
  },
  {
    key: 'initMs',
    id: 'init',
    label: 'Mean init duration',
    shortLabel: 'Mean init',
    ...lowerMs,
    group: 'Lambda',
    explain: 'Mean init duration of the cold starts.',
    ...ofLambda('initMs', 'mean'),
    in: { 'lambda-comparison': 1, headline: 2, 'lambda-lead': 1, preview: 2, 'lambda-list': 6 },
  },
  {
    key: 'maxMemoryUsedMb',
    id: 'max-memory',
    label: 'Max memory used',
    shortLabel: 'Memory',
    lambdaLabel: 'Memory used',
    unit: 'mb',
    direction: 'lower-is-better',
    group: 'Lambda',
    explain: 'Max memory used by an invocation.',
    ...ofLambda('maxMemoryUsedMb', 'max'),
    in: { 'lambda-comparison': 1, matrix: 3, 'lambda-lead': 1, preview: 2, 'lambda-list': 6 },
  },
] as const satisfies readonly MetricEntry[]

type Entry = (typeof table)[number]

/** The figures that are percentiles, rising. */
export const percentiles = table.flatMap((entry) =>
  'q' in entry ? [{ id: entry.id, key: entry.key, q: entry.q }] : [],
)

/** The name of a figure in code, and of its database field. */
export type FigureKey = Entry['key']

/** A figure's key where lists of runs are sorted by it or filtered by its range. */
export type FigureSortKey = Extract<Entry, { readonly sortKey: string }>['sortKey']

/**
 * The figures of a run that lists, charts and comparisons read: one number each, or null if the tool did not print it
 * and samples cannot give it. Latencies are from the run's leading distribution (`leadingLatency`).
 */
export type RunFigures = { readonly [Key in FigureKey]: number | null }

/** One figure of a run as used by lists, comparisons, matrices and charts. */
export interface Metric extends Omit<MetricEntry, 'key' | 'sortKey'> {
  readonly key: FigureKey
  /** Whether values of several runs may be added (counts, bytes); quantiles and rates may not. */
  readonly additive: boolean
  /** Null: not a column in lists of runs. */
  readonly sortKey: FigureSortKey | null
  read(figures: RunFigures): number | null
}

/** A metric that is a column in lists of runs. */
export type SortedMetric = Metric & { readonly sortKey: FigureSortKey }

/** All metrics, in reading order. */
export const metrics: readonly Metric[] = table.map((entry) => ({
  ...entry,
  additive: entry.unit === 'count' || entry.unit === 'bytes',
  sortKey: 'sortKey' in entry ? entry.sortKey : null,
  read: (figures) => figures[entry.key],
}))

const byId = new Map(metrics.map((metric) => [metric.id, metric]))

/** Words are lower-case within a sentence, names of percentiles and units stay: `mean billed`, `p99`, `Req/s`. */
export const sentenceLabel = ({ shortLabel }: Pick<Metric, 'shortLabel'>): string =>
  /^[A-Z][a-z]+(?: [a-z]+)?$/.test(shortLabel) ? shortLabel.toLowerCase() : shortLabel

/** The metric with this id; null: none. */
export function findMetric(id: string): Metric | null {
  return byId.get(id) ?? null
}

/** Whether a metric is a response time, which failures and a client's limits distort. */
export const isLatency = ({ unit, direction }: Pick<Metric, 'unit' | 'direction'>): boolean =>
  unit === 'ms' && direction === 'lower-is-better'

/** Prefix of a run's figure, or of the median of repeats: `≥ ` if its tool's timeout cut a latency; else empty. */
export const boundOf = (
  run: { readonly tool: Tool } | undefined,
  metric: Pick<Metric, 'unit' | 'direction'>,
  value: number | null,
): string => (run !== undefined && value !== null && isLatency(metric) ? boundSign(run.tool, value) : '')

/** The metrics of a set, in its order. */
export function metricsOf(set: MetricSet): readonly Metric[] {
  const placed = metrics.flatMap((metric) => {
    const place = metric.in[set]
    return place === undefined ? [] : [{ metric, place }]
  })
  return placed.sort((a, b) => a.place - b.place).map(({ metric }) => metric)
}

/** The metrics that are columns in lists of runs, in order. */
export const sortedMetrics: readonly SortedMetric[] = metrics.filter(
  (metric): metric is SortedMetric => metric.sortKey !== null,
)

/** Requests served per second: successful ones if the tool counts them, else all. Null: neither is known. */
export const servedPerSecond = (
  figures: Pick<RunFigures, 'throughputPerSecond' | 'requestsPerSecond'>,
): number | null => figures.throughputPerSecond ?? figures.requestsPerSecond

/** What lists of runs can be sorted by and filtered by, besides time. */
export const figureSortKeys: readonly FigureSortKey[] = sortedMetrics.map(({ sortKey }) => sortKey)

/**
 * Ids of a comparison's default metrics; for Lambda also the cost of an invocation, and what was served if less than
 * sent.
 */
export function comparedByDefault(
  runs: readonly { readonly tool: Tool; readonly figures: RunFigures }[],
): readonly string[] {
  const isOfLambda = runs.some(({ tool }) => tools[tool].counts === 'invocation')
  // Requests per second are those offered: if fewer were served, that is shown as well.
  const isServedLess = runs.some(
    ({ figures: { throughputPerSecond: served, requestsPerSecond: offered } }) =>
      served !== null && offered !== null && served < 0.99 * offered,
  )
  const ids = [...metricsOf('comparison'), ...(isOfLambda ? metricsOf('lambda-comparison') : [])].map(({ id }) => id)
  return isServedLess ? ids.flatMap((id) => (id === 'requests-per-second' ? [id, 'throughput'] : [id])) : ids
}

const [leading] = metricsOf('headline')
if (leading === undefined) throw new Error('no metric leads')
/** The default where only one metric fits: the first subject of a comparison. */
export const defaultMetric: Metric = leading

/** Metrics that raise alerts unless a rule overrides that, with the smallest relative change that matters. */
export const alertingMetrics: readonly { readonly metricId: string; readonly minEffect: number }[] = metrics.flatMap(
  ({ id, minEffect }) => (minEffect === undefined ? [] : [{ metricId: id, minEffect }]),
)

/** The smallest relative change of a metric that matters unless a rule overrides it. */
export function minEffectOf(metricId: string): number {
  return findMetric(metricId)?.minEffect ?? 0.1
}

/** The keys of all figures, in reading order. */
export const figureKeys: readonly FigureKey[] = table.map(({ key }) => key)

type EachFigure<Value> = Record<FigureKey, Value>
const isWhole = <Value>(some: Partial<EachFigure<Value>>): some is EachFigure<Value> =>
  figureKeys.every((key) => key in some)

/** One value per figure, under its key. */
export function eachFigure<Value>(valueOf: (metric: Metric) => Value): EachFigure<Value> {
  const values: Partial<EachFigure<Value>> = {}
  for (const metric of metrics) values[metric.key] = valueOf(metric)
  if (!isWhole(values)) throw new Error('a figure without a metric')
  return values
}

/** Reads a run's figures; missing ones are null. Ratios are 0…1. */
export function figuresOf(run: ImportedRun): RunFigures {
  return eachFigure((metric) => metric.readFrom(run))
}

/** Requests that the share of failures is of, including those that the tool counts separately. Null: unknown. */
export function attemptsOfFigures({
  errorCount,
  errorRatio,
  requests,
}: Pick<RunFigures, 'errorCount' | 'errorRatio' | 'requests'>): number | null {
  return errorCount === null || errorRatio === null || errorRatio <= 0 ? requests : Math.round(errorCount / errorRatio)
}

/** The columns of a list in its address: comma-separated ids of metrics; null: no known ones. */
export function readColumns(params: URLSearchParams): readonly string[] | null {
  const asked = params.getAll('columns').flatMap((text) => text.split(','))
  const known = metrics.filter(({ id }) => asked.includes(id)).map(({ id }) => id)
  return known.length === 0 ? null : known
}
