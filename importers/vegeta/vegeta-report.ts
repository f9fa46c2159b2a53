import type {
  ErrorCount,
  Latency,
  LatencyHistogram,
  Measure,
  Milliseconds,
  Quantile,
  UtcIso,
  Warning,
} from '../../lib/run/run'
import { formatDuration } from '../../lib/format'
import { blankRun } from '../blank-run'
import type { BlockRun } from '../importer'
import { latencyOf } from '../latency-of'

/** The figures of one report of vegeta, in our units. Null: not printed, or printed as nothing (NaN). */
export interface VegetaFigures {
  readonly form: 'vegeta-text' | 'vegeta-json' | 'vegeta-hist' | 'vegeta-hdrplot'
  /** As far as the layout shows: `<12.6`, `12.6-12.7`, `>=12.8`. */
  readonly toolVersion: string | null
  readonly startedAt: UtcIso | null
  readonly requests: number | null
  readonly requestsPerSecond: number | null
  readonly throughputPerSecond: number | null
  readonly durationMs: Milliseconds | null
  readonly attackMs: Milliseconds | null
  readonly waitMs: Milliseconds | null
  /** From the first request to the last, and to the end of the last response; null: the form has no times. */
  readonly spansMs?: readonly (Milliseconds | null)[]
  readonly minMs: Milliseconds | null
  readonly meanMs: Milliseconds | null
  readonly maxMs: Milliseconds | null
  /** In any order. */
  readonly quantiles: readonly Quantile[]
  readonly histogram: LatencyHistogram | null
  readonly bytesIn: number | null
  readonly bytesOut: number | null
  readonly successRatio: number | null
  /** Null: the codes were not printed. */
  readonly statusCodes: Readonly<Record<string, number>> | null
  /** Distinct messages in order of first appearance. */
  readonly errors: readonly string[]
  readonly measures: readonly Measure[]
  readonly complete: boolean
  readonly printed: Readonly<Record<string, string>>
  /** First line of the report, for warnings. */
  readonly line: number
}

/** For a table (`hist`, `hdrplot`), which prints none of the report's figures. */
export const tableFigures = {
  startedAt: null,
  requestsPerSecond: null,
  throughputPerSecond: null,
  durationMs: null,
  attackMs: null,
  waitMs: null,
  meanMs: null,
  bytesIn: null,
  bytesOut: null,
  successRatio: null,
  statusCodes: null,
  errors: [],
  measures: [],
} as const satisfies Partial<VegetaFigures>

/** Requests as the sum of the status codes; null: none were printed. */
export function sumStatusCodes(statusCodes: Readonly<Record<string, number>> | null): number | null {
  return statusCodes === null ? null : Object.values(statusCodes).reduce((sum, count) => sum + count, 0)
}

/** vegeta calls 200–399 a success (lib/metrics.go), everything else, and 0 (no response), a failure. */
export function isVegetaSuccess(code: string): boolean {
  return Number(code) >= 200 && Number(code) < 400
}

/** Makes the run of a report, and warns where figures are misleading. */
export function createVegetaRun(figures: VegetaFigures): BlockRun {
  const { requests, statusCodes } = figures
  const isEmpty = requests === 0
  // Without Metrics.Close() (vegeta as a library) everything but counts, minimum and maximum stays at zero.
  const isUnclosed = !isEmpty && requests !== null && figures.durationMs === 0 && figures.requestsPerSecond === 0
  const isVoid = isEmpty || isUnclosed
  const unlessVoid = <T>(value: T): T | null => (isVoid ? null : value)
  const successes = Object.entries(statusCodes ?? {}).filter(([code]) => isVegetaSuccess(code))
  // Nothing follows from a truncated list.
  const areAllCodes =
    statusCodes !== null && (requests === null ? figures.complete : sumStatusCodes(statusCodes) === requests)
  return {
    ...blankRun('vegeta', figures.form),
    toolVersion: figures.toolVersion,
    startedAt: figures.startedAt,
    durationMs: unlessVoid(figures.durationMs),
    attackMs: unlessVoid(figures.attackMs),
    waitMs: unlessVoid(figures.waitMs),
    requests,
    successes: areAllCodes ? (sumStatusCodes(Object.fromEntries(successes)) ?? 0) : null,
    successRatio: unlessVoid(figures.successRatio),
    requestsPerSecond: unlessVoid(figures.requestsPerSecond),
    throughputPerSecond: unlessVoid(figures.throughputPerSecond),
    bytesIn: figures.bytesIn,
    bytesOut: figures.bytesOut,
    statusCodes: statusCodes ?? {},
    errors: figures.errors.map((message): ErrorCount => ({ message, count: null })),
    latencies: isEmpty ? [] : listLatencies(figures, isVoid),
    measures: isVoid ? [] : figures.measures,
    complete: figures.complete,
    printed: figures.printed,
    warnings: listWarnings(figures, isEmpty, isUnclosed),
  }
}

/** Mean and quantiles of a void report are zeros that were never computed. */
function listLatencies(figures: VegetaFigures, isVoid: boolean): Latency[] {
  const { minMs, maxMs, histogram } = figures
  const meanMs = isVoid ? null : figures.meanMs
  const quantiles = isVoid ? [] : [...figures.quantiles].sort((a, b) => a.q - b.q)
  if ([minMs, meanMs, maxMs, histogram].every((value) => value === null) && quantiles.length === 0) return []
  // Since 10.0; 6 to 9 used a streaming estimator, but print the same layout as 10.0 to 12.7.
  return [latencyOf({ count: figures.requests, minMs, meanMs, maxMs, quantiles, histogram, method: 't-digest' })]
}

function listWarnings(figures: VegetaFigures, isEmpty: boolean, isUnclosed: boolean): Warning[] {
  const { durationMs, attackMs, waitMs, spansMs = [], line } = figures
  const warnings: Warning[] = []
  const warn = (code: string, message: string) => warnings.push({ code, message, line })
  if (isEmpty) warn('no-results', 'The report counts no requests: its other figures are meaningless and omitted.')
  if (isUnclosed)
    warn(
      'not-computed',
      'Rates, durations, mean and percentiles are all zero: the program that printed them never computed them.',
    )
  if (!isEmpty && !isUnclosed && attackMs === 0)
    warn(
      'single-instant',
      'All requests were sent in one instant: rate and throughput are plain counts, not per second.',
    )
  const shortestMs = Math.min(...[durationMs, attackMs, waitMs, ...spansMs].map((ms) => ms ?? 0))
  if (shortestMs >= 0) return warnings
  const message = `The clock moved: by its own times the run ends ${formatDuration(-shortestMs)} before it starts.`
  return [...warnings, { code: 'clock-jump', message, line, numbers: { shortestMs } }]
}
