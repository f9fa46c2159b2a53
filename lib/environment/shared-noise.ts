import { clip, median, robustLocation } from '../stats/robust'
import { nearestRun } from './common-shift'
import type { FollowedSeries } from './followed-series'
import { farShare, findStep, type Step } from './step'

/** A step found so has this many runs at least. */
const fewestAfter = 4
/** A neighbour's residuals say something from this many runs on. */
const fewestRuns = 8

/**
 * A step in what remains of a series when the noise that it shares with its neighbours, night by night, is taken off;
 * null: none, or they share none. In the values themselves it must have the same direction, and 0.4 of its size: else
 * it is a neighbour's.
 */
export function withoutShared<Alert>(series: FollowedSeries<Alert>): Step | null {
  const { length, start, values, creep, neighbours } = series
  if (creep !== null || length - start < 14 || neighbours.length < 2) return null
  const { deviation } = series.quietNoise()
  const own = values.subarray(start)
  const before = own.subarray(0, -fewestAfter).subarray(-40)
  const newest = own.subarray(-fewestAfter).reduce((sum, value) => sum + value, 0) / fewestAfter
  if (Math.abs(newest - robustLocation(before, deviation)) < 0.6 * deviation) return null
  const shared = sharedByNight(series)
  if (shared === null) return null
  const share = shareOfNoise(own, shared, deviation)
  if (share === null) return null
  const left = values.slice()
  shared.forEach((one, at) => (left[start + at] = (left[start + at] ?? 0) - share * (one ?? 0)))
  const step = findStep({ ...series.stepContext(), values: left, earlier: [], blips: new Set() })
  if (step === null || step.after < fewestAfter) return null
  const change = median(values.subarray(step.at)) - median(values.subarray(start, step.at))
  return change * step.change > 0 && Math.abs(change) > farShare * Math.abs(step.change) ? step : null
}

/** Median residual of the neighbours at each run of the level, null where few ran; null: the newest run has none. */
function sharedByNight<Alert>({ neighbours, times, start }: FollowedSeries<Alert>): readonly (number | null)[] | null {
  const known = neighbours.flatMap((one) => {
    const level = one.values.subarray(one.start)
    if (level.length < fewestRuns || one.creep !== null) return []
    const centre = robustLocation(level, one.noise().deviation)
    return [{ times: one.times.slice(one.start), residuals: level.map((value) => value - centre) }]
  })
  if (known.length < 2) return null
  const needed = Math.max(2, Math.floor(known.length / 2))
  const shared = times.slice(start).map((time) => {
    const there = known.flatMap((one) => {
      const at = nearestRun(one.times, time)
      return at === null ? [] : (one.residuals[at] ?? [])
    })
    return there.length >= needed ? median(there) : null
  })
  const count = shared.filter((one) => one !== null).length
  return shared.at(-1) !== null && count >= 14 ? shared : null
}

/**
 * How much of the shared noise this series has, between neighbouring runs, so that a step counts little; null: taking
 * it off does not make the series much quieter.
 */
function shareOfNoise(own: Float64Array, shared: readonly (number | null)[], deviation: number): number | null {
  const known = shared.flatMap((one, at) => (one === null ? [] : [{ own: own[at] ?? 0, shared: one }]))
  const steps = known.slice(1).map((one, at) => ({
    own: clip(one.own - (known[at]?.own ?? 0), 4 * deviation),
    shared: one.shared - (known[at]?.shared ?? 0),
  }))
  const squares = steps.reduce((sum, one) => sum + one.shared ** 2, 0)
  if (squares <= 0) return null
  const products = steps.reduce((sum, one) => sum + one.own * one.shared, 0)
  const share = Math.min(1.2, Math.max(0, products / squares))
  const left = steps.reduce((sum, one) => sum + (one.own - share * one.shared) ** 2, 0)
  return left > 0.6 * steps.reduce((sum, one) => sum + one.own ** 2, 0) ? null : share
}
