import { slowness } from '../detect/series-noise'
import { robustLocation } from '../stats/robust'
import type { FollowedSeries, LastChange } from './followed-series'
import { noiseOfLevels, truncatedLoss, varianceOfMean, type LevelNoise } from './level-noise'
import { effectOf, smallestEffect, type Step } from './step'
import { bestRamp, fitLine, shortestRamp, type Ramp, type RampFit } from './straight-line'

/** Runs in which a creep is looked for. */
export const lookedAt = 170
/** A step must explain the runs better than a ramp by this much loss; more costs true steps. */
const margin = 1
const marginBesideCreep = 6
/** For each further step in one direction. */
const marginOverSteps = 12

/** Truncated loss of two levels that meet at `at`. */
export function lossOfLevels(values: Float64Array, from: number, at: number, deviation: number): number {
  const [before, after] = [values.subarray(from, at), values.subarray(at)]
  const loss = (part: Float64Array) =>
    part.length === 0 ? 0 : truncatedLoss(part, robustLocation(part, deviation), deviation)
  return loss(before) + loss(after)
}

/** The ramp that explains the runs of the level as well as the step does; null: none does. */
export function rampInstead<Alert>(series: FollowedSeries<Alert>, step: Step): RampFit | null {
  const { length, start, values, neighbours } = series
  if (step.after < 4 || length - start < 28) return null
  const from = Math.max(start, length - lookedAt)
  const { deviation } = step.noise
  let least = Infinity
  for (let at = Math.max(from + 3, step.at - 12); at < Math.min(length - 2, step.at + 13); at += 1)
    least = Math.min(least, lossOfLevels(values, from, at, deviation))
  const ramp = bestRamp(values.subarray(from), from, deviation)
  const allowed = margin + (neighbours.some((one) => one.creep !== null) ? marginBesideCreep : 0)
  if (ramp.loss > least + allowed || ramp.slope * step.change < 0 || length - ramp.from < shortestRamp) return null
  return ramp
}

/** Of autocorrelated noise a line explains much by chance: it must rise by four of its own standard errors. */
export function isCreep({ from, slope }: Ramp, length: number, { deviation, autocorrelation }: LevelNoise): boolean {
  const runs = length - from
  return Math.abs(slope) * runs > 4 * deviation * Math.sqrt((12 * slowness(autocorrelation)) / runs)
}

/** Runs between two steps that may be one creep. */
export const longestPause = 90

/** Whether a step follows the newest change so soon, and in its direction, that both may be one creep. */
export function isSecondStep<Alert>(
  { last }: FollowedSeries<Alert>,
  { at, change }: Pick<Step, 'at' | 'change'>,
): boolean {
  return last?.own != null && last.own.change * change > 0 && at - last.at < longestPause
}

/**
 * One ramp over the newest changes of one direction and what follows them in it, a step or a ramp: over all of them, else
 * over fewer; null: they are apart.
 */
export function rampOverBoth<Alert>(series: FollowedSeries<Alert>, next: Step | RampFit): Ramp | null {
  const { last, length, values } = series
  const change = 'change' in next ? next.change : next.slope
  const at = 'change' in next ? next.at : next.from
  if (last === null || !isSecondStep(series, { at, change })) return null
  const { deviation } = 'change' in next ? next.noise : series.quietNoise()
  const since = 'change' in next ? lossOfLevels(values, last.at, next.at, deviation) : next.loss
  const ramps: Ramp[] = []
  let loss = since
  let margin = 0
  for (let one: LastChange<Alert> | null = last; one !== null; one = one.earlier) {
    const from = Math.max(one.from, length - lookedAt)
    if (one.at <= from) break
    const level = values.subarray(from, one.at)
    loss += truncatedLoss(level, robustLocation(level, deviation), deviation)
    const ramp = bestRamp(values.subarray(from), from, deviation)
    margin += marginOverSteps
    const isOne = ramp.loss <= loss + margin && ramp.slope * change > 0
    if (isOne && length - ramp.from >= shortestRamp) ramps.push(ramp)
    if (one.earlier !== null && one.at - one.earlier.at >= longestPause) break
  }
  return ramps.at(-1) ?? null
}

/** What a new run says of a creep: a step beyond its trend, its end, or its trend as it is now. */
export type CreepNews =
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'end'; readonly at: number }
  | { readonly kind: 'trend'; readonly ramp: Ramp }

/** Follows a creep. */
export const followCreep = <Alert>(series: FollowedSeries<Alert>, ramp: Ramp): CreepNews =>
  followRamp(series.values, ramp, series.earlierLevels())

/** The same of logarithms, oldest first; `earlier`: of levels before it. */
export function followRamp(values: Float64Array, ramp: Ramp, earlier: readonly Float64Array[]): CreepNews {
  const { length } = values
  const runs = length - ramp.from
  const own = values.subarray(ramp.from)
  const recent = Math.max(ramp.from, length - 150)
  const about = values.subarray(recent).map((value, at) => value - ramp.base - ramp.slope * (recent + at - ramp.from))
  const noise = noiseOfLevels([about, ...earlier])
  const line = fitLine(
    Float64Array.from({ length: runs }, (_, at) => at),
    own,
    noise.deviation,
    2,
  )
  const residuals = own.map((value, at) => value - line.base - line.slope * at)
  const step = stepBeyond(residuals, noise)
  if (step !== null) return { kind: 'step', step: { ...step, at: ramp.from + step.at } }
  const end = endOf(own, line.loss, noise)
  if (end !== null) return { kind: 'end', at: ramp.from + end }
  return { kind: 'trend', ramp: { from: ramp.from, base: line.base, slope: line.slope } }
}

/** A step of the newest three to eight residuals, clearer than a step of a level must be. */
function stepBeyond(residuals: Float64Array, noise: LevelNoise): Step | null {
  const { deviation, autocorrelation } = noise
  const { length } = residuals
  for (let after = 3; after <= 8 && length - after >= 12; after += 1) {
    const before = residuals.subarray(Math.max(0, length - after - 40), length - after)
    const newest = residuals.subarray(length - after)
    const levelBefore = robustLocation(before, deviation)
    const change = robustLocation(newest, deviation) - levelBefore
    const spread = varianceOfMean(before.length, autocorrelation) + varianceOfMean(after, autocorrelation)
    const t = Math.abs(change) / (deviation * Math.sqrt(spread))
    const isFar = newest.every((value) => Math.abs(value - levelBefore) > Math.abs(change) / 2)
    if (effectOf(change) >= 1.2 * smallestEffect && t > 6.5 && isFar)
      return { at: length - after, levelBefore: 0, levelAfter: change, change, after, p: 0, noise }
  }
  return null
}

/** Where the line became flat, if that explains 9 more of its loss; null: it goes on. */
function endOf(values: Float64Array, loss: number, { deviation, autocorrelation }: LevelNoise): number | null {
  const { length } = values
  let [best, end] = [Infinity, 0]
  const stride = Math.max(1, Math.floor(length / 25))
  for (let at = Math.max(12, Math.floor(length / 3)); at < length - 9; at += stride) {
    const line = fitLine(
      values.map((_, run) => Math.min(run, at)),
      values,
      deviation,
      2,
    )
    if (line.loss < best) [best, end] = [line.loss, at]
  }
  return (loss - best) / slowness(autocorrelation) > 9 ? end : null
}
