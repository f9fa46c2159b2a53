import type { ImportedRun, Latency } from './run'
import { tools } from './tools'

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

/** Requests that failed or were answered with a status the tool calls bad; null when nothing shows it. */
export function errorCountOf(run: ImportedRun): number | null {
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

/** Share of the requests that were answered well, 0…1: the tool's own, else by `successCount`; null when neither is known. */
export function successRatioOf(run: ImportedRun): number | null {
  const successes = successCount(run)
  return run.successRatio ?? (successes !== null && run.requests ? successes / run.requests : null)
}

/** Share of the requests that failed, 0…1; null when it is not known, or no ratio: wrk can count more socket errors than requests. */
export function errorRatioOf(run: ImportedRun): number | null {
  const errorCount = errorCountOf(run)
  return errorCount !== null && run.requests && errorCount <= run.requests ? errorCount / run.requests : null
}
