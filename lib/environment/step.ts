import { chanceOfExcursion, countStrays, type Strays } from '../detect/excursion'
import { slowness, type AutocorrelationPrior } from '../detect/series-noise'
import { studentTail } from '../stats/distributions'
import { rankTest, smallestPossibleP } from '../stats/rank-test'
import { clippedSquares, differenceScale, median, robustLocation } from '../stats/robust'
import { noiseOfLevels, varianceOfMean, type LevelNoise } from './level-noise'

/** Smallest relative change that is reported, of the larger direction. */
export const smallestEffect = 0.05
/** Runs compared on either side, at most. */
const comparedRuns = 60
const fewestBefore = 5
const fewestAfter = 3
/** Of the robust t test, for sides of twelve runs and more; and the shares of it for shorter ones. */
const alpha = 1e-4
const alphaShares = [
  { below: 4, share: 0.1 },
  { below: 8, share: 0.02 },
  { below: 12, share: 0.2 },
]
/** Degrees of freedom that the pooled noise is worth. */
const priorRuns = 6
const noiseFloor = 0.005
/** Largest chance of an excursion as long as the new level. */
const excursionChance = 2e-3
/** A run belongs to the new level if it is this far from the old one, as a share of the change. */
export const farShare = 0.4

/** The larger relative change of the two directions. */
export const effectOf = (change: number): number =>
  Math.max(Math.abs(Math.expm1(change)), Math.abs(Math.expm1(-change)))

/** Another level from position `at` on. Levels and change are logarithms. */
export interface Step {
  readonly at: number
  readonly levelBefore: number
  readonly levelAfter: number
  readonly change: number
  /** Runs of the new level that were compared. */
  readonly after: number
  readonly p: number
  readonly noise: LevelNoise
}

/** What a step is tested against. */
export interface StepContext {
  /** Logarithms of the whole series, oldest first. */
  readonly values: Float64Array
  /** Position of the first run of the present level. */
  readonly start: number
  /** Values of earlier levels. */
  readonly earlier: readonly Float64Array[]
  /** Runs of the present level that do not count: positions. */
  readonly blips: ReadonlySet<number>
  readonly prior: AutocorrelationPrior
  /** Residuals of the neighbours on this machine, in their own deviations. */
  readonly neighbours: () => readonly Float64Array[]
}

/** Values from one position to another, without blips. */
export function withoutBlips(values: Float64Array, from: number, to: number, blips: ReadonlySet<number>): Float64Array {
  const part = values.subarray(from, to)
  return blips.size === 0 ? part : part.filter((_, at) => !blips.has(from + at))
}

/** The clearest step of the present level, if it convinces; null: it stands. */
export function findStep(context: StepContext): Step | null {
  const level = context.values.subarray(context.start)
  if (level.length < fewestBefore + fewestAfter) return null
  const steps = candidates(level).flatMap((at) => testStep(context, context.start + at) ?? [])
  return steps.reduce<Step | null>((best, one) => (best === null || one.p < best.p ? one : best), null)
}

/** Where it is worth testing: the place of the largest mean difference, and of the largest among the newest ten. */
function candidates(level: Float64Array): readonly number[] {
  const { length } = level
  const scale = Math.max(differenceScale(level), noiseFloor)
  const ordered = level.slice().sort()
  const tenth = Math.floor(length / 10)
  const low = (ordered[tenth] ?? 0) - 3 * scale
  const high = (ordered[length - 1 - tenth] ?? 0) + 3 * scale
  const sums = new Float64Array(length + 1)
  level.forEach((value, at) => (sums[at + 1] = (sums[at] ?? 0) + Math.min(Math.max(value, low), high)))
  const total = sums[length] ?? 0
  let [best, bestZ, late, lateZ] = [-1, -Infinity, -1, -Infinity]
  const last = length - fewestAfter
  for (let at = fewestBefore; at <= last; at += 1) {
    const sum = sums[at] ?? 0
    const after = length - at
    const z = (Math.abs((total - sum) / after - sum / at) * Math.sqrt((at * after) / length)) / scale
    if (z > bestZ) [best, bestZ] = [at, z]
    if (at > last - 10 && z > lateZ) [late, lateZ] = [at, z]
  }
  return [...(bestZ >= 3 ? [best] : []), ...(lateZ >= 3 && late !== best ? [late] : [])]
}

