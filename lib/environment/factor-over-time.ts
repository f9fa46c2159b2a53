import { studentQuantile } from '../stats/distributions'
import { robustLocation } from '../stats/robust'
import { commonFactor, moveTogether, sharedHours } from './common-shift'
import { noiseOfLevels, usualPrior, varianceOfMean } from './level-noise'
import { follow, type StoredSeries } from './why-it-changed'

/** What the series of an environment did together in the runs of a few hours, against its first runs. */
export interface FactorAt {
  /** Of the first of these runs: s. */
  readonly time: number
  /** 2: everything takes twice as long; with its 95 % interval. */
  readonly factor: number
  readonly low: number
  readonly high: number
  /** Series that ran. */
  readonly series: number
  /** Of the controls alone; null: none ran. */
  readonly control: number | null
}

/** Runs about a level that is their series' own: without what the environment and commits did before. */
interface Levelled {
  readonly id: string
  readonly isControl: boolean
  readonly deviation: number
  readonly autocorrelation: number
  readonly times: readonly number[]
  /** Logarithms; 0: as the first runs of the environment. */
  readonly residuals: readonly number[]
}

/** A level that begins this close to a shift is the shift's: s. */
const sameShift = 36 * 3_600
/** Shorter levels are not known. */
const fewestRuns = 3

/**
 * The common factor of an environment over time: at each night, the robust middle of how far its series are from their
 * own levels. `shifts`: when the environment itself moved, s. Steps that belong to one series are taken off. Oldest
 * first; empty without runs.
 */
export function factorOverTime(stored: readonly StoredSeries[], shifts: readonly number[]): readonly FactorAt[] {
  const jumps = factorsOfShifts(
    stored,
    shifts.toSorted((a, b) => a - b),
  )
  const levelled = stored.flatMap((one) => levelledOf(one, jumps))
  return nightsOf(
    levelled,
    jumps.map(({ time }) => time),
  ).map((from) => factorAt(levelled, from, nightEnd(from, jumps)))
}

interface Jump {
  readonly time: number
  /** Since then, against the first runs: logarithm. */
  readonly factor: number
}

/** By how much the environment moved in all, at each shift: of runs between the shifts on both sides. */
function factorsOfShifts(stored: readonly StoredSeries[], shifts: readonly number[]): readonly Jump[] {
  let factor = 0
  return shifts.map((time, at) => {
    const next = shifts[at + 1] ?? Infinity
    const known = stored.map((one) => ({ ...one, runs: one.runs.filter((run) => run.time < next) }))
    factor += moveTogether(follow(known, { time }), time, { least: fewestRuns }).factor
    return { time, factor }
  })
}

const jumpBefore = (jumps: readonly Jump[], time: number): number =>
  jumps.findLast((jump) => jump.time <= time)?.factor ?? 0

function levelledOf({ place, runs, levels }: StoredSeries, jumps: readonly Jump[]): readonly Levelled[] {
  if (runs.length < fewestRuns) return []
  const times = runs.map(({ time }) => time)
  const values = Float64Array.from(runs, ({ value, time }) => Math.log(value) - jumpBefore(jumps, time))
  const isOwn = (level: number) => jumps.every(({ time }) => Math.abs(time - level) > sameShift)
  const bounds = [...new Set(levels.filter(isOwn).map((level) => times.findIndex((time) => time >= level)))]
  const starts = [0, ...bounds.filter((at) => at > 0).toSorted((a, b) => a - b), values.length]
  const parts = starts.slice(1).map((end, at) => values.subarray(starts[at], end))
  const noise = noiseOfLevels(parts, usualPrior)
  const residuals = parts.flatMap((part) => {
    const level = robustLocation(part, noise.deviation)
    return Array.from(part, (value) => value - level)
  })
  const shifted = residuals.map((one, at) => one + jumpBefore(jumps, times[at] ?? 0))
  return [{ id: place.id, isControl: place.isControl, ...noise, times, residuals: shifted }]
}

/** First times of the nights: runs within six hours, and on one side of each shift, are one. */
function nightsOf(all: readonly Levelled[], shifts: readonly number[]): readonly number[] {
  const times = all.flatMap((one) => one.times).toSorted((a, b) => a - b)
  const nights: number[] = []
  for (const time of times) {
    const first = nights.at(-1)
    const isNew = first === undefined || time - first >= sharedHours
    if (isNew || shifts.some((shift) => first < shift && shift <= time)) nights.push(time)
  }
  return nights
}

const nightEnd = (from: number, jumps: readonly Jump[]): number =>
  Math.min(from + sharedHours, ...jumps.flatMap(({ time }) => (time > from ? time : [])))

function factorAt(all: readonly Levelled[], from: number, to: number): FactorAt {
  const moves = all.flatMap((one) => {
    const own = one.residuals.filter((_, at) => {
      const time = one.times[at] ?? 0
      return time >= from && time < to
    })
    if (own.length === 0) return []
    const standardError = one.deviation * Math.sqrt(varianceOfMean(own.length, one.autocorrelation))
    return [{ change: robustLocation(own, one.deviation), standardError, isControl: one.isControl }]
  })
  const factor = commonFactor(moves)
  const controls = moves.filter(({ isControl }) => isControl)
  const reach = reachOf(moves, factor)
  return {
    time: from,
    factor: Math.exp(factor),
    low: Math.exp(factor - reach),
    high: Math.exp(factor + reach),
    series: moves.length,
    control: controls.length === 0 ? null : Math.exp(commonFactor(controls)),
  }
}

/** Half of the 95 % interval of the common factor: by the noise of its series, or by how differently they answer. */
function reachOf(
  moves: readonly { readonly change: number; readonly standardError: number }[],
  factor: number,
): number {
  const count = moves.length
  // The variance of a median is π/2 times that of a mean.
  const ofMedian = Math.sqrt(count > 2 ? Math.PI / 2 : 1)
  const noise = 1.96 / Math.sqrt(moves.reduce((sum, { standardError }) => sum + 1 / standardError ** 2, 0))
  const squares = moves.reduce((sum, { change }) => sum + (change - factor) ** 2, 0)
  const spread = count < 2 ? 0 : studentQuantile(0.025, count - 1) * Math.sqrt(squares / ((count - 1) * count))
  return ofMedian * Math.max(noise, spread)
}
