import type { ImportedRun, Latency } from './run'
import { tools } from './tools'

/** The distribution that leads a run's page: everything (`all`), or what wrk2 calls recorded. Null: no latencies. */
export function leadingLatency(run: Pick<ImportedRun, 'latencies'>): Latency | null {
  const byOf = (of: Latency['of']) => run.latencies.find((latency) => latency.of === of)
  return byOf('all') ?? byOf('recorded') ?? run.latencies[0] ?? null
}

/** The printed (or exactly computed) quantile at `q`, never interpolated; null: missing. */
export function quantileMs(latency: Latency | null, q: number): number | null {
  return latency?.quantiles.find((quantile) => Math.abs(quantile.q - q) < 1e-9)?.ms ?? null
}

/**
 * Number of successful requests: the tool's own count, else status codes 200–399; else null, as for a truncated list of
 * codes. For a tool that counts any response as a success, the codes take precedence.
 */
export function successCount(
  run: Pick<ImportedRun, 'tool' | 'successes' | 'statusCodes' | 'requests' | 'complete'>,
): number | null {
  const codes = Object.entries(run.statusCodes)
  const isByCodes = tools[run.tool].failures.badStatus === 'passes' && codes.length > 0
  if (run.successes !== null && !isByCodes) return run.successes
  if (codes.length === 0) return null
  const listed = codes.reduce((sum, [, count]) => sum + count, 0)
  if (!run.complete && listed !== run.requests) return null
  return codes.reduce((sum, [code, count]) => (Number(code) >= 200 && Number(code) < 400 ? sum + count : sum), 0)
}

/** wrk's name for its count of bad statuses; its other errors are socket errors and not among its requests. */
const badStatusMessage = /^non-2xx/i

/** Requests that failed or got a status that the tool calls bad; null: unknown. */
export function errorCountOf(run: ImportedRun): number | null {
  if (listsResponsesOnly(run)) return null
  const successes = successCount(run)
  const counts = run.errors.map((error) => error.count)
  const sum = counts.reduce<number>((total, count) => total + (count ?? 0), 0)
  if (successes === null || run.requests === null) return counts.every((count) => count === null) ? null : sum
  return Math.max(0, (attemptsOf(run) ?? run.requests) - successes)
}

/** Whether its form omits requests without a response, so that their number is unknown. */
const listsResponsesOnly = ({ warnings }: ImportedRun): boolean =>
  warnings.some(({ code }) => code === 'responses-only')

/** Requests that the tool itself stopped when its time was up: they neither succeeded nor failed. */
export function stoppedCount({ tool, errors }: Pick<ImportedRun, 'tool' | 'errors'>): number {
  const { stoppedAtTheEnd } = tools[tool].failures
  return errors.reduce((sum, { message, count }) => (message === stoppedAtTheEnd ? sum + (count ?? 0) : sum), 0)
}

/**
 * Requests plus failures counted separately: wrk does not count requests with socket errors. Without those stopped at
 * the end. Null: unknown.
 */
function attemptsOf(run: ImportedRun): number | null {
  if (run.requests === null) return null
  if (tools[run.tool].failures.errorsAre !== 'beside-requests') return run.requests - stoppedCount(run)
  const beside = run.errors.reduce(
    (total, { message, count }) => total + (badStatusMessage.test(message) ? 0 : (count ?? 0)),
    0,
  )
  return run.requests + beside
}

/** Share of successful requests, 0…1: the tool's own, else by `successCount`; null when neither is known. */
export function successRatioOf(run: ImportedRun): number | null {
  if (listsResponsesOnly(run)) return null
  const [successes, attempts] = [successCount(run), attemptsOf(run)]
  // Its own share is of the requests that it counts, by its own rule.
  const isByItsRule = run.successes === null || run.successes === successes
  if (run.successRatio !== null && attempts === run.requests && isByItsRule) return run.successRatio
  return successes !== null && attempts ? successes / attempts : null
}

/** Share of the requests that failed, 0…1, of the same requests as `successRatioOf`; null: unknown. */
export function errorRatioOf(run: ImportedRun): number | null {
  const [errorCount, attempts] = [errorCountOf(run), attemptsOf(run)]
  return errorCount !== null && attempts && errorCount <= attempts ? errorCount / attempts : null
}

/**
 * How requests failed: those without a response, then by status or message, most frequent first. If a form has the
 * status of each request, the list is complete. Empty: none, or not stated.
 */
export function failureKinds(run: ImportedRun): readonly { readonly words: string; readonly count: number }[] {
  const codes = Object.entries(run.statusCodes).flatMap(([code, count]) => {
    const isGood = Number(code) >= 200 && Number(code) < 400
    return isGood || count === 0 ? [] : [{ words: code === '0' ? noResponse : `with status ${code}`, count }]
  })
  const { errorsAre } = tools[run.tool].failures
  const failed = errorCountOf(run)
  // Statuses of another protocol: the author of the mapping defined which of them are good.
  const isByOthers = failed !== null && codes.reduce((sum, { count }) => sum + count, 0) > failed
  if (errorsAre === 'among-codes' && isByOthers) return []
  const counted = run.errors.flatMap(({ message, count }) =>
    count === null || count === 0 ? [] : [{ message, count }],
  )
  const errors =
    errorsAre === 'among-codes'
      ? kindsBesideCodes(run, codes)
      : errorsAre === 'beside-codes'
        ? [{ words: noResponse, count: counted.reduce((sum, { count }) => sum + count, 0) }]
        : counted.map(({ message, count }) => ({ words: wordsOfError(message), count }))
  return [...codes, ...errors]
    .filter(({ count }) => count > 0)
    .sort((a, b) => Number(b.words === noResponse) - Number(a.words === noResponse) || b.count - a.count)
}

/** Failures without a bad status: requests without one, and those failed by a script or an assertion. */
function kindsBesideCodes(run: ImportedRun, codes: readonly { readonly count: number }[]) {
  const [failed, attempts] = [errorCountOf(run), attemptsOf(run)]
  const listed = Object.values(run.statusCodes).reduce((sum, count) => sum + count, 0)
  if (!run.complete || listed === 0 || failed === null || attempts === null) return []
  const rest = failed - codes.reduce((sum, { count }) => sum + count, 0)
  const withoutStatus = Math.max(0, Math.min(rest, attempts - listed))
  return [
    { words: 'without a status', count: withoutStatus },
    { words: 'despite a good status', count: rest - withoutStatus },
  ]
}

const noResponse = 'without response'

/** For wrk, whose socket errors are named after calls. */
function wordsOfError(message: string): string {
  if (badStatusMessage.test(message)) return 'with a bad status'
  return message === 'timeout' ? 'timed out' : `with a ${message} error`
}
