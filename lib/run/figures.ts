import type { ImportedRun, Latency } from './run'
import { tools } from './tools'

/**
 * The figures of a run that lists, charts and comparisons read: one number each, or null where the tool did not print
 * it and samples cannot give it. Latencies are those of the run's leading distribution (`leadingLatency`).
 */
export interface RunFigures {
  readonly requests: number | null
  readonly requestsPerSecond: number | null
  readonly throughputPerSecond: number | null
  readonly minMs: number | null
  readonly meanMs: number | null
  readonly stdDevMs: number | null
  readonly p50Ms: number | null
  readonly p75Ms: number | null
  readonly p90Ms: number | null
  readonly p95Ms: number | null
  readonly p99Ms: number | null
  readonly p999Ms: number | null
  readonly maxMs: number | null
  readonly successRatio: number | null
  /** Requests that failed or were answered with a status the tool calls bad. */
  readonly errorCount: number | null
  readonly errorRatio: number | null
  readonly bytesIn: number | null
  readonly bytesOut: number | null
  readonly durationMs: number | null
  /** Lambda: mean billed duration, mean init duration, highest memory used. */
  readonly billedMs: number | null
  readonly initMs: number | null
  readonly maxMemoryUsedMb: number | null
}

/** The distribution that leads a run's page: everything (`all`), or what wrk2 calls recorded. Null: no latencies at all. */
export function leadingLatency(run: Pick<ImportedRun, 'latencies'>): Latency | null {
  const byOf = (of: Latency['of']) => run.latencies.find((latency) => latency.of === of)
  return byOf('all') ?? byOf('recorded') ?? run.latencies[0] ?? null
}

/** The printed (or exactly computed) quantile at `q`, never interpolated; null when it is not there. */
export function quantileMs(latency: Latency | null, q: number): number | null {
  return latency?.quantiles.find((quantile) => Math.abs(quantile.q - q) < 1e-9)?.ms ?? null
}

/** Requests answered well: the tool's own count, else status codes 200–399, else null. */
export function successCount(run: Pick<ImportedRun, 'successes' | 'statusCodes'>): number | null {
  if (run.successes !== null) return run.successes
  const codes = Object.entries(run.statusCodes)
  if (codes.length === 0) return null
  return codes.reduce((sum, [code, count]) => (Number(code) >= 200 && Number(code) < 400 ? sum + count : sum), 0)
}

/** What wrk calls its count of bad statuses; its other errors are of sockets and are not among its requests. */
const badStatusMessage = /^non-2xx/i

function errorCountOf(run: ImportedRun): number | null {
  const successes = successCount(run)
  const counts = run.errors.map((error) => error.count)
  const sum = counts.reduce<number>((total, count) => total + (count ?? 0), 0)
  if (successes === null || run.requests === null) return counts.every((count) => count === null) ? null : sum
  const failed = Math.max(0, run.requests - successes)
  if (tools[run.tool].failures.errorsAre !== 'beside-requests') return failed
  return (
    failed +
    run.errors.reduce((total, { message, count }) => total + (badStatusMessage.test(message) ? 0 : (count ?? 0)), 0)
  )
}

/** Reads a run's figures; every absent one is null. Ratios are 0…1. */
export function figuresOf(run: ImportedRun): RunFigures {
  const latency = leadingLatency(run)
  const errorCount = errorCountOf(run)
  const successes = successCount(run)
  const computedSuccessRatio = successes !== null && run.requests ? successes / run.requests : null
  return {
    requests: run.requests,
    requestsPerSecond: run.requestsPerSecond,
    throughputPerSecond: run.throughputPerSecond,
    minMs: latency?.minMs ?? null,
    meanMs: latency?.meanMs ?? null,
    stdDevMs: latency?.stdDevMs ?? null,
    p50Ms: quantileMs(latency, 0.5),
    p75Ms: quantileMs(latency, 0.75),
    p90Ms: quantileMs(latency, 0.9),
    p95Ms: quantileMs(latency, 0.95),
    p99Ms: quantileMs(latency, 0.99),
    p999Ms: quantileMs(latency, 0.999),
    maxMs: latency?.maxMs ?? null,
    successRatio: run.successRatio ?? computedSuccessRatio,
    errorCount,
    // wrk can count more socket errors than requests: that is no ratio.
    errorRatio: errorCount !== null && run.requests && errorCount <= run.requests ? errorCount / run.requests : null,
    bytesIn: run.bytesIn,
    bytesOut: run.bytesOut,
    durationMs: run.durationMs,
    billedMs: run.lambda?.billedMs?.mean ?? null,
    initMs: run.lambda?.initMs?.mean ?? null,
    maxMemoryUsedMb: run.lambda?.maxMemoryUsedMb?.max ?? null,
  }
}
