import type { DetectorSettings } from '../detect/change-points'
import { driftRuns, findDrift, type Drift } from '../detect/drift'
import { slowness } from '../detect/series-noise'
import { followRamp, isCreep, lookedAt, lossOfLevels, longestPause } from '../environment/creep'
import { noiseOfLevels, truncatedLoss, varianceOfMean, type LevelNoise } from '../environment/level-noise'
import { bestRamp, fitLine, shortestRamp, type RampFit } from '../environment/straight-line'
import { studentTail } from '../stats/distributions'
import { rankTest } from '../stats/rank-test'
import { median, robustLocation } from '../stats/robust'

/** A level that creeps up to the newest value: a straight line explains it as well as steps do. */
export interface Creep {
  /** Position of its first value. */
  readonly from: number
  /** The line there and at the newest value, in the unit of the values. */
  readonly before: number
  readonly after: number
  readonly pRobust: number
  readonly pRank: number
}

/** The line along which another metric of the same runs creeps, in the values of this one. */
export interface LineBeside {
  /** Position of the first value on it. */
  readonly from: number
  /** Logarithm by which it rises with each value; 0: it says nothing of this metric. */
  readonly slope: number
}

/** A change that the detector finds. */
export interface PlacedStep {
  readonly index: number
  /** Logarithm. */
  readonly change: number
  /** Its alert is open, or it was found just now. */
  readonly isOpen: boolean
  readonly isFresh: boolean
}

/** What is known of a creep that began at `from`: it goes on, it ended at a place, or one step explains it better. */
export type FollowedCreep =
  | { readonly kind: 'lasts'; readonly creep: Creep; readonly stepAt: number | null }
  | { readonly kind: 'ended'; readonly at: number }
  | { readonly kind: 'step' }

/** What a line may lose against one step, which it must beat, against several in one direction, and if another metric creeps. */
const allowedLoss = { one: -8, several: 10, beside: 7 }
/** A single step must be this much clearer than the line to be one after all. */
const clearStep = 9
/** With fewer values since a step, or in all, it is believed at once. */
const fewestAfter = 4
const fewestInAll = 28

/**
 * Whether the values creep up to the newest one, by a line that explains them as well as the newest steps of one
 * direction do. `wait`: a line explains the newest step, but does not rise enough to be a creep. `start`: nothing before
 * it belongs to a creep. `isBeside`: another metric of the same runs creeps.
 */
export function findCreep(
  values: readonly number[],
  steps: readonly PlacedStep[],
  options: {
    readonly start: number
    /** The newest change, found now or not: a step in doubt is no drift. */
    readonly since: number
    readonly isBeside: boolean
    readonly settings: DetectorSettings
  },
): Creep | 'wait' | null {
  const { start, since, isBeside, settings } = options
  if (values.length - start < fewestInAll || values.some((value) => value <= 0)) return null
  const logs = Float64Array.from(values, Math.log)
  const own = steps.filter(({ index }) => index >= start)
  const last = own.at(-1)
  const drift = findDrift(values.slice(since), settings)
  const direction = Math.sign(drift === null ? (last?.change ?? 0) : Math.log1p(drift.effectRatio))
  const chain = chainOf(own, direction, logs.length)
  for (const [at, first] of chain.entries()) {
    const before = own[own.indexOf(first) - 1]?.index ?? start
    const isSeveral = chain.length - at > 1 || drift !== null
    const found = rampOver(logs, Math.max(before, logs.length - lookedAt), chain.slice(at), { isSeveral, isBeside })
    if (found === null || found.ramp.slope * direction <= 0) continue
    if (isCreep(found.ramp, logs.length, found.noise)) return creepOf(logs, found.ramp, found.noise)
    if (first.isFresh && !isSeveral) return 'wait'
  }
  return drift && creepOfDrift(logs, since, drift)
}

/** A drift since the last change, from where its line begins to rise if that is clear. */
function creepOfDrift(logs: Float64Array, from: number, { levelBefore, levelAfter, pRobust, pRank }: Drift): Creep {
  const own = logs.subarray(from)
  const noise = noiseOfLevels([withoutTrend(own)])
  const ramp = bestRamp(own, from, noise.deviation)
  if (ramp.from > from && isCreep(ramp, logs.length, noise)) return creepOf(logs, ramp, noise)
  return { from, before: levelBefore, after: levelAfter, pRobust, pRank }
}

/** The newest steps of one direction, each soon after the one before it; none if the newest is of the other one. */
function chainOf(steps: readonly PlacedStep[], direction: number, length: number): readonly PlacedStep[] {
  const chain: PlacedStep[] = []
  let next = length
  for (const one of steps.toReversed()) {
    if (!one.isOpen || one.change * direction <= 0 || next - one.index >= longestPause) break
    chain.unshift(one)
    next = one.index
  }
  return chain
}

/** The ramp that explains the values from `from` on as well as these steps do; null: none does. */
function rampOver(
  logs: Float64Array,
  from: number,
  steps: readonly PlacedStep[],
  { isSeveral, isBeside }: { readonly isSeveral: boolean; readonly isBeside: boolean },
): { readonly ramp: RampFit; readonly noise: LevelNoise } | null {
  const { length } = logs
  const [first, other] = steps
  if (first === undefined || first.index <= from + 3) return null
  if (length - from < fewestInAll || length - (steps.at(-1)?.index ?? 0) < fewestAfter) return null
  if (!first.isFresh && !isSeveral && !isBeside) return null
  const places = [from, ...steps.map(({ index }) => index), length]
  const levels = places.slice(1).map((end, at) => logs.subarray(places[at], end))
  const noise = noiseOfLevels(levels)
  const { deviation } = noise
  const loss =
    other === undefined
      ? leastLoss(logs, from, first.index, deviation)
      : levels.reduce((sum, one) => sum + truncatedLoss(one, robustLocation(one, deviation), deviation), 0)
  const ramp = bestRamp(logs.subarray(from), from, deviation)
  const allowed = isSeveral ? allowedLoss.several : isBeside ? allowedLoss.beside : allowedLoss.one
  return ramp.loss <= loss + allowed && length - ramp.from >= shortestRamp ? { ramp, noise } : null
}