/** Whether the runs from `at` on are on another level; null: they are not, or too few. */
function testStep(context: StepContext, at: number): Step | null {
  const { values, start, earlier, blips, prior } = context
  const before = withoutBlips(values, Math.max(start, at - comparedRuns), at, blips)
  const after = values.subarray(at).subarray(0, comparedRuns)
  if (before.length < fewestBefore || after.length < fewestAfter) return null
  const noise = noiseOfLevels([...earlier, values.subarray(start, at), after], prior)
  const { deviation } = noise
  const levelBefore = robustLocation(before, deviation)
  const levelAfter = robustLocation(after, deviation)
  const change = levelAfter - levelBefore
  const step = { at, levelBefore, levelAfter, change, after: after.length, noise }
  if (effectOf(change) < smallestEffect) return null
  const p = robustP(step, before, after)
  const few = Math.min(before.length, after.length)
  if (p > alpha * (alphaShares.find(({ below }) => few < below)?.share ?? 1)) return null
  const bound = Math.max(few < 8 ? 1e-4 : 1e-3, 1.01 * smallestPossibleP(before.length, after.length))
  if (rankTest(before, after).p > Math.min(bound, 0.01)) return null
  if (isBlip(after, levelBefore, change)) return null
  return excursionChanceOf(context, step) <= excursionChance ? { ...step, p } : null
}

function robustP(
  { levelBefore, levelAfter, change, noise }: Omit<Step, 'p'>,
  before: Float64Array,
  after: Float64Array,
): number {
  const { deviation, autocorrelation } = noise
  const squares = clippedSquares(before, levelBefore, 3 * deviation) + clippedSquares(after, levelAfter, 3 * deviation)
  const runs = before.length + after.length - 2
  const variance = Math.max((priorRuns * deviation * deviation + squares) / (priorRuns + runs), noiseFloor ** 2)
  const spread = varianceOfMean(before.length, autocorrelation) + varianceOfMean(after.length, autocorrelation)
  const t = change / Math.sqrt(variance * spread)
  const free = autocorrelation > 0.3 ? runs / slowness(autocorrelation) : runs
  return 2 * studentTail(Math.abs(t), Math.min(60, priorRuns + free))
}

/** Two runs of three are no level: of up to five all are far from the old one, but for one of four or five. */
function isBlip(after: Float64Array, levelBefore: number, change: number): boolean {
  if (after.length > 5) return false
  const far = Array.from(after, (value) => (value - levelBefore) / change > farShare)
  return far.filter(Boolean).length < after.length - (after.length > 3 ? 1 : 0) || far.at(-1) === false
}

/**
 * Chance that runs of the old level leave it for as long as the new one lasts, from how often and for how long they,
 * and a third as much its neighbours, did so before.
 */
function excursionChanceOf({ values, start, earlier, neighbours }: StepContext, step: Omit<Step, 'p'>): number {
  const { at, change, levelBefore, noise } = step
  const half = change / 2
  const strays: Strays = { runs: 0, strays: 0, stays: 0 }
  for (const level of earlier) if (level.length >= 3) countStrays(strays, level, median(level), half)
  if (at - start >= 3) countStrays(strays, values.subarray(start, at), levelBefore, half)
  for (const residuals of neighbours()) countStrays(strays, residuals, 0, half / noise.deviation, 1 / 3)
  return chanceOfExcursion(strays, step.after)
}

/**
 * Where the new level may begin, with the probability of each place: heavy-tailed errors, slowed by autocorrelation.
 * Positions in the series.
 */
export function placesOf(step: Step, values: Float64Array, start: number): ReadonlyMap<number, number> {
  const reach = 15
  const first = step.at > start ? Math.max(start + 3, step.at - reach) : step.at
  const last = Math.min(values.length - 2, step.at + reach)
  if (last <= first) return new Map([[step.at, 1]])
  const { deviation, autocorrelation } = step.noise
  const loss = (residual: number) => 3 * Math.log1p((residual / deviation) ** 2 / 2)
  const sums = [0]
  for (let at = first; at < last; at += 1) {
    const value = values[at] ?? 0
    sums.push((sums.at(-1) ?? 0) + loss(value - step.levelBefore) - loss(value - step.levelAfter))
  }
  const least = Math.min(...sums)
  const weights = sums.map((sum) => Math.exp(-(sum - least) / 2 / slowness(autocorrelation)))
  const total = weights.reduce((sum, one) => sum + one, 0)
  return new Map(weights.map((weight, at) => [first + at, weight / total]))
}

/** The middle of the possible places. */
export function middlePlaceOf(places: ReadonlyMap<number, number>): number {
  let sum = 0
  for (const [at, share] of places) if ((sum += share) >= 0.5) return at
  throw new Error('a step without a place')
}
