import { normalTail } from './distributions'
import { median } from './robust'

/**
 * Randomisation test of paired differences by flipping their signs (Fisher 1935, Pitman 1937), with scores that drop
 * outliers: a difference farther from the tested shift than 4 median distances counts as 0. If there is no difference
 * and chance decides which side of a pair runs first, the signs are exchangeable whatever the machine does.
 */

/** A pair farther than this many median distances from the tested shift is left out of its score. */
export const outlierDistances = 4
/** Most pairs for which all sign patterns are counted; above that, the normal limit with √Σa² as its deviation. */
export const maxExactPairs = 12

/** Signed distances of the pairs from a shift; 0 for outliers. */
function flipScores(differences: ArrayLike<number>, shift: number): Float64Array {
  const scores = Float64Array.from(differences, (one) => one - shift)
  const limit = outlierDistances * median(scores.map(Math.abs))
  return scores.map((score) => (Math.abs(score) <= limit ? score : 0))
}

/**
 * Sums of these numbers for each sign pattern with the first unflipped: 2^(n−1), in a fixed order; the rest are their
 * negatives.
 */
function flippedSums(sizes: ArrayLike<number>): Float64Array {
  const count = sizes.length
  const sums = new Float64Array(2 ** (count - 1))
  sums[0] = Array.from(sizes).reduce((sum, size) => sum + size, 0)
  for (let at = 1; at < count; at += 1) {
    const known = 2 ** (at - 1)
    const taken = 2 * (sizes[at] ?? 0)
    for (let pattern = 0; pattern < known; pattern += 1) sums[known + pattern] = (sums[pattern] ?? 0) - taken
  }
  return sums
}

/** Shares of the sign patterns whose sum is at most, and at least, the observed one. 0 < each ≤ 1. */
export function flipTails(
  differences: ArrayLike<number>,
  shift: number,
): { readonly below: number; readonly above: number } {
  const scores = flipScores(differences, shift)
  const observed = scores.reduce((sum, score) => sum + score, 0)
  const sizes = scores.map(Math.abs)
  if (scores.length > maxExactPairs) {
    const deviation = Math.sqrt(scores.reduce((sum, score) => sum + score * score, 0))
    const z = observed / Math.max(1e-300, deviation)
    return { below: normalTail(-z), above: normalTail(z) }
  }
  // Sums that differ only by rounding count as equal.
  const slack =
    1e-9 *
    Math.max(
      1e-6,
      sizes.reduce((sum, size) => sum + size, 0),
    )
  const sums = flippedSums(sizes)
  let [below, above] = [0, 0]
  for (const sum of sums) {
    below += Number(sum <= observed + slack) + Number(-sum <= observed + slack)
    above += Number(sum >= observed - slack) + Number(-sum >= observed - slack)
  }
  return { below: below / (2 * sums.length), above: above / (2 * sums.length) }
}

/** Two-sided p of a shift. */
export function flipP(differences: ArrayLike<number>, shift = 0): number {
  const { below, above } = flipTails(differences, shift)
  return Math.min(1, 2 * Math.min(below, above))
}

/**
 * Hodges–Lehmann estimate of the shift (1963): the median of the means of all pairs of differences, self-pairs
 * included.
 */
export function walshMedian(differences: readonly number[]): number {
  const means: number[] = []
  differences.forEach((one, at) => {
    for (const other of differences.slice(at)) means.push((one + other) / 2)
  })
  return median(means)
}

/** Shifts that the test does not reject at `alpha`, by bisection outwards from `centre`; an open end is infinite. */
export function flipInterval(
  differences: readonly number[],
  centre: number,
  alpha: number,
): { readonly low: number; readonly high: number } {
  const far = 2 * (Math.max(...differences) - Math.min(...differences)) + 1e-9
  const end = (sign: 1 | -1): number => {
    if (flipP(differences, centre + sign * far) >= alpha) return sign * Number.POSITIVE_INFINITY
    let [inside, outside] = [0, far]
    for (let step = 0; step < 20; step += 1) {
      const middle = (inside + outside) / 2
      if (flipP(differences, centre + sign * middle) >= alpha) inside = middle
      else outside = middle
    }
    return centre + sign * outside
  }
  return { low: end(-1), high: end(1) }
}

/**
 * p of several metrics of the same rounds, corrected for multiple testing: step-down max-T over the same sign patterns
 * for all (Westfall & Young 1993), so that metrics that move together cost less. `differences[metric][round]`; at most
 * `maxExactPairs` rounds. In the order given.
 */
export function stepDownP(differences: readonly (readonly number[])[]): readonly number[] {
  const scaled = differences.map((metric) => {
    const scores = flipScores(metric, 0)
    const norm = Math.sqrt(scores.reduce((sum, score) => sum + score * score, 0)) || 1
    return scores.map((score) => score / norm)
  })
  const observed = scaled.map((scores) => Math.abs(scores.reduce((sum, score) => sum + score, 0)))
  const order = observed.map((_, at) => at).sort((a, b) => (observed[b] ?? 0) - (observed[a] ?? 0))
  const patterns = scaled.map((scores) => flippedSums(scores).map(Math.abs))
  // From the least significant metric up: per pattern, the largest sum of it and all less significant ones.
  const largest = new Float64Array(patterns[0]?.length ?? 0)
  const alone = new Map<number, number>()
  for (const metric of order.toReversed()) {
    patterns[metric]?.forEach((sum, at) => (largest[at] = Math.max(largest[at] ?? 0, sum)))
    const atLeast = largest.reduce((count, sum) => count + Number(sum >= (observed[metric] ?? 0) - 1e-9), 0)
    alone.set(metric, atLeast / Math.max(1, largest.length))
  }
  let worst = 0
  const corrected = new Map(order.map((metric) => [metric, (worst = Math.max(worst, alone.get(metric) ?? 1))] as const))
  return differences.map((_, at) => corrected.get(at) ?? 1)
}
