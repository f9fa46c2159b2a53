import type { LatencyBucket } from '../run/run'

/** Two humps of one histogram, distinguished by a valley. Counts are of the buckets on either side of `splitMs`. */
export interface TwoModes {
  readonly fastCount: number
  readonly slowCount: number
  /** Upper bound of the fast mode's last bucket that holds something. */
  readonly fastUpToMs: number
  /** Lower bound of the slow mode's first bucket that holds something. */
  readonly slowFromMs: number
  readonly slowRatio: number
}

const minShare = 0.005
const minCount = 20
/** The lower hump's peak must stand this many times above the valley. */
const minContrast = 4

/**
 * Splits a histogram where two humps are clearly apart; null when they are not. The buckets are adjacent and rise; each
 * side must hold 0.5 % of all and 20 values, and the valley between must be a quarter of the lower peak at most.
 */
export function splitModes(buckets: readonly LatencyBucket[]): TwoModes | null {
  const total = buckets.reduce((sum, bucket) => sum + bucket.count, 0)
  const least = Math.max(minCount, minShare * total)
  let best: TwoModes | null = null
  let bestContrast = minContrast
  for (let valley = 1; valley < buckets.length - 1; valley += 1) {
    const left = buckets.slice(0, valley)
    const right = buckets.slice(valley + 1)
    const peaks = [left, right].map((side) => Math.max(...side.map((bucket) => bucket.count)))
    const depth = buckets[valley]?.count ?? 0
    const contrast = Math.min(...peaks) / Math.max(depth, 1)
    // What the valley itself holds belongs to the nearer, left side.
    const fastCount = left.reduce((sum, bucket) => sum + bucket.count, depth)
    const slowCount = total - fastCount
    if (contrast < bestContrast || Math.min(fastCount, slowCount) < least) continue
    if (contrast === bestContrast && best) continue
    const fastEnd = buckets.slice(0, valley + 1).findLast((bucket) => bucket.count > 0)
    const slowStart = right.find((bucket) => bucket.count > 0)
    if (!fastEnd || !slowStart) continue
    bestContrast = contrast
    const fastUpToMs = fastEnd.upperMs ?? fastEnd.lowerMs
    best = { fastCount, slowCount, fastUpToMs, slowFromMs: slowStart.lowerMs, slowRatio: slowCount / total }
  }
  return best
}
