import {
  comparedQuantiles,
  movedAbove,
  movedRoom,
  noiseOf,
  sharesAbove,
  squaredDistance,
  still,
  type Move,
} from './shares-above'
import type { SharesAbove } from './shares-above'
import { weightOf, type SharedValue } from './groups'

interface Layer {
  readonly value: SharedValue
  readonly weight: number
  readonly shares: SharesAbove
  readonly noise: number
}

/**
 * The targets beside each other, each compared at its own quantiles and weighted by its traffic: what happens to all of
 * them alike, which the distribution of all requests hides inside the fast ones.
 */
export class Layers {
  readonly layers: readonly Layer[]
  readonly weight: number
  /** Of a pooled difference of shares, over s(1−s). */
  readonly variance: number

  constructor(values: readonly SharedValue[], scatter: number) {
    this.layers = values.map((value) => ({
      ...{ value, weight: weightOf(value), shares: sharesAbove(value.base, value.head) },
      noise: noiseOf(value.base, value.head, scatter),
    }))
    this.weight = this.layers.reduce((sum, { weight }) => sum + weight, 0) || 1e-9
    this.variance = this.layers.reduce((sum, { weight, noise }) => sum + weight ** 2 * noise, 0) / this.weight ** 2
  }

  get isEmpty(): boolean {
    return this.layers.length === 0
  }

  /** Mean distance left once base is moved; less the noise. `isRooted`: of its roots, which one target cannot drag. */
  distance(move: Move = still, isRooted = false): number {
    let sum = 0
    for (const { value, weight, shares, noise } of this.layers) {
      const base = this.movedShares({ value, shares }, move)
      const left = squaredDistance(base, shares.head) - noise
      sum += weight * (isRooted ? Math.sqrt(Math.max(left, 0)) : left)
    }
    return sum / this.weight
  }

  private movedShares({ value, shares }: Pick<Layer, 'value' | 'shares'>, move: Move): readonly number[] {
    if (move.log === 0 && move.addedMs === 0) return shares.base
    return shares.logs.map((log) => movedAbove(value.base, log, move))
  }

  /** What is left of the pooled difference of shares at each compared quantile. */
  residual(move: Move = still): readonly number[] {
    return comparedQuantiles.map((_, at) => {
      const sum = this.layers.reduce((total, { value, weight, shares }) => {
        const log = shares.logs[at] ?? 0
        const base = move.log === 0 && move.addedMs === 0 ? (shares.base[at] ?? 0) : movedAbove(value.base, log, move)
        return total + weight * ((shares.head[at] ?? 0) - base)
      }, 0)
      return sum / this.weight
    })
  }

  /** The largest of these beyond what a level moved by `roomLog` would give, in standard deviations. */
  z(move: Move = still, roomLog?: number): number {
    if (this.isEmpty) return 0
    return Math.max(
      ...this.residual(move).map((left, at) => {
        const room = this.layers.reduce(
          (sum, { value, weight, shares }) => sum + weight * movedRoom(value.base, shares.logs[at] ?? 0, move, roomLog),
          0,
        )
        const q = comparedQuantiles[at] ?? 0.5
        return Math.max(Math.abs(left) - room / this.weight, 0) / Math.sqrt(q * (1 - q) * this.variance)
      }),
    )
  }

  /** The largest pooled difference, with its sign: above 0, head has the more slow requests. */
  lift(): number {
    return this.residual().reduce((most, one) => (Math.abs(one) > Math.abs(most) ? one : most), 0)
  }
}
