import { studentQuantile, studentTail } from '../stats/distributions'
import { clip, median } from '../stats/robust'

/** A run's latency distribution as far as this check needs it. */
export interface RankedLatencies {
  /** Requests in it. */
  readonly count: number
  /** Latency at a rank 1…count (fractions are between neighbours); any unit, the same for all runs. */
  valueAtRank(rank: number): number
}

/** Least change that matters, per quantile: a floor, not a test. */
const quantiles = [
  { q: 0.5, leastEffect: 0.05 },
  { q: 0.9, leastEffect: 0.05 },
  { q: 0.95, leastEffect: 0.075 },
  { q: 0.99, leastEffect: 0.1 },
  { q: 0.999, leastEffect: 0.2 },
] as const

const priorRuns = 3
const alpha = 0.01
/** Neighbouring requests are alike: their ranks spread as those of a quarter as many independent ones would. */
const dependence = 4

export interface QuantileShift {
  readonly q: number
  /** Relative shift of the new run from the baseline's median: 0.1 is +10 %. With its 95 % band. */
  readonly effectRatio: number
  readonly lowRatio: number
  readonly highRatio: number
  readonly p: number
  /** p after Benjamini–Hochberg over the quantiles. */
  readonly pAdjusted: number
}

export interface RunCheck {
  /** unknown: fewer than 3 baseline runs, so that the noise between runs is not known. */
  readonly verdict: 'different' | 'not-different' | 'unknown'
  readonly shifts: readonly QuantileShift[]
}

/**
 * Is a new run's distribution different from those of its baseline runs? The run, not the request, is the unit: each
 * gives one log-quantile per q; their spread, shrunk to the series' `noise` (standard deviation of the log of one run),
 * is the error. Benjamini & Hochberg (1995) over the quantiles. Runs without requests are not allowed.
 */
export function checkRun(baseline: readonly RankedLatencies[], fresh: RankedLatencies, noise: number): RunCheck {
  const judged = quantiles.map(({ q, leastEffect }) => ({ leastEffect, ...shiftAt(q, baseline, fresh, noise) }))
  const adjusted = adjust(judged.map((shift) => shift.p))
  const shifts = judged.map(({ leastEffect: _floor, ...shift }, at) => ({ ...shift, pAdjusted: adjusted[at] ?? 1 }))
  if (baseline.length < 3) return { verdict: 'unknown', shifts }
  const different = judged.some(
    ({ leastEffect, effectRatio }, at) => (adjusted[at] ?? 1) < alpha && Math.abs(effectRatio) >= leastEffect,
  )
  return { verdict: different ? 'different' : 'not-different', shifts }
}

function shiftAt(
  q: number,
  baseline: readonly RankedLatencies[],
  fresh: RankedLatencies,
  noise: number,
): Omit<QuantileShift, 'pAdjusted'> {
  const logs = baseline.map((run) => logQuantile(run, q))
  const centre = median(logs)
  const runs = baseline.length
  const scale = runs >= 3 ? 1.4826 * median(logs.map((value) => Math.abs(value - centre))) : noise
  const limit = 3 * Math.max(scale, 0.005)
  const squares = logs.reduce((sum, value) => sum + clip(value - centre, limit) ** 2, 0)
  const df = priorRuns + runs - 1
  const between = (priorRuns * noise * noise + squares) / df
  const error = Math.sqrt(between * (1 + 1 / runs) + withinError(fresh, q) ** 2)
  const shift = logQuantile(fresh, q) - centre
  const reach = studentQuantile(0.025, df) * error
  return {
    q,
    effectRatio: Math.expm1(shift),
    lowRatio: Math.expm1(shift - reach),
    highRatio: Math.expm1(shift + reach),
    p: 2 * studentTail(Math.abs(shift / error), df),
  }
}

const logQuantile = (run: RankedLatencies, q: number): number => Math.log(run.valueAtRank(Math.max(1, q * run.count)))

/** Standard error of the log-quantile within one run, from the ranks 1.96 deviations on either side. */
function withinError(run: RankedLatencies, q: number): number {
  const n = run.count
  const ranks = 1.96 * Math.sqrt(n * q * (1 - q) * dependence)
  const above = run.valueAtRank(Math.min(n, n * q + ranks))
  const below = run.valueAtRank(Math.max(1, n * q - ranks))
  return Math.log(above / below) / (2 * 1.96)
}

/** Benjamini–Hochberg adjusted p values, in the order given. */
function adjust(ps: readonly number[]): number[] {
  const order = ps.map((p, at) => ({ p, at })).sort((a, b) => b.p - a.p)
  const adjusted = new Array<number>(ps.length).fill(1)
  let least = 1
  order.forEach(({ p, at }, place) => {
    least = Math.min(least, (p * ps.length) / (ps.length - place))
    adjusted[at] = least
  })
  return adjusted
}
