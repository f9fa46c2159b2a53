import { ranksOf } from '../stats/rank-test'

/** Minimum points of a segment, but for the newest one, which may be a single run. */
const LEAST_POINTS = 2

/**
 * Candidate change points by optimal partitioning: the split with the least total cost, where a segment costs `penalty`
 * plus its truncated quadratic loss around a robust centre, so that one spike can cost at most `truncation`².
 * Returns first indices of segments but the first, rising. O(n² · segment) time, O(n) space.
 */
export function optimalPartition(values: Float64Array, scale: number, truncation: number, penalty: number): number[] {
  const n = values.length
  const best = new Float64Array(n + 1).fill(Infinity)
  const previous = new Int32Array(n + 1)
  const ordered = new Float64Array(n)
  best[0] = -penalty
  for (let start = 0; start < n; start += 1) {
    const before = best[start] ?? Infinity
    if (before === Infinity) continue
    for (let end = start, size = 0; end < n; end += 1) {
      insert(ordered, size, values[end] ?? 0)
      size += 1
      if (size < LEAST_POINTS && end + 1 < n) continue
      const cost = before + penalty + truncatedLoss(ordered, size, scale * scale, truncation * truncation)
      if (cost < (best[end + 1] ?? Infinity)) {
        best[end + 1] = cost
        previous[end + 1] = start
      }
    }
  }
  const changes: number[] = []
  for (let at = previous[n] ?? 0; at > 0; at = previous[at] ?? 0) changes.push(at)
  return changes.reverse()
}

/** Insertion into the first `size` values, which rise. */
function insert(ordered: Float64Array, size: number, value: number): void {
  let low = 0
  let high = size
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ordered[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  ordered.copyWithin(low + 1, low, size)
  ordered[low] = value
}

/** Σ min((v − centre)²/variance, bound), around the median or the mean of its inliers, whichever is cheaper. `ordered` rises. */
function truncatedLoss(ordered: Float64Array, size: number, variance: number, bound: number): number {
  const middle = size >> 1
  const centre = size % 2 === 1 ? (ordered[middle] ?? 0) : 0.5 * ((ordered[middle - 1] ?? 0) + (ordered[middle] ?? 0))
  const reach = bound * variance
  let sum = 0
  let inliers = 0
  let aroundMedian = 0
  for (let index = 0; index < size; index += 1) {
    const value = ordered[index] ?? 0
    const square = (value - centre) * (value - centre)
    if (square <= reach) {
      sum += value
      inliers += 1
    }
    const loss = square / variance
    aroundMedian += loss < bound ? loss : bound
  }
  const mean = inliers > 0 ? sum / inliers : centre
  let aroundMean = 0
  for (let index = 0; index < size; index += 1) {
    const difference = (ordered[index] ?? 0) - mean
    const loss = (difference * difference) / variance
    aroundMean += loss < bound ? loss : bound
  }
  return Math.min(aroundMedian, aroundMean)
}

/**
 * Candidate change points by binary segmentation on ranks: split where the standardised CUSUM of ranks is largest, while
 * it exceeds `threshold`. Sees shifts between two modes that a segment's centre hides. In order of finding.
 */
export function rankSegmentation(values: Float64Array, threshold: number): number[] {
  const found: number[] = []
  const split = (from: number, to: number, depth: number): void => {
    const n = to - from
    if (n < 10 || depth > 12) return
    const ranks = ranksOf(values.subarray(from, to))
    let sum = 0
    let largest = 0
    let at = 1
    for (let k = 1; k < n; k += 1) {
      sum += ranks[k - 1] ?? 0
      // The two outermost splits on either side cannot be distinguished from a spike.
      if (k <= 2 || k >= n - 2) continue
      const statistic = Math.abs(sum - (k * (n + 1)) / 2) / Math.sqrt((k * (n - k) * (n + 1)) / 12)
      if (statistic > largest) {
        largest = statistic
        at = k
      }
    }
    if (largest < threshold) return
    const change = from + at
    found.push(change)
    split(from, change, depth + 1)
    split(change, to, depth + 1)
  }
  split(0, values.length, 0)
  return found
}
