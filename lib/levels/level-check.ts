import { alertSettings, findChangePoints, type DetectorSettings } from '../detect/change-points'
import { studentQuantile, studentTail } from '../stats/distributions'
import { clippedSquares, median, robustLocation } from '../stats/robust'
import { pooledNoise } from '../detect/series-noise'

/** How a value compares with the level before it. Effects are relative: 0.1 is +10 %. */
export interface LevelCheck {
  /** too-few: fewer than 5 values before, or fewer than 3 of the current level: the value is not judged. */
  readonly kind: 'too-few' | 'judged'
  /** Outside of `expectedLow` … `expectedHigh`: beyond the noise, over the floor, and rare among recent values. */
  readonly shifted: 'up' | 'down' | null
  /** Number of values of the current level it was compared with; too-few: all values before. */
  readonly before: number
  /** Robust mean of the level; null: no value before. */
  readonly level: number | null
  readonly value: number
  readonly effectRatio: number | null
  /** 95 % interval of the effect, of one value against the level. Null: too few. */
  readonly effectLowRatio: number | null
  readonly effectHighRatio: number | null
  /** Bounds of values of the level: the acceptance region of the same test. Null: too few. */
  readonly expectedLow: number | null
  readonly expectedHigh: number | null
  /** Standard deviation of one value's logarithm; null: too few. */
  readonly noiseRatio: number | null
  readonly p: number | null
}

/** Values required before one is judged. */
export const minJudged = 5
/** Of those, values required in the current level. */
export const minOfLevel = 3
const alpha = 5e-4
const priorRuns = 6
const comparedRuns = 60
/** Share of recent values that may be as far off before a new value counts as one of them. */
const extremeShare = 0.02

/**
 * Whether a value is outside of the range predicted by the current level of the values before it (from `since` on) and
 * their noise: a robust t prediction interval. It flags but raises no alert: one value proves little. All values are
 * positive. `since` absent: found by the change-point detector.
 */
export function checkLevel(
  history: readonly number[],
  value: number,
  { since, settings = alertSettings }: { readonly since?: number; readonly settings?: DetectorSettings } = {},
): LevelCheck {
  if (value <= 0 || history.some((one) => one <= 0)) return tooFew(history, value)
  const from = since ?? findChangePoints(history, settings).at(-1)?.index ?? 0
  const level = Float64Array.from(history.slice(from).slice(-comparedRuns), Math.log)
  if (history.length < minJudged || level.length < minOfLevel) return tooFew(history.slice(from), value)
  const logs = Float64Array.from(history, Math.log)
  const noise = pooledNoise([logs.subarray(0, from), logs.subarray(from)].filter((part) => part.length > 0))
  const centre = robustLocation(level, noise)
  const freedom = priorRuns + level.length - 1
  const variance = (priorRuns * noise * noise + clippedSquares(level, centre, 3 * noise)) / freedom
  const error = Math.sqrt(variance * (1 + 1 / level.length))
  const quantiles = quantilesOf(freedom)
  const difference = withoutRounding(Math.log(value) - centre)
  const beyondNoise = Math.max(quantiles.beyond * error, Math.log1p(settings.minEffect))
  const reach = Math.max(beyondNoise, farthest(withoutLastExcursion(level, centre, beyondNoise), centre))
  const half = quantiles.of95 * error
  return {
    kind: 'judged',
    shifted: Math.abs(difference) > reach ? (difference > 0 ? 'up' : 'down') : null,
    before: level.length,
    level: Math.exp(centre),
    value,
    effectRatio: Math.expm1(difference),
    effectLowRatio: Math.expm1(difference - half),
    effectHighRatio: Math.expm1(difference + half),
    expectedLow: Math.exp(centre - reach),
    expectedHigh: Math.exp(centre + reach),
    noiseRatio: noise,
    p: 2 * studentTail(Math.abs(difference / error), freedom),
  }
}

/** By degrees of freedom, as many as there are lengths of a level: each quantile takes a hundred incomplete betas. */
const knownQuantiles = new Map<number, { readonly beyond: number; readonly of95: number }>()

function quantilesOf(freedom: number) {
  const known = knownQuantiles.get(freedom)
  if (known) return known
  const found = { beyond: studentQuantile(alpha / 2, freedom), of95: studentQuantile(0.025, freedom) }
  knownQuantiles.set(freedom, found)
  return found
}

/** A difference of equal values that taking the logarithm and back leaves is zero. */
const withoutRounding = (difference: number): number => (Math.abs(difference) < 1e-12 ? 0 : difference)

/**
 * The level without its newest values if they are beyond its noise, all on one side: they may be a change, and tell how
 * far values of this level stray only once one has come back.
 */
function withoutLastExcursion(level: Float64Array, centre: number, beyondNoise: number): Float64Array {
  const side = Math.sign((level.at(-1) ?? centre) - centre)
  const last = level.findLastIndex((one) => (one - centre) * side <= beyondNoise)
  return level.subarray(0, last + 1)
}

/** Distance exceeded by few of the values: `extremeShare`. */
function farthest(level: Float64Array, centre: number): number {
  const distances = level.map((one) => Math.abs(one - centre)).sort()
  return distances.at(-1 - Math.floor(extremeShare * level.length)) ?? 0
}

function tooFew(level: readonly number[], value: number): LevelCheck {
  return {
    kind: 'too-few',
    shifted: null,
    before: level.length,
    level: level.length === 0 ? null : median(level),
    value,
    effectRatio: null,
    effectLowRatio: null,
    effectHighRatio: null,
    expectedLow: null,
    expectedHigh: null,
    noiseRatio: null,
    p: null,
  }
}
