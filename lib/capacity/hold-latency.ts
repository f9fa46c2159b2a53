import { studentQuantile } from '../stats/distributions'
import { risingValues } from '../stats/isotonic'
import { median } from '../stats/robust'
import { errorOfSide, type HeldLevels, type Place } from './held-levels'
import type { Level } from './levels'
import { latencyQuantiles, type LatencyMetric } from './objective'

/** How much a level's log latency differs from run to run before repeats tell more, and the weight of that. */
const assumed = { deviation: 0.1, freedom: 4 }
/** A larger deviation between runs is not believed. */
const maxDeviation = 0.35
/** Repeats farther from the limit than this tell of a queue that grows, not of the noise near it. */
const nearFactor = 4
const minNearFreedom = 3
/** A system's own speed differs from run to run; this matters where the curve is steep. */
const speedDeviation = 0.015
const maxSlope = 6
const slopeOfOne = 2
/** Levels that a mean takes in, itself included. */
const maxPooled = 3

/** Holds the levels of a sweep against a limit of a latency. At least one run has the metric. */
export function holdLatency(levels: readonly Level[], metric: LatencyMetric, limitMs: number): HeldLevels {
  const limit = Math.log(limitMs)
  const logs = levels.map(({ runs }) =>
    runs.flatMap(({ latencyMs: { [metric]: ms } }) => (ms !== undefined && ms > 0 ? [Math.log(ms)] : [])),
  )
  const { deviation, freedom } = deviationOf(logs, limit)
  const t = studentQuantile(errorOfSide, freedom)
  const known = logs.flatMap((values, at) => (values.length > 0 ? [{ at, mean: meanOf(values), values }] : []))
  const rising = risingValues(
    known.map(({ mean }) => mean),
    known.map(({ values }) => values.length),
  )
  const risingAt = new Map(known.map(({ at }, index) => [at, rising[index] ?? 0]))
  const measured = known.map(({ at, mean, values }): Measured => {
    const slope = slopeBelow(levels, risingAt, at)
    const own = deviation ** 2 + (Math.min(slope, maxSlope) * speedDeviation) ** 2
    return { at, mean, variance: own / values.length + fewVariance(metric, requestsAt(levels[at])) }
  })
  const each = <T>(valueOf: (index: number, one: Measured) => T, otherwise: T): T[] =>
    levels.map((_, level) => {
      const index = measured.findIndex(({ at }) => at === level)
      const one = measured[index]
      return one === undefined ? otherwise : valueOf(index, one)
    })
  const typical = median(levels.flatMap(({ runs }) => runs.flatMap(({ requests }) => requests ?? [])))
  const ofOne = Math.sqrt(
    deviation ** 2 + fewVariance(metric, Number.isNaN(typical) ? 1 : typical) + (slopeOfOne * speedDeviation) ** 2,
  )
  return {
    ...{ name: metric, limit: limitMs, isShare: false },
    places: each((index) => placeAmong(measured, index, t, limit), 'unsure'),
    alone: each((_, one) => placeOf(one, t, limit), 'unsure'),
    rising: levels.map((_, at) => (risingAt.has(at) ? Math.exp(risingAt.get(at) ?? 0) : null)),
    values: each((_, { mean, variance }) => {
      const half = t * Math.sqrt(variance)
      return { value: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half) }
    }, null),
    margin: (runs) => ((t + 1) * ofOne) / Math.sqrt(runs),
  }
}

/** A level that has the metric: mean of its log latencies and the variance of that mean. */
interface Measured {
  readonly at: number
  readonly mean: number
  readonly variance: number
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

const requestsAt = (level: Level | undefined): number =>
  (level?.runs ?? []).reduce((sum, { requests }) => sum + (requests ?? 0), 0)

/** The deviation of log latencies between runs of one load, and the degrees of freedom behind it. */
function deviationOf(logs: readonly (readonly number[])[], limit: number) {
  const repeated = logs.filter(({ length }) => length > 1)
  const freedomOf = (some: typeof logs) => some.reduce((sum, { length }) => sum + length - 1, 0)
  const near = repeated.filter((values) => Math.abs(meanOf(values) - limit) < Math.log(nearFactor))
  const used = freedomOf(near) >= minNearFreedom ? near : repeated
  const squares = used.reduce((sum, values) => {
    const mean = meanOf(values)
    return sum + values.reduce((own, value) => own + (value - mean) ** 2, 0)
  }, 0)
  const freedom = assumed.freedom + freedomOf(used)
  const deviation = Math.sqrt((assumed.freedom * assumed.deviation ** 2 + squares) / freedom)
  return { deviation: Math.min(maxDeviation, deviation), freedom }
}

/** Variance of a log quantile of so many requests with an exponential tail. */
function fewVariance(metric: LatencyMetric, requests: number): number {
  const q = latencyQuantiles[metric]
  return (q * (1 - q)) / Math.max(1, requests) / ((1 - q) * -Math.log(1 - q)) ** 2
}

/** d ln latency / d ln load from the level below; 0 without one. */
function slopeBelow(levels: readonly Level[], rising: ReadonlyMap<number, number>, at: number): number {
  const [below, above, from, to] = [levels[at - 1], levels[at], rising.get(at - 1), rising.get(at)]
  if (below === undefined || above === undefined || from === undefined || to === undefined) return 0
  return (to - from) / Math.log(above.load / below.load)
}

function placeOf({ mean, variance }: Pick<Measured, 'mean' | 'variance'>, t: number, limit: number): Place {
  const half = t * Math.sqrt(variance)
  return mean + half < limit ? 'inside' : mean - half > limit ? 'outside' : 'unsure'
}

/** Latency rises with load, so a level's mean with those above bounds it from above, with those below from below. */
function placeAmong(measured: readonly Measured[], index: number, t: number, limit: number): Place {
  const reach = Array.from({ length: maxPooled }, (_, step) => step)
  const { at = 0 } = measured[index] ?? {}
  const within = (from: number, to: number) => pooled(measured.filter((one) => one.at >= from && one.at <= to))
  const isInside = reach.some((step) => placeOf(within(at, at + step), t, limit) === 'inside')
  const isOutside = reach.some((step) => placeOf(within(at - step, at), t, limit) === 'outside')
  return isInside === isOutside ? 'unsure' : isInside ? 'inside' : 'outside'
}

function pooled(some: readonly Measured[]): Pick<Measured, 'mean' | 'variance'> {
  const weight = some.reduce((sum, { variance }) => sum + 1 / variance, 0)
  return { mean: some.reduce((sum, { mean, variance }) => sum + mean / variance, 0) / weight, variance: 1 / weight }
}
