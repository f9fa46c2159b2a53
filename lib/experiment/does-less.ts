/** What runs did, summed over rounds. */
export interface Work {
  readonly requests: number
  readonly failures: number
  readonly bytes: number
  /** Responses by status code. */
  readonly status: Readonly<Record<string, number>>
}

/** How an attempt is faster because it does less. */
export type DoesLess = 'fewer-requests' | 'failures' | 'other-status' | 'fewer-bytes'

/** Requests and bytes per response may be so much fewer. */
const minRatio = 0.98
/** Shares of failures and of each status may move by so much. */
const maxShift = 0.005

export const noWork: Work = { requests: 0, failures: 0, bytes: 0, status: {} }

export function addWork(a: Work, b: Work): Work {
  const codes = new Set([...Object.keys(a.status), ...Object.keys(b.status)])
  return {
    requests: a.requests + b.requests,
    failures: a.failures + b.failures,
    bytes: a.bytes + b.bytes,
    status: Object.fromEntries([...codes].map((code) => [code, (a.status[code] ?? 0) + (b.status[code] ?? 0)])),
  }
}

/**
 * How `attempt` does less than `best`, both summed over the same rounds. Null: it does as much. `comparesRequests`:
 * false where runs were asked for a time, in which a slower one makes fewer requests.
 */
export function doesLess(best: Work, attempt: Work, comparesRequests = true): DoesLess | null {
  const share = ({ requests }: Work, count: number) => count / Math.max(1, requests)
  if (comparesRequests && attempt.requests < minRatio * best.requests) return 'fewer-requests'
  if (share(attempt, attempt.failures) > share(best, best.failures) + maxShift) return 'failures'
  const codes = [...Object.keys(best.status), ...Object.keys(attempt.status)]
  const shift = (code: string) => share(attempt, attempt.status[code] ?? 0) - share(best, best.status[code] ?? 0)
  if (codes.some((code) => Math.abs(shift(code)) > maxShift)) return 'other-status'
  return share(attempt, attempt.bytes) < minRatio * share(best, best.bytes) ? 'fewer-bytes' : null
}
