import { maxFailedRatio } from '../run/judged-states'
import type { Guard, GuardCode } from '../run/guard'
import { leadingLatency, stoppedCount, successCount } from '../run/figures'
import type { ImportedRun } from '../run/run'
import type { RequestedLoad } from './requested-load'

/** Outside of these, a rate is not the one asked for; a tool that catches up may be a little faster. */
const rateBounds = [0.98, 1.05] as const
const minRequestsOfRate = 20
const minDurationShare = 0.95
const minDurationMs = 990
/** wrk includes an answer's head in its bytes. */
const maxHeadBytes = 1_500

const timeoutWords = /timeout|deadline exceeded/i

/** The guards that refuse a run. `q`: quantile of the metric that it will be judged by (a mean counts as 0.99). */
export function guardsOf(run: ImportedRun, requested: RequestedLoad, q: number): readonly Guard[] {
  const evidence = evidenceOf(run, requested)
  return checks.flatMap(({ code, check }) => {
    const numbers = check(evidence, requested, q)
    return numbers === null ? [] : [{ code, numbers }]
  })
}

interface Evidence {
  readonly run: ImportedRun
  /** Answered and failed. */
  readonly requests: number
  /** Requests plus separately counted failures: wrk counts socket errors apart. */
  readonly attempts: number
  readonly successes: number
  readonly timeouts: number
  readonly durationMs: number | null
  /**
   * For vegeta from the first to the last request, as its duration ends when the last is sent; for others all over all.
   */
  readonly ratePerSecond: number | null
  readonly meanMs: number | null
  readonly isCapped: boolean
}

function evidenceOf(run: ImportedRun, requested: RequestedLoad): Evidence {
  const codes = Object.entries(run.statusCodes)
  const counted = codes.reduce((sum, [, count]) => sum + count, 0)
  const isCapped = run.warnings.some(({ code }) => code === 'sample-cap')
  const isWrk = run.tool === 'wrk' || run.tool === 'wrk2'
  const durationMs = run.tool === 'vegeta' ? (run.attackMs ?? run.durationMs) : run.durationMs
  const requests = run.requests ?? counted
  const expected = codes.reduce(
    (sum, [code, count]) => sum + (requested.expectedCodes.includes(Number(code)) ? count : 0),
    0,
  )
  // hey lists no codes if nothing answered, wrk lists none at all.
  const known = successCount(run)
  const unanswered = run.tool === 'hey' ? run.errors.reduce((sum, { count }) => sum + (count ?? 0), 0) : 0
  const successes = (known ?? requests - unanswered) + expected
  const listed = run.errors.filter(({ message }) => timeoutWords.test(message))
  // vegeta lists its errors without counts: then every request without an answer counts.
  const timeouts = listed.some(({ count }) => count === null)
    ? (run.statusCodes['0'] ?? 0)
    : listed.reduce((sum, { count }) => sum + (count ?? 0), 0)
  const apart = isWrk
    ? run.errors.reduce((sum, { message, count }) => sum + (/^non-2xx/i.test(message) ? 0 : (count ?? 0)), 0)
    : 0
  const intervals = run.tool === 'vegeta' ? requests - 1 : requests
  return {
    run,
    requests,
    attempts: requests + apart - stoppedCount(run),
    successes,
    timeouts,
    durationMs,
    ratePerSecond: durationMs !== null && durationMs > 0 ? (intervals / durationMs) * 1_000 : null,
    meanMs: leadingLatency(run)?.meanMs ?? null,
    isCapped,
  }
}

/** An importer's warning, with its figures. */
function warned({ warnings }: ImportedRun, code: GuardCode): Guard['numbers'] | null {
  const warning = warnings.find((one) => one.code === code)
  return warning ? (warning.numbers ?? {}) : null
}

type Check = (evidence: Evidence, requested: RequestedLoad, q: number) => Guard['numbers'] | null

