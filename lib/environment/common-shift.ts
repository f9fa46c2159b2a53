import { clip, median, robustLocation } from '../stats/robust'
import { lossOfLevels } from './creep'
import { lowerBound, type FollowedSeries } from './followed-series'
import { truncatedLoss, varianceOfMean } from './level-noise'
import { effectOf, farShare, smallestEffect } from './step'
import { bestRamp } from './straight-line'

/** By how much a series moved at a time. Logarithms. */
export interface Move {
  readonly change: number
  readonly standardError: number
  /** Runs since then that are on the new level. */
  readonly runs: number
}

/** And what that says of the environment, which moved by `factor` or not: a log likelihood ratio, from -6 to 6. */
export interface Evidence extends Move {
  readonly evidence: number
}

/** Log likelihood ratios beyond which a series is said to have moved, or stayed. */
export const movedBeyond = 1.5
export const stayedBelow = -1.5
/** How differently series answer to one machine: deviation of the logarithm, as a share of the factor. */
const answerSpread = 0.3
const day = 86_400
/** Runs of the series of an environment this close share its noise: s. */
export const sharedHours = 6 * 3_600
/** Runs of a series before and after a time, at most. */
const [runsBefore, runsAfter] = [40, 20]

/** What a series did at a time, within its present level; null: too few runs. `least`: runs needed before. */
export function moveAt<Alert>(series: FollowedSeries<Alert>, time: number, least = 5): Move | null {
  const { length, values, creep } = series
  const at = series.firstSince(time)
  const from = Math.max(series.start, at - runsBefore)
  if (at >= length || at - from < least) return null
  const trend = (run: number) => (creep === null ? 0 : creep.base + creep.slope * Math.max(0, run - creep.from))
  const after = values
    .subarray(at)
    .subarray(0, runsAfter)
    .map((value, run) => value - trend(at + run))
  const before =
    creep === null ? series.between(from, at) : values.subarray(from, at).map((value, run) => value - trend(from + run))
  if (before.length < least) return null
  const { deviation, autocorrelation } = series.quietNoise()
  const level = robustLocation(before, deviation)
  const newest = (after.at(-1) ?? level) - level
  let change = robustLocation(after, deviation) - level
  // Back again: a blip.
  if (after.length < 6 && newest * change < farShare * change * change) change = newest
  const far = after.filter((value) => (value - level) / (change || 1) > farShare).length
  const own = after.length < 4 ? deviation : Math.max(deviation, 0.8 * spreadOf(after))
  const variance =
    own * own * varianceOfMean(after.length, autocorrelation) +
    deviation * deviation * varianceOfMean(before.length, autocorrelation)
  return { change, standardError: Math.sqrt(variance), runs: after.length > 5 ? after.length : far }
}

function spreadOf(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
}

/** That this series moved with the factor, against that it stayed. */
export function evidenceOf({ change, standardError }: Move, factor: number): number {
  const spread = Math.hypot(standardError, answerSpread * factor)
  const moved = -0.5 * ((change - factor) / spread) ** 2 - Math.log(spread / standardError)
  return clip(moved + 0.5 * Math.min((change / standardError) ** 2, 60), 6)
}

/** What all series of an environment did at a time. */
export interface Together<Alert> {
  /** Of the environment: its logarithm. */
  readonly factor: number
  readonly bySeries: ReadonlyMap<FollowedSeries<Alert>, Evidence>
}

/** `factor`: a given one; else the weighted median of how far they moved, of two the mean. */
export function moveTogether<Alert>(
  all: readonly FollowedSeries<Alert>[],
  time: number,
  { factor, least }: { readonly factor?: number; readonly least?: number } = {},
): Together<Alert> {
  const moves = all.flatMap((series) => {
    const move = moveAt(series, time, least)
    return move === null ? [] : [{ series, move }]
  })
  const common = factor ?? commonFactor(moves.map(({ move }) => move))
  const bySeries = new Map(
    moves.map(({ series, move }) => [series, { ...move, evidence: evidenceOf(move, common) }] as const),
  )
  return { factor: common, bySeries }
}

/** The weighted median of how far series moved, of two the mean. */
export function commonFactor(moves: readonly Pick<Move, 'change' | 'standardError'>[]): number {
  const weighted = moves
    .map(({ change, standardError }) => ({ change, weight: 1 / (standardError ** 2 + 0.02 ** 2) }))
    .toSorted((a, b) => a.change - b.change)
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0)
  if (weighted.length === 2) return weighted.reduce((sum, { change, weight }) => sum + change * weight, 0) / total
  let sum = 0
  return weighted.find(({ weight }) => (sum += weight) >= total / 2)?.change ?? 0
}

/** Sum of the evidence that the environment moved; null: it did not, or nothing can tell. */
export function evidenceTogether<Alert>({ factor, bySeries }: Together<Alert>): number | null {
  if (effectOf(factor) < 0.9 * smallestEffect || bySeries.size < 2) return null
  const all = [...bySeries.values()]
  const evidence = all.map((one) => one.evidence).toSorted((a, b) => b - a)
  const moved = evidence.filter((one) => one > movedBeyond).length
  const stayed = evidence.filter((one) => one < stayedBelow).length
  const runs = all.map((one) => one.runs).toSorted((a, b) => b - a)
  const [most = 0, second = 0] = runs
  if (moved < 2 || moved < 0.75 * (moved + stayed) || most < 3 || second < 2) return null
  const total = evidence.reduce((sum, one) => sum + one, 0)
  if (total < 8 || total - (evidence[0] ?? 0) < 3) return null
  const shared = sharedNoise([...bySeries.keys()])
  const shortest = Math.min(...[...bySeries.keys()].map((one) => one.length - one.start))
  const nights = runs[Math.floor(runs.length / 2)] ?? 1
  const own = 1 / all.reduce((sum, { standardError }) => sum + 1 / standardError ** 2, 0)
  const error = Math.sqrt(own + (shared * (1 + 8 / shortest)) ** 2 / nights)
  return Math.abs(factor) > 4.5 * error ? total : null
}

