import type { Cube } from '../cube/cube'

/** How the load differs, and in which words its unit is. */
export interface LoadChange {
  readonly unit: 'requests/s' | 'users' | 'requests at once'
  readonly base: number
  readonly head: number
}

const ratio = (a: number, b: number): number => Math.max(a, b) / Math.max(Math.min(a, b), 1e-9)

/**
 * The load is the same when what the tool was told, or the rate, or the number in flight agrees. Null: it is the same,
 * or it is not known.
 */
export function loadChange(base: Cube, head: Cube): LoadChange | null {
  const rate = ({ rows, spanMs }: Cube) => rows / Math.max(spanMs / 1e3, 1e-9)
  const change = (unit: LoadChange['unit'], of: (cube: Cube) => number): LoadChange => ({
    unit,
    base: of(base),
    head: of(head),
  })
  if (base.spanMs <= 0 || head.spanMs <= 0) return null
  if (base.isOpenLoop) return ratio(rate(base), rate(head)) > 1.05 ? change('requests/s', rate) : null
  if (base.users !== null && head.users !== null)
    return ratio(base.users, head.users) > 1.02 ? change('users', ({ users }) => users ?? 0) : null
  if (base.peakInFlight === null || head.peakInFlight === null) return null
  const busy = ({ sumMs, spanMs }: Cube) => sumMs / spanMs
  const differs =
    ratio(rate(base), rate(head)) > 1.05 &&
    ratio(busy(base), busy(head)) > 1.05 &&
    ratio(base.peakInFlight, head.peakInFlight) > 1.1
  return differs ? change('requests at once', ({ peakInFlight }) => peakInFlight ?? 0) : null
}
