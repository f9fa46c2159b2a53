import type { Distribution } from './distribution'
import { interpolate } from './distribution'

/** Quantiles of the mixture of both sides at which their shares are compared: from p5 to p99.5. */
export const comparedQuantiles = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995] as const
/** A level that moved by less, as a logarithm, is the machine's. */
const roomLog = 0.025

/** How base is moved before it is compared: by a factor (its logarithm), then by milliseconds. */
export interface Move {
  readonly log: number
  readonly addedMs: number
}
export const still: Move = { log: 0, addedMs: 0 }

/** Both sides' shares above the same latencies, given by their logarithms. */
export interface SharesAbove {
  readonly logs: readonly number[]
  readonly base: readonly number[]
  readonly head: readonly number[]
}

/** Logarithms of the compared quantiles of the mixture, one half of each side: base and head can be swapped. */
function thresholds(base: Distribution, head: Distribution): number[] {
  const logs = [...new Set([...base.logs, ...head.logs])].sort((a, b) => a - b)
  const mixed = logs.map((log) => 1 - (base.above(log) + head.above(log)) / 2)
  return comparedQuantiles.map((q) => interpolate(q, mixed, logs))
}

/** The latency that is at this one once it is moved; both as logarithms. */
const beforeMove = (log: number, { log: by, addedMs }: Move): number =>
  Math.log(Math.max(Math.exp(log) - addedMs, 1e-6)) - by

/** The share of base above a latency once base is moved. */
export const movedAbove = (base: Distribution, log: number, move: Move): number => base.above(beforeMove(log, move))

export function sharesAbove(base: Distribution, head: Distribution): SharesAbove {
  const logs = thresholds(base, head)
  return { logs, base: logs.map((log) => base.above(log)), head: logs.map((log) => head.above(log)) }
}

/** How the noise of a difference of shares grows: φ · (1/n₁ + 1/n₂). */
export const noiseOf = (base: Distribution, head: Distribution, scatter: number): number =>
  scatter * (1 / Math.max(base.rows, 1) + 1 / Math.max(head.rows, 1))

/** Mean over the thresholds of d²/(s(1−s)); about the noise where there is no difference. */
export function squaredDistance(base: readonly number[], head: readonly number[]): number {
  return (
    head.reduce((sum, share, at) => {
      const other = base[at] ?? 0
      const middle = Math.min(1 - 1e-3, Math.max(1e-3, (share + other) / 2))
      return sum + (share - other) ** 2 / (middle * (1 - middle))
    }, 0) / head.length
  )
}

/** The same of two distributions, less its expected noise. */
export function distance(base: Distribution, head: Distribution, scatter: number): number {
  const shares = sharesAbove(base, head)
  return squaredDistance(shares.base, shares.head) - noiseOf(base, head, scatter)
}

/** The share that a level moved by `log` either way would change at a latency. */
export const roomAt = (base: Distribution, log: number, by = roomLog): number =>
  Math.abs(base.above(log - by) - base.above(log + by)) / 2

/** The same once base is moved. */
export const movedRoom = (base: Distribution, log: number, move: Move, by = roomLog): number =>
  roomAt(base, beforeMove(log, move), by)

/** The largest difference of shares beyond what a moved level would give, in standard deviations. */
export function zOf(base: Distribution, head: Distribution, scatter: number): number {
  const shares = sharesAbove(base, head)
  const noise = noiseOf(base, head, scatter)
  return Math.max(
    ...shares.logs.map((log, at) => {
      const [b = 0, h = 0] = [shares.base[at], shares.head[at]]
      const middle = Math.min(1 - 1e-4, Math.max(1e-4, (b + h) / 2))
      return Math.max(Math.abs(h - b) - roomAt(base, log), 0) / Math.sqrt(middle * (1 - middle) * noise)
    }),
  )
}
