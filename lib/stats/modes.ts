import type { LatencyBucket } from '../run/run'

/** Two humps of one histogram, separated by a valley. Counts are of the buckets on either side of `splitMs`. */
export interface TwoModes {
  readonly fastCount: number
  readonly slowCount: number
  /** Upper bound of the fast mode's last non-empty bucket. */
  readonly fastUpToMs: number
  /** Lower bound of the slow mode's first non-empty bucket. */
  readonly slowFromMs: number
  readonly slowRatio: number
}

const minShare = 0.005
const minCount = 20
/** The lower hump's peak must be at least this many times as high as the valley. */
const minContrast = 4

/**
 * Splits a histogram where two humps are clearly apart; null when they are not. The buckets are adjacent and rise; each
 * side must hold 0.5 % of all and 20 values, and the valley must be at most a quarter of the lower peak.
 */
export function splitModes(buckets: readonly LatencyBucket[]): TwoModes | null {
  const total = buckets.reduce((sum, bucket) => sum + bucket.count, 0)
  const least = Math.max(minCount, minShare * total)
  const right = peaksAfter(buckets)
  let split: { readonly valley: number; readonly fastCount: number } | null = null
  let bestContrast = minContrast
  let leftPeak = 0
  let fastCount = 0
  for (const [valley, { count }] of buckets.entries()) {
    // The values in the valley itself belong to the nearer, left side.
    fastCount += count
    const contrast = Math.min(leftPeak, right[valley] ?? 0) / Math.max(count, 1)
    leftPeak = Math.max(leftPeak, count)
    if (contrast < bestContrast || Math.min(fastCount, total - fastCount) < least) continue
    if (contrast === bestContrast && split) continue
    bestContrast = contrast
    split = { valley, fastCount }
  }
  return split && modesAt(buckets, split.valley, split.fastCount, total)
}

/** The highest count of the buckets after each one. */
function peaksAfter(buckets: readonly LatencyBucket[]): readonly number[] {
  const peaks = new Array<number>(buckets.length).fill(0)
  for (let at = buckets.length - 2; at >= 0; at -= 1)
    peaks[at] = Math.max(peaks[at + 1] ?? 0, buckets[at + 1]?.count ?? 0)
  return peaks
}

function modesAt(buckets: readonly LatencyBucket[], valley: number, fastCount: number, total: number): TwoModes | null {
  const fastEnd = buckets.slice(0, valley + 1).findLast(({ count }) => count > 0)
  const slowStart = buckets.slice(valley + 1).find(({ count }) => count > 0)
  if (!fastEnd || !slowStart) return null
  const slowCount = total - fastCount
  const fastUpToMs = fastEnd.upperMs ?? fastEnd.lowerMs
  return { fastCount, slowCount, fastUpToMs, slowFromMs: slowStart.lowerMs, slowRatio: slowCount / total }
}
