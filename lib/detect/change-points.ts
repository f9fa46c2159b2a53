import { normalTail, studentQuantile, studentTail } from '../stats/distributions'
import { modeShareP } from './mode-shares'
import { rankTest, smallestPossibleP } from '../stats/rank-test'
import { clippedSquares, differenceScale, median, robustLocation, winsorisedMean } from '../stats/robust'
import { optimalPartition, rankSegmentation } from './segmentation'
import { noiseFloor, pooledAutocorrelation, pooledNoise, slowness } from './series-noise'
import { chanceOfExcursion, countStrays, visitsOfMode, type Strays } from './excursion'
import { locationOf, middlePlace, moveToLikelihood } from './change-location'

/**
 * How certain and how large a change must be to be reported. `alertSettings` and `historySettings` are the two in use.
 */
export interface DetectorSettings {
  /** Minimum relative change, of the larger direction: max(|e^Δ−1|, |e^−Δ−1|). */
  readonly minEffect: number
  /** Bound of the robust t test, and the shares of it for changes whose shorter side has few runs (rising). */
  readonly alpha: number
  readonly alphaShares: readonly { readonly below: number; readonly share: number }[]
  /** Bound of the rank test, relaxed to what the counts can reach; the second when a side has fewer than 8 runs. */
  readonly rankAlpha: number
  readonly smallRankAlpha: number
  /** Bound of the rank test alone, for shifts between two modes (at least 8 runs a side). */
  readonly rankOnlyAlpha: number
  /**
   * Largest rank-test p at which the newest level is reported: with few runs on either side the test could not object
   * at all (5 before and 2 after: p is 0.095 at best), and the noise of so few runs is underestimated. 1: not applied.
   */
  readonly newestRankAlpha: number
  /**
   * Could the newest level be an excursion? Greatest probability of one as long, if runs leave their level, and stay
   * away, as often as earlier ones went beyond the middle of the two levels (`chanceOfExcursion`). 1: not applied.
   */
  readonly excursionChance: number
  /**
   * Where two constant modes explain a change better than two levels, the largest p of the test of their shares
   * (`modeShareP`), relaxed to what the counts can reach. 1: not applied.
   */
  readonly modeShareAlpha: number
  /** Reported place of a change: the middle of its possible places, or the best within 4 runs of where it was found. */
  readonly placement: 'middle' | 'best'
  /** Runs needed before a change. */
  readonly minBefore: number
  /** Only the newest runs are evaluated; 0: all. */
  readonly window: number
}

/**
 * Alerts: evaluated again with every run. The shorter a side, the more possible places a change has, the more often it
 * is tested, and the less is lost by waiting: most of the bound is reserved for sides of at least 12 runs; but the
 * first runs after a large change get enough of it to alert at once. Figures: lib/detect/README.md.
 */
export const alertSettings: DetectorSettings = {
  minEffect: 0.05,
  alpha: 1e-4,
  alphaShares: [
    { below: 4, share: 0.1 },
    { below: 8, share: 0.02 },
    { below: 12, share: 0.2 },
  ],
  rankAlpha: 1e-3,
  smallRankAlpha: 1e-4,
  rankOnlyAlpha: 1e-5,
  newestRankAlpha: 0.01,
  excursionChance: 2e-3,
  modeShareAlpha: 1e-5,
  placement: 'middle',
  minBefore: 5,
  window: 400,
}

/** Marks in the history: one evaluation of the whole, no notification. */
export const historySettings: DetectorSettings = {
  minEffect: 0.03,
  alpha: 1e-3,
  alphaShares: [],
  rankAlpha: 1e-2,
  smallRankAlpha: 1e-2,
  rankOnlyAlpha: 3e-4,
  newestRankAlpha: 1,
  excursionChance: 1,
  modeShareAlpha: 1,
  placement: 'best',
  minBefore: 3,
  window: 0,
}

/** Where a series shifted. Indices are positions in the given series, 0-based. */
export interface ChangePoint {
  /** The first run of the new level. */
  readonly index: number
  /** All places that explain the runs about equally well, `earliest` ≤ index ≤ `latest`. */
  readonly earliest: number
  readonly latest: number
  /** drift: a straight line explains the two levels as well as a step. */
  readonly kind: 'step' | 'drift'
  /** Robust levels of the compared runs on either side, in the unit of the series. */
  readonly levelBefore: number
  readonly levelAfter: number
  /** From one level to the other: 0.1 is +10 %. With its 95 % confidence interval. */
  readonly effectRatio: number
  readonly effectLowRatio: number
  readonly effectHighRatio: number
  /** Two-sided p of the robust t test and of the rank test. */
  readonly pRobust: number
  readonly pRank: number
  /** Noise of a single run (standard deviation of the logarithm) and lag-1 autocorrelation. */
  readonly noise: number
  readonly autocorrelation: number
  /** |t| against one run's noise: change / noise of a run. */
  readonly signalToNoise: number
  /** Runs on either side that the figures rest on (at most 60). */
  readonly before: number
  readonly after: number
}

