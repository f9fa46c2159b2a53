/**
 * The buckets of a cube: bucket i holds latencies in (100 ns · 1.016^(i−1), 100 ns · 1.016^i], so a share above an edge
 * is exact. Bucket 0 holds everything up to 100 ns, the last one everything from an hour on.
 */
const lowestNs = 100
const growth = 1.016

/** Natural logarithm of a bucket's width. */
export const logWidth = Math.log(growth)

const longestMs = 3_600_000

/** Number of buckets. */
export const bucketCount = Math.floor(Math.log((longestMs * 1e6) / lowestNs) / logWidth) + 2

/** Upper edge of a bucket, ns; not whole. */
export const edgesNs: Float64Array = Float64Array.from(
  { length: bucketCount },
  (_, bucket) => lowestNs * Math.exp(logWidth * bucket),
)

/** Natural logarithm of a bucket's upper edge in ms. */
export const logEdgeMs = (bucket: number): number => Math.log(lowestNs / 1e6) + logWidth * bucket

/** Upper edge of a bucket, ms. */
export const edgeMs = (bucket: number): number => (edgesNs[bucket] ?? Infinity) / 1e6

/** Bucket that holds, or lies just below, this logarithm of ms: the highest whose upper edge is not above it. */
export const bucketBelow = (logMs: number): number =>
  Math.max(0, Math.min(bucketCount - 1, Math.floor((logMs - logEdgeMs(0)) / logWidth)))