const checks: readonly { readonly code: GuardCode; readonly check: Check }[] = [
  {
    code: 'zero-success',
    check: ({ successes, attempts }) => (successes <= 0 && attempts > 0 ? { attempts } : null),
  },
  {
    code: 'errors',
    check: ({ successes, attempts }) => {
      const failedRatio = attempts > 0 ? 1 - successes / attempts : 0
      return successes > 0 && failedRatio > maxFailedRatio
        ? { failed: attempts - successes, attempts, failedRatio }
        : null
    },
  },
  {
    code: 'timeout-truncated',
    check: ({ timeouts, attempts, successes }, _, q) =>
      successes > 0 && attempts > 0 && timeouts / attempts > (1 - q) / 2 ? { timeouts, attempts } : null,
  },
  {
    code: 'rate-missed',
    check: ({ run, requests, durationMs, ratePerSecond }, { ratePerSecond: wanted, connections }) => {
      if (wanted === null || requests < minRequestsOfRate || ratePerSecond === null || durationMs === null) return null
      // Each worker of hey waits for its first tick.
      const waiting = run.tool === 'hey' && connections !== null ? (connections / durationMs) * 1_000 : 0
      const isMissed = ratePerSecond + waiting < rateBounds[0] * wanted || ratePerSecond > rateBounds[1] * wanted
      return isMissed ? { ratePerSecond, wantedPerSecond: wanted } : null
    },
  },
  {
    code: 'client-saturated',
    check: ({ requests, ratePerSecond, meanMs }, { ratePerSecond: wanted, connections }) => {
      if (wanted === null || connections === null || requests < minRequestsOfRate) return null
      if (ratePerSecond === null || meanMs === null) return null
      const busy = (ratePerSecond * meanMs) / 1_000
      return busy / connections >= 0.95 ? { busy, connections } : null
    },
  },
  {
    code: 'cut-short',
    check: ({ run, requests, durationMs }, { durationMs: wanted, ratePerSecond }) => {
      if (wanted === null || durationMs === null || requests === 0) return null
      const stepMs = run.tool === 'vegeta' && ratePerSecond !== null ? 1_000 / ratePerSecond : 0
      return durationMs + stepMs < minDurationShare * wanted ? { durationMs, wantedMs: wanted } : null
    },
  },
  {
    code: 'requests-off',
    check: ({ run, requests, isCapped }, { requests: wanted, connections }) => {
      if (wanted === null || isCapped) return null
      const workers = connections ?? 1
      // Computed from a rate, 3,000 requests may come out as 3,000.03.
      const isCount = (count: number) => Math.abs(requests - count) < 0.5
      const isRight = isCount(wanted) || isCount(Math.floor(wanted / workers) * workers)
      // hey's CSV lists answers only.
      return isRight ? null : run.requests === null ? { answers: requests, wanted } : { requests, wanted }
    },
  },
  {
    code: 'sample-cap',
    check: ({ isCapped, requests }) => (isCapped ? { requests } : null),
  },
  {
    code: 'clock-jump',
    check: ({ run }) => warned(run, 'clock-jump'),
  },
  {
    code: 'payload-changed',
    check: ({ run, requests, successes, attempts }, { contentLengthBytes }) => {
      const seen = warned(run, 'payload-changed')
      if (seen !== null) return seen
      if (contentLengthBytes === null || run.bytesIn === null || requests === 0) return null
      if (successes / attempts < 1 - maxFailedRatio) return null
      const bytesPerAnswer = run.bytesIn / requests
      const isOff =
        run.tool === 'wrk' || run.tool === 'wrk2'
          ? bytesPerAnswer < 0.98 * contentLengthBytes || bytesPerAnswer > contentLengthBytes + maxHeadBytes
          : Math.abs(bytesPerAnswer / contentLengthBytes - 1) > 0.02
      return isOff ? { bytesPerAnswer, contentLengthBytes } : null
    },
  },
  {
    code: 'few-for-tail',
    check: ({ successes }, _, q) =>
      successes > 0 && successes < 10 / (1 - q) - 1e-6 ? { successes, needed: Math.round(10 / (1 - q)) } : null,
  },
  {
    code: 'too-short',
    check: ({ run, requests, durationMs }, { ratePerSecond }) => {
      const stepMs = run.tool === 'vegeta' && ratePerSecond !== null ? 1_000 / ratePerSecond : 0
      return durationMs !== null && requests > 0 && durationMs + stepMs < minDurationMs ? { durationMs } : null
    },
  },
]