/** Deviation that the runs of one night share: from products of neighbours' residuals. */
function sharedNoise<Alert>(all: readonly FollowedSeries<Alert>[]): number {
  const known = all.flatMap((series) => {
    const newest = series.values.subarray(series.start).subarray(-runsBefore)
    if (newest.length < 8) return []
    const { deviation } = series.noise()
    const level = median(newest)
    const residuals = newest.map((value) => clip(value - level, 3 * deviation))
    return [{ times: series.times.slice(-newest.length), residuals }]
  })
  const products: number[] = []
  known.forEach((one, at) => {
    for (const other of known.slice(0, at)) {
      const product = meanProduct(one, other)
      if (product !== null) products.push(product)
    }
  })
  const middle = products.toSorted((a, b) => a - b)[Math.floor(products.length / 2)] ?? 0
  return Math.sqrt(Math.max(0, middle))
}

interface Residuals {
  readonly times: readonly number[]
  readonly residuals: Float64Array
}

/** Of each run of one series and the nearest run of the other one, of the same night; null: fewer than 8. */
function meanProduct(one: Residuals, other: Residuals): number | null {
  const { times } = other
  let [sum, count, after] = [0, 0, 0]
  for (const [run, time] of one.times.entries()) {
    let next = times[after] ?? Infinity
    while (next < time) next = times[(after += 1)] ?? Infinity
    const before = time - (times[after - 1] ?? -Infinity)
    const isEarlier = before < next - time
    if ((isEarlier ? before : next - time) >= sharedHours) continue
    sum += (one.residuals[run] ?? 0) * (other.residuals[isEarlier ? after - 1 : after] ?? 0)
    count += 1
  }
  return count < 8 ? null : sum / count
}

/** Position of the run nearest to a time, of the same night; null: none is. `times` rise. */
export function nearestRun(times: readonly number[], time: number): number | null {
  const after = lowerBound(times, time)
  const away = (at: number) => Math.abs((times[at] ?? Infinity) - time)
  const nearest = away(after - 1) < away(after) ? after - 1 : after
  return away(nearest) < sharedHours ? nearest : null
}

/** Truncated loss of all series, as they are now, if each has one level before a time and one since. */
export function lossesOfShift<Alert>(all: readonly FollowedSeries<Alert>[]): (time: number) => number {
  // At many times, each series has few places.
  const known = new Map(all.map((series) => [series, new Map<number, number>()]))
  return (time) => {
    let sum = 0
    for (const [series, losses] of known) {
      const at = series.firstSince(time)
      let loss = losses.get(at)
      if (loss === undefined) losses.set(at, (loss = lossOfSeries(series, at)))
      sum += loss
    }
    return sum
  }
}

function lossOfSeries<Alert>(series: FollowedSeries<Alert>, at: number): number {
  const { values, length, start } = series
  const from = Math.max(start, at - runsBefore)
  if (at < length && at - from >= 3) return lossOfLevels(values, from, at, series.quietNoise().deviation)
  if (length - from < 3) return 0
  const { deviation } = series.noise()
  const level = values.subarray(from)
  return truncatedLoss(level, robustLocation(level, deviation), deviation)
}

/** Times of runs about a time, within `reach` s. */
export function timesNear<Alert>(
  all: readonly FollowedSeries<Alert>[],
  time: number,
  reach: number,
): readonly number[] {
  const near = all.flatMap((one) => one.times.slice(one.firstSince(time - reach), one.firstSince(time + reach)))
  return [...new Set(near)].sort((a, b) => a - b)
}

/** The usual time between two runs of a series, of its newest twelve; in s. */
function usualGap(times: readonly number[]): number | null {
  if (times.length < 4) return null
  const newest = times.slice(-12)
  return median(newest.slice(1).map((time, at) => time - (newest[at] ?? time)))
}

/** The time near `time` from which a common shift explains all series best. */
export function sharpen<Alert>(
  all: readonly FollowedSeries<Alert>[],
  time: number,
  newest: FollowedSeries<Alert>,
): number {
  const gap = usualGap(newest.times) ?? day
  const lossAt = lossesOfShift(all)
  const places = timesNear(all, time, 1.6 * gap).map((one) => ({
    time: one,
    loss: Math.round(lossAt(one) * 1e6) / 1e6,
    away: Math.abs(one - time),
  }))
  const best = places.toSorted((a, b) => a.loss - b.loss || a.away - b.away)[0]
  return best?.time ?? time
}

/** Whether straight lines of 20 runs or more explain the series as well as a common step does. */
export function areRamps<Alert>(all: readonly FollowedSeries<Alert>[], time: number): boolean {
  let [steps, ramps, seen] = [0, 0, 0]
  for (const series of all) {
    const { length, values } = series
    const at = series.firstSince(time)
    const from = Math.max(series.start, length - 120)
    if (length - at < 3 || at - from < 8 || length - from < 28 || series.creep !== null) continue
    const { deviation } = series.quietNoise()
    seen += 1
    steps += lossOfLevels(values, from, at, deviation)
    ramps += bestRamp(values.subarray(from), from, deviation).loss
  }
  return seen > 0 && ramps <= steps
}
