import { normalTail } from '../stats/distributions'
import { maxExact, nullCumulative, rankTest, smallestPossibleP } from '../stats/rank-test'
import { median, sorted } from '../stats/robust'

/** How the runs of one side stand to those of another. Each value is a figure of one run: requests are no repeats. */
export interface Shift {
  /** Hodges–Lehmann estimate of head − base: the median of all differences between a run of one side and one of the other. */
  readonly estimate: number
  /** Interval of the shift at `level`, from the exact distribution of U (Moses; R's `wilcox.test(conf.int = TRUE)`). */
  readonly low: number
  readonly high: number
  /** Confidence that the interval has: 0.95 or more from 4 runs a side on; below, what so few runs can give. */
  readonly level: number
  /** Two-sided Mann–Whitney p, exact with ties too, up to 60 runs in all. */
  readonly p: number
  readonly exact: boolean
}

/** p below which a difference is called one, as benchstat does. */
export const alpha = 0.05

/** The shift from `base` to `head`; null when either is empty. Hodges & Lehmann (1963), Mann & Whitney (1947). */
export function shiftOf(base: readonly number[], head: readonly number[]): Shift | null {
  const [m, k] = [base.length, head.length]
  if (m === 0 || k === 0) return null
  const differences = sorted(head.flatMap((value) => base.map((other) => value - other)))
  const { index, level } = intervalIndex(m, k)
  const { p, exact } = rankTest(base, head, 'exact')
  return {
    estimate: median(differences),
    low: differences[index] ?? Number.NaN,
    high: differences[m * k - 1 - index] ?? Number.NaN,
    level,
    p,
    exact,
  }
}

/** Runs that each side needs at least for a difference to be called one (p < 0.05 at best), the other side having as many. */
export const minRuns = 4

/** Whether so many runs against so many can show a difference at all. */
export function canDecide(m: number, k: number): boolean {
  return smallestPossibleP(m, k) < alpha
}

/** How many more runs each side needs so that a difference can be shown; 0 0 when it can already. */
export function runsNeeded(m: number, k: number): readonly [number, number] {
  return canDecide(m, k) ? [0, 0] : [Math.max(0, minRuns - m), Math.max(0, minRuns - k)]
}

/** Middle of the runs of one side and how far the farthest lies from it. */
export interface SideFigure {
  /** Median over the runs that have the figure; null: none has. */
  readonly value: number | null
  /** Largest distance of a run from the median, relative to it: 0.03 is ± 3 %. Null below two runs or around 0. */
  readonly spreadRatio: number | null
  readonly count: number
}

/** Sums up the figures of one side; runs without it are null. */
export function sideFigureOf(values: readonly (number | null)[]): SideFigure {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return { value: null, spreadRatio: null, count: 0 }
  const middle = median(known)
  const farthest = Math.max(...known.map((value) => Math.abs(value - middle)))
  const hasSpread = known.length > 1 && middle !== 0
  return { value: middle, spreadRatio: hasSpread ? farthest / Math.abs(middle) : null, count: known.length }
}

/** Place (from 0) of the interval's lower end among the sorted differences, and the confidence that it gives. */
function intervalIndex(m: number, k: number): { readonly index: number; readonly level: number } {
  const exact = m + k <= maxExact ? nullCumulative(m, k) : null
  const tail = exact ? (u: number) => exact[u] ?? 1 : normalTailOf(m, k)
  let u = 0
  while (tail(u) < alpha / 2) u += 1
  const index = Math.max(1, u) - 1
  return { index, level: Math.max(0, 1 - 2 * tail(index)) }
}

function normalTailOf(m: number, k: number): (u: number) => number {
  const spread = Math.sqrt((m * k * (m + k + 1)) / 12)
  return (u) => normalTail(((m * k) / 2 - u - 0.5) / spread)
}
