import type { RunFigures } from './figures'

export type MetricUnit = 'ms' | 'per-second' | 'ratio' | 'count' | 'bytes' | 'mb'
export type MetricDirection = 'lower-is-better' | 'higher-is-better' | 'neutral'

/** One figure of a run as lists, comparisons, matrices and charts know it. */
export interface Metric {
  /** Stable, kebab-case: it stands in URLs. */
  readonly id: string
  readonly label: string
  /** For column heads. */
  readonly shortLabel: string
  readonly unit: MetricUnit
  readonly direction: MetricDirection
  /** Whether values of several runs may be added (counts, bytes); quantiles and rates may not. */
  readonly additive: boolean
  /** What it is, one sentence. */
  readonly explain: string
  read(figures: RunFigures): number | null
}

const metric = (
  id: string,
  label: string,
  shortLabel: string,
  unit: MetricUnit,
  direction: MetricDirection,
  key: keyof RunFigures,
  explain: string,
): Metric => ({
  id,
  label,
  shortLabel,
  unit,
  direction,
  additive: unit === 'count' || unit === 'bytes',
  explain,
  read: (figures) => figures[key],
})

/** The one table of metrics, in reading order. */
export const metrics: readonly Metric[] = [
  metric(
    'requests-per-second',
    'Requests per second',
    'Req/s',
    'per-second',
    'higher-is-better',
    'requestsPerSecond',
    'All requests per second, with or without a response.',
  ),
  metric(
    'throughput',
    'Throughput',
    'Throughput',
    'per-second',
    'higher-is-better',
    'throughputPerSecond',
    'Successful requests per second, until the last response.',
  ),
  metric('mean', 'Mean', 'Mean', 'ms', 'lower-is-better', 'meanMs', 'Arithmetic mean of the latencies.'),
  metric(
    'std-dev',
    'Standard deviation',
    'Std dev',
    'ms',
    'lower-is-better',
    'stdDevMs',
    'Spread of the latencies around their mean.',
  ),
  metric('min', 'Min', 'Min', 'ms', 'lower-is-better', 'minMs', 'Lowest latency of a request.'),
  metric('p50', 'p50 (median)', 'p50', 'ms', 'lower-is-better', 'p50Ms', 'Half of the requests were at or below this.'),
  metric('p75', 'p75', 'p75', 'ms', 'lower-is-better', 'p75Ms', '1 in 4 requests was slower.'),
  metric('p90', 'p90', 'p90', 'ms', 'lower-is-better', 'p90Ms', '1 in 10 requests was slower.'),
  metric('p95', 'p95', 'p95', 'ms', 'lower-is-better', 'p95Ms', '1 in 20 requests was slower.'),
  metric('p99', 'p99', 'p99', 'ms', 'lower-is-better', 'p99Ms', '1 in 100 requests was slower.'),
  metric('p999', 'p99.9', 'p99.9', 'ms', 'lower-is-better', 'p999Ms', '1 in 1\u202f000 requests was slower.'),
  metric('max', 'Max', 'Max', 'ms', 'lower-is-better', 'maxMs', 'Highest latency of a request.'),
  metric(
    'success-ratio',
    'Success',
    'Success',
    'ratio',
    'higher-is-better',
    'successRatio',
    'Share of requests that succeeded.',
  ),
  metric(
    'error-ratio',
    'Error rate',
    'Errors',
    'ratio',
    'lower-is-better',
    'errorRatio',
    'Share of requests that failed.',
  ),
  metric(
    'error-count',
    'Errors',
    'Errors',
    'count',
    'lower-is-better',
    'errorCount',
    'Requests that failed or got an error status.',
  ),
  metric(
    'requests',
    'Requests',
    'Requests',
    'count',
    'neutral',
    'requests',
    'All requests, with or without a response.',
  ),
  metric(
    'duration',
    'Duration',
    'Duration',
    'ms',
    'neutral',
    'durationMs',
    'From the first request to the last response.',
  ),
  metric(
    'bytes-in',
    'Bytes in',
    'Bytes in',
    'bytes',
    'neutral',
    'bytesIn',
    'Bytes of the responses, as the tool counts them.',
  ),
  metric('bytes-out', 'Bytes out', 'Bytes out', 'bytes', 'neutral', 'bytesOut', 'Bytes of the requests.'),
  metric(
    'billed',
    'Billed duration',
    'Billed',
    'ms',
    'lower-is-better',
    'billedMs',
    'Mean billed duration of an invocation.',
  ),
  metric('init', 'Init duration', 'Init', 'ms', 'lower-is-better', 'initMs', 'Mean init duration of the cold starts.'),
  metric(
    'max-memory',
    'Max memory used',
    'Memory',
    'mb',
    'lower-is-better',
    'maxMemoryUsedMb',
    'Max memory used by an invocation.',
  ),
]

/** The metric with this id; null when there is none. */
export function findMetric(id: string): Metric | null {
  return metrics.find((one) => one.id === id) ?? null
}

/** What a comparison or matrix shows when nobody chose. */
export const defaultMetricIds: readonly string[] = ['requests-per-second', 'mean', 'p50', 'p99', 'max', 'success-ratio']

/** What raises alerts unless a rule says otherwise, with the least relative change that matters. */
export const alertingMetrics: readonly { readonly metricId: string; readonly leastEffect: number }[] = [
  { metricId: 'requests-per-second', leastEffect: 0.05 },
  { metricId: 'mean', leastEffect: 0.05 },
  { metricId: 'p50', leastEffect: 0.05 },
  { metricId: 'p95', leastEffect: 0.05 },
  { metricId: 'p99', leastEffect: 0.1 },
  // Twice as many failures, and half a percentage point at least (lib/detect/trend.ts).
  { metricId: 'error-ratio', leastEffect: 1 },
]

/** The least relative change of a metric that matters unless a rule says otherwise. */
export function leastEffectOf(metricId: string): number {
  return alertingMetrics.find((one) => one.metricId === metricId)?.leastEffect ?? 0.1
}