const truncation = 3
const penaltyPerLogRun = 3
const rankThreshold = 3.2
const comparedRuns = 60
const priorRuns = 6
/** From this autocorrelation on, runs about a level tell less of its noise, too. */
const slowFrom = 0.3
/** Runs of an earlier level, at least, to tell how often it was left. */
const shortestLevel = 3

/** Test results of one change. Differences are of logarithms; at most 60 runs on either side. */
export interface Judged {
  readonly before: number
  readonly after: number
  /** Logarithm of the level before; adding `delta` gives the one after. */
  readonly locationBefore: number
  readonly delta: number
  readonly winsorisedDelta: number
  /** Of an excursion from the old level that lasts as long as the new one; computed lazily. */
  readonly excursionChance: () => number
  readonly t: number
  readonly standardError: number
  readonly df: number
  readonly p: number
  readonly pRank: number
  readonly pRankAutocorrelated: number
  /** See `modeShareP`; computed lazily. */
  readonly modeShareP: () => number | null
  readonly newest: boolean
}

/**
 * Finds where a series of positive figures (newest last) shifted: robust segmentation of the logarithms; then every
 * change must pass two tests, a robust t test with shrunk variance and a rank test, both aware of autocorrelation, and
 * be large enough; the newest one needs confirming runs. Deterministic. Fewer than 5 runs give none. A series with a
 * value of 0 or less is read as log(1 + x).
 */
export function findChangePoints(series: ArrayLike<number>, settings: DetectorSettings): readonly ChangePoint[] {
  const all = Float64Array.from(series)
  if (all.length < 5) return []
  const offset = settings.window > 0 && all.length > settings.window ? all.length - settings.window : 0
  const isPositive = all.subarray(offset).every((value) => value > 0)
  const values = logarithms(all.subarray(offset), isPositive)
  const levelOf = isPositive ? Math.exp : Math.expm1
  const { changes, judged, noise, autocorrelation } = confirm(values, candidates(values), settings)
  return judged.map((one, at) => {
    const index = changes[at] ?? 0
    const from = Math.max(at > 0 ? (changes[at - 1] ?? 0) : 0, index - comparedRuns)
    const to = Math.min(changes[at + 1] ?? values.length, index + comparedRuns)
    const place = locationOf(values.subarray(from, to), index - from, noise, truncation)
    const reach = studentQuantile(0.025, one.df) * one.standardError
    return {
      index: index + offset,
      earliest: from + place.earliest + offset,
      latest: from + place.latest + offset,
      kind: place.kind,
      levelBefore: levelOf(one.locationBefore),
      levelAfter: levelOf(one.locationBefore + one.delta),
      effectRatio: Math.expm1(one.delta),
      effectLowRatio: Math.expm1(one.delta - reach),
      effectHighRatio: Math.expm1(one.delta + reach),
      pRobust: one.p,
      pRank: one.pRank,
      noise,
      autocorrelation,
      signalToNoise:
        Math.abs(one.delta) / Math.max(1e-9, one.standardError / Math.sqrt(1 / one.before + 1 / one.after)),
      before: one.before,
      after: one.after,
    }
  })
}

function logarithms(values: Float64Array, isPositive: boolean): Float64Array {
  if (isPositive) return values.map((value) => Math.log(Math.max(value, 1e-12)))
  return values.map((value) => Math.log1p(Math.max(value, 0)))
}

function candidates(values: Float64Array): number[] {
  const scale = Math.max(differenceScale(values), noiseFloor)
  const found = optimalPartition(values, scale, truncation, penaltyPerLogRun * Math.log(values.length))
  for (const change of rankSegmentation(values, rankThreshold)) {
    if (found.every((other) => Math.abs(other - change) > 3)) found.push(change)
  }
  return found.sort((a, b) => a - b)
}

/**
 * Drops the least certain failing change until all pass, then moves each to its likeliest place and continues.
 */
function confirm(values: Float64Array, found: readonly number[], settings: DetectorSettings) {
  const changes = [...found]
  let moved = false
  for (;;) {
    const bounds = [0, ...changes, values.length]
    const segments = changes.concat(values.length).map((end, at) => values.subarray(bounds[at], end))
    const noise = pooledNoise(segments)
    const autocorrelation = pooledAutocorrelation(segments, noise)
    const judged = changes.map((_change, at) => judge(segments, at, noise, autocorrelation))
    let worst = -1
    judged.forEach((one, at) => {
      if (passes(one, settings)) return
      const other = judged[worst]
      if (!other || one.p > other.p || (one.p === other.p && Math.abs(one.delta) < Math.abs(other.delta))) worst = at
    })
    if (worst >= 0) {
      changes.splice(worst, 1)
    } else if (moved) {
      return { changes, judged, noise, autocorrelation }
    } else {
      moved = true
      for (let at = 0; at < changes.length; at += 1) {
        const change = changes[at] ?? 0
        const from = Math.max(at > 0 ? (changes[at - 1] ?? 0) : 0, change - comparedRuns)
        const to = Math.min(changes[at + 1] ?? values.length, change + comparedRuns)
        changes[at] =
          settings.placement === 'middle'
            ? middlePlace(values, { from, change, to }, noise, autocorrelation)
            : moveToLikelihood(values, from, change, to, noise)
        // A spike shortly before a change can pull it there, where it would fail: it stays where it passed.
        const parts = [values.subarray(from, changes[at]), values.subarray(changes[at], to)]
        if (!passes(judge(parts, 0, noise, autocorrelation, changes[at + 1] === undefined), settings))
          changes[at] = change
      }
    }
  }
}

