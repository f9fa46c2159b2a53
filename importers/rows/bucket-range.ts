import { bucketCount } from '../../lib/cube/buckets'

/** Buckets that a run's rows lie in, both included: whole histograms are added up within it, a fifth of their length. */
export interface BucketRange {
  low: number
  high: number
}

/** Nothing lies in it. */
export const emptyRange = (): BucketRange => ({ low: bucketCount, high: -1 })

/** Adds the counts of one histogram to another's. */
export function addCounts(to: Uint32Array, from: Uint32Array, { low, high }: BucketRange, sign: 1 | -1 = 1): void {
  for (let bucket = low; bucket <= high; bucket++) to[bucket] = (to[bucket] ?? 0) + sign * (from[bucket] ?? 0)
}