/** Of two levels that meet near `place`. */
function leastLoss(logs: Float64Array, from: number, place: number, deviation: number): number {
  let least = Infinity
  for (let at = Math.max(from + 3, place - 12); at < Math.min(logs.length - 2, place + 13); at += 1)
    least = Math.min(least, lossOfLevels(logs, from, at, deviation))
  return least
}

function creepOf(
  logs: Float64Array,
  { from, base, slope }: { readonly from: number; readonly base: number; readonly slope: number },
  { deviation, autocorrelation }: LevelNoise,
): Creep {
  const runs = logs.length - from
  const rise = slope * (runs - 1)
  const t = (slope * runs) / (deviation * Math.sqrt((12 * slowness(autocorrelation)) / runs))
  const own = logs.subarray(from)
  return {
    from,
    before: Math.exp(base),
    after: Math.exp(base + rise),
    pRobust: 2 * studentTail(Math.abs(t), runs),
    pRank: rankTest(own.subarray(0, driftRuns.first), own.subarray(-driftRuns.newest)).p,
  }
}

/**
 * A creep that began at `from`, by the values up to the newest one. `beyond`: known steps beyond its trend, which are
 * taken off; `within`: positions of the steps that it seems to have. `stepAt`: a step beyond the trend, among the newest.
 */
export function followCreep(
  values: readonly number[],
  from: number,
  { beyond, within }: { readonly beyond: readonly PlacedStep[]; readonly within: readonly number[] },
): FollowedCreep {
  const logs = Float64Array.from(values, Math.log)
  for (const step of beyond) {
    const change = changeBeyond(logs, from, step)
    for (let at = step.index; at < logs.length; at += 1) logs[at] = (logs[at] ?? 0) - change
  }
  const own = logs.subarray(from)
  const noise = noiseOfLevels([withoutTrend(own)])
  const line = fitLine(
    own.map((_, at) => at),
    own,
    noise.deviation,
    3,
  )
  const [step, other] = within
  if (step !== undefined && other === undefined && logs.length - step >= fewestAfter) {
    const loss = leastLoss(own, 0, step - from, noise.deviation)
    if (loss + clearStep * slowness(noise.autocorrelation) < line.loss) return { kind: 'step' }
  }
  const ramp = { ...line, from }
  const news = followRamp(logs, ramp, [logs.subarray(Math.max(0, from - noiseRuns), from)])
  if (news.kind === 'end') return { kind: 'ended', at: news.at }
  return { kind: 'lasts', creep: creepOf(logs, ramp, noise), stepAt: news.kind === 'step' ? news.step.at : null }
}

/** Values before a step that say where it began, and what it must be for it to go beyond a line. */
const [runsBeforeStep, clearBeyond, largeBeyond] = [40, 6.5, 1.2]

/**
 * Whether a step goes beyond the line along which another metric creeps: clearer and larger than a step of a level must
 * be. `start`: the level before it; `until`: the next step, else the end.
 */
export function isBeyondLine(
  values: readonly number[],
  { from, slope }: LineBeside,
  { index, start, until }: { readonly index: number; readonly start: number; readonly until: number },
  { minEffect }: DetectorSettings,
): boolean {
  const logs = Float64Array.from(values, (value, at) => Math.log(value) - slope * Math.max(0, at - from))
  const before = logs.subarray(Math.max(start, index - runsBeforeStep), index)
  const after = logs.subarray(index, until)
  if (before.length < 3 || after.length === 0) return true
  const { deviation, autocorrelation } = noiseOfLevels([before, after])
  const change = robustLocation(after, deviation) - robustLocation(before, deviation)
  const spread = varianceOfMean(before.length, autocorrelation) + varianceOfMean(after.length, autocorrelation)
  if (change * slope <= 0 || Math.abs(change) < largeBeyond * Math.log1p(minEffect)) return false
  return Math.abs(change) > clearBeyond * deviation * Math.sqrt(spread)
}

/** By how much a step goes beyond the trend before it. The change of levels holds a part of the trend. */
function changeBeyond(logs: Float64Array, from: number, { index, change }: PlacedStep): number {
  const own = logs.subarray(from, index)
  if (own.length < fewestOfTrend) return change
  const { deviation } = noiseOfLevels([withoutTrend(own)])
  const x = own.map((_, at) => at)
  const line = fitLine(x, own, deviation, 3)
  const since = logs.subarray(index, index + runsOfStep)
  return median(since.map((value, at) => value - line.base - line.slope * (own.length + at)))
}

const fewestOfTrend = 12
const runsOfStep = 8

/** Values before a creep that say something of its noise. */
const noiseRuns = 60

/** Without the slope between the levels of the outer thirds. */
function withoutTrend(values: Float64Array): Float64Array {
  const third = Math.max(1, Math.floor(values.length / 3))
  const [first, last] = [median(values.subarray(0, third)), median(values.subarray(-third))]
  const slope = (last - first) / Math.max(1, values.length - third)
  return values.map((value, at) => value - slope * at)
}
