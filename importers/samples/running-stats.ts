/** A sum of whole numbers is exact below 2^53; from here on it is carried over, so that two of them stay exact. */
export const carryAt = 2 ** 51

/**
 * Zero that V8 stores as a floating-point number. A field that begins as a small integer and outgrows it changes its
 * type, and V8 discards the code that it compiled in the meantime.
 */
export function double(zero: 0): number {
  return -zero
}

/** Count, extremes and exact sums of whole nanoseconds. */
export class RunningStats {
  count = 0
  min = Infinity
  max = -Infinity
  /** Of the differences from a pivot chosen by the caller. */
  squares = double(0)
  /** Whole ns below 2^51; the excess is in `carried`. */
  private low = double(0)
  private carried = 0n

  /** Adds a part of the sum: whole, and below 2^52. */
  addSum(ns: number): void {
    this.low += ns
    if (this.low < carryAt) return
    this.carried += BigInt(this.low)
    this.low = 0
  }

  /** Adds a batch: its number of values, their sum (as for `addSum`) and the squares of their differences. */
  addPart(count: number, sumNs: number, squares: number): void {
    this.addSum(sumNs)
    this.squares += squares
    this.count += count
  }

  sum(): bigint {
    return this.carried + BigInt(this.low)
  }
}

/** Sum / count, rounded once as long as the sum fits in a double. */
export function divideSum(sum: bigint, count: number): number {
  if (sum < 2n ** 53n) return Number(sum) / count
  const divisor = BigInt(count)
  return Number(sum / divisor) + Number(sum % divisor) / count
}

/** Standard deviation of the sample (n − 1); null below two values. */
export function deviationOf(parts: readonly RunningStats[], pivot: number): number | null {
  const count = parts.reduce((total, part) => total + part.count, 0)
  if (count < 2) return null
  const squares = parts.reduce((total, part) => total + part.squares, 0)
  const sum = parts.reduce((total, part) => total + part.sum(), 0n)
  // Squares are relative to the pivot; this corrects for its distance from the mean.
  const offset = Number(sum - BigInt(pivot) * BigInt(count))
  return Math.sqrt(Math.max(0, (squares - (offset * offset) / count) / (count - 1)))
}