/** Tests the change between two neighbouring segments of logarithms; `newest`: the second one is the last. */
export function judge(
  segments: readonly Float64Array[],
  at: number,
  noise: number,
  autocorrelation: number,
  newest = at === segments.length - 2,
): Judged {
  const a = (segments[at] ?? new Float64Array()).slice(-comparedRuns)
  const b = (segments[at + 1] ?? new Float64Array()).slice(0, comparedRuns)
  const before = robustLocation(a, noise)
  const after = robustLocation(b, noise)
  const squares = priorRuns * noise * noise + clippedSquares(a, before, 3 * noise) + clippedSquares(b, after, 3 * noise)
  const freedom = priorRuns + Math.max(0, a.length - 1) + Math.max(0, b.length - 1)
  const variance = Math.max(squares / freedom, noiseFloor * noiseFloor)
  const inflation = slowness(autocorrelation)
  const standardError = Math.sqrt(variance * (1 / a.length + 1 / b.length) * inflation)
  const t = (after - before) / standardError
  const known = a.length + b.length - 2
  const df = Math.min(60, priorRuns + (autocorrelation > slowFrom ? known / inflation : known))
  const ranks = rankTest(a, b)
  return {
    before: a.length,
    after: b.length,
    locationBefore: before,
    delta: after - before,
    winsorisedDelta: winsorisedMean(b) - winsorisedMean(a),
    excursionChance: () => excursionChanceOf(segments.slice(0, at + 1), before, after, b.length),
    t,
    standardError,
    df,
    p: 2 * studentTail(Math.abs(t), df),
    pRank: ranks.p,
    pRankAutocorrelated: 2 * normalTail(ranks.z / Math.sqrt(inflation)),
    modeShareP: () => modeShareP(a, b, { before, after }, noise, inflation),
    newest,
  }
}

/** `levels`: the old level last, whose centre is `before`. */
function excursionChanceOf(levels: readonly Float64Array[], before: number, after: number, length: number): number {
  const half = (after - before) / 2
  const strays: Strays = { runs: 0, strays: 0, stays: 0 }
  levels.forEach((level, at) => {
    const centre = at === levels.length - 1 ? before : median(level)
    if (level.length >= shortestLevel) countStrays(strays, level, centre, half)
  })
  const visits = visitsOfMode(levels, before, half)
  const chances = [strays, ...(visits === null ? [] : [visits])].map((one) => chanceOfExcursion(one, length))
  return Math.max(...chances)
}

const effectOf = (delta: number): number => Math.max(Math.abs(Math.expm1(delta)), Math.abs(Math.expm1(-delta)))

function passes(one: Judged, settings: DetectorSettings): boolean {
  if (one.newest && settings.excursionChance < 1 && one.excursionChance() > settings.excursionChance) return false
  return passesKeys(one, settings) && sharesPass(one, settings)
}

/** Whether the shares of two modes differ beyond doubt, if they are what changed. */
export function sharesPass(one: Judged, settings: DetectorSettings): boolean {
  if (settings.modeShareAlpha >= 1) return true
  const p = one.modeShareP()
  return p === null || p <= Math.max(settings.modeShareAlpha, 1.01 * smallestPossibleP(one.before, one.after))
}

function passesKeys(one: Judged, settings: DetectorSettings): boolean {
  const fewest = Math.min(one.before, one.after)
  const rankAlone = fewest >= 8 && one.pRankAutocorrelated <= settings.rankOnlyAlpha
  if (rankAlone && effectOf(one.winsorisedDelta) >= settings.minEffect) return true
  const share = settings.alphaShares.find(({ below }) => fewest < below)?.share ?? 1
  if (effectOf(one.delta) < settings.minEffect || one.p > settings.alpha * share) return false
  const rankAlpha = fewest < 8 ? settings.smallRankAlpha : settings.rankAlpha
  if (one.pRank > Math.max(rankAlpha, 1.01 * smallestPossibleP(one.before, one.after))) return false
  if (one.before < settings.minBefore) return false
  if (!one.newest) return true
  // The newest level must be confirmed by at least two runs, and two suffice only when they are far out.
  if (one.pRank > settings.newestRankAlpha) return false
  return one.after > 2
}
