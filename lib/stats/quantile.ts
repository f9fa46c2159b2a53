import { formatCount, formatPercent } from '../format'

/** The percentile axis of HDR plots: x = 1/(1−q) on a log scale, so that each nine has the same width. */

/** With fewer values than this above it, a percentile is an anecdote. */
export const minAbove = 10

/** x of a quantile 0 ≤ q < 1; the axis has no place for q = 1. */
export const quantileToX = (q: number): number => 1 / (1 - q)

export const xToQuantile = (x: number): number => 1 - 1 / x

/** The highest quantile that `count` values support: at least 10 of them are above it. Null: none. */
export function supportedQuantile(count: number): number | null {
  return count < 2 * minAbove ? null : 1 - minAbove / count
}

/** Whether fewer than 10 of so many requests are beyond a percentile: it is drawn faded and hollow. */
export const hasFewBeyond = (q: number, count: number): boolean =>
  count < 2 * minAbove || (1 - q) * count < minAbove - 1e-6

/** How many values a percentile needs so that at least 10 are above it: 1 000 for p99. */
export const neededCount = (q: number): number => Math.round(minAbove / (1 - q))

/** `p99.9`; q has at most 7 significant nines. */
export function quantileName(q: number): string {
  return `p${Number((q * 100).toFixed(6))}`
}

/** `p99.9`, `p98.4375`: the name of a percentile that tools print or people use; null for any other position. */
export function printableName(q: number): string | null {
  const digits = q * 1e8
  // A position on a chart is known to about ten digits.
  return Math.abs(digits - Math.round(digits)) < 0.02 ? quantileName(Math.round(digits) / 1e8) : null
}

/** How rare the values above are: `1 in 1 000`. */
function oneIn(q: number): string {
  return `1 in ${formatCount(1 / (1 - q))}`
}

/** The same as a sentence; below the median as a share, as "1 in 1" is meaningless. */
export function slowerWords(q: number): string {
  return q < 0.5 ? `${formatPercent(1 - q)} of requests are slower` : `${oneIn(q)} requests is slower`
}

export interface QuantileTick {
  readonly q: number
  readonly x: number
  readonly label: string
  /** Null at 0 %. */
  readonly rarity: string | null
}

/** Ticks 0, 90, 99, 99.9 … up to and including the first at or beyond `lastX`. */
export function quantileTicks(lastX: number): readonly QuantileTick[] {
  const ticks: QuantileTick[] = [{ q: 0, x: 1, label: '0', rarity: null }]
  for (let x = 10; x <= Math.max(10, lastX) * 1.000001 && x <= 1e7; x *= 10) {
    const q = xToQuantile(x)
    ticks.push({ q, x, label: String(Number((q * 100).toFixed(6))), rarity: oneIn(q) })
  }
  return ticks
}
