import { alertSettings, findChangePoints, type DetectorSettings } from './change-points'
import { studentQuantile, studentTail } from '../stats/distributions'
import { clippedSquares, median, robustLocation } from '../stats/robust'
import { pooledNoise } from './series-noise'

/** How the newest runs stand to the runs before them. Effects are relative: 0.1 is +10 %. */
export interface NewestCheck {
  /**
   * too-few: fewer than 5 runs before; `shifted` then only says that the difference is beyond what noise of typical
   * size explains, and the run should be repeated. judged: against the current level of the series and its noise.
   */
  readonly kind: 'first' | 'too-few' | 'judged'
  /** Beyond the interval, over the floor, and rare among the recent runs. */
  readonly shifted: 'up' | 'down' | null
  /** Runs before that it was compared with. */
  readonly before: number
  /** Typical value before (median or robust mean); null for a first run. */
  readonly level: number | null
  readonly value: number
  readonly effectRatio: number | null
  /** Where a run of the old level would have fallen, 95 %; null where the noise is unknown. */
  readonly expectedLow: number | null
  readonly expectedHigh: number | null
  readonly p: number | null
}

const minJudged = 5
const alpha = 5e-4
const priorRuns = 6
const comparedRuns = 60
/** With little history: the smallest difference worth a word, and how many noises it must be. */
const relativeFloor = 0.2
const noises = 4
/** Share of recent runs that may be as far off before a newcomer counts as one of them. */
const extremeShare = 0.02

/**
 * Is the newest run (or the median of the newest `count`, repeats of one experiment) outside what the series' current
 * level and noise predict? A robust t prediction interval; it flags, it does not alert: one run proves little.
 * `noise`: relative noise of one run elsewhere in the environment, for a series without history. Values are positive.
 */
export function checkNewest(
  series: readonly number[],
  {
    count = 1,
    settings = alertSettings,
    noise = 0.05,
  }: { count?: number; settings?: DetectorSettings; noise?: number } = {},
): NewestCheck {
  const history = series.slice(0, series.length - count)
  const value = median(series.slice(series.length - count))
  const nothing = {
    level: null,
    effectRatio: null,
    expectedLow: null,
    expectedHigh: null,
    p: null,
    shifted: null,
  } as const
  if (history.length === 0) return { kind: 'first', before: 0, value, ...nothing }
  if ([...series].some((one) => one <= 0))
    return { kind: 'too-few', before: history.length, value, ...nothing, level: median(history) }
  const since = findChangePoints(history, settings).at(-1)?.index ?? 0
  const segment = Float64Array.from(history.slice(since).slice(-comparedRuns), Math.log)
  return history.length < minJudged || segment.length < 3
    ? withLittleHistory(history, value, Math.max(relativeFloor, noises * noise))
    : judged(history, since, segment, value, count, settings)
}

function withLittleHistory(history: readonly number[], value: number, minRatio: number): NewestCheck {
  const level = median(history)
  const effectRatio = value / level - 1
  const far = Math.max(value / level, level / value) - 1 >= minRatio
  return {
    kind: 'too-few',
    shifted: far ? (effectRatio > 0 ? 'up' : 'down') : null,
    before: history.length,
    level,
    value,
    effectRatio,
    expectedLow: null,
    expectedHigh: null,
    p: null,
  }
}

function judged(
  history: readonly number[],
  since: number,
  segment: Float64Array,
  value: number,
  count: number,
  settings: DetectorSettings,
): NewestCheck {
  const logs = Float64Array.from(history, Math.log)
  const noise = pooledNoise([logs.subarray(0, since), logs.subarray(since)].filter((part) => part.length > 0))
  const centre = robustLocation(segment, noise)
  const freedom = priorRuns + segment.length - 1
  const variance = (priorRuns * noise * noise + clippedSquares(segment, centre, 3 * noise)) / freedom
  const error = Math.sqrt(variance * (1 / count + 1 / segment.length))
  const difference = Math.log(value) - centre
  const p = 2 * studentTail(Math.abs(difference / error), freedom)
  const asFar = segment.filter((one) => Math.abs(one - centre) >= Math.abs(difference)).length
  const effectRatio = Math.expm1(difference)
  const large = Math.max(Math.abs(effectRatio), Math.abs(Math.expm1(-difference))) >= settings.minEffect
  const rare = asFar <= extremeShare * segment.length
  const reach = studentQuantile(0.025, freedom) * error
  return {
    kind: 'judged',
    shifted: p < alpha && large && rare ? (difference > 0 ? 'up' : 'down') : null,
    before: segment.length,
    level: Math.exp(centre),
    value,
    effectRatio,
    expectedLow: Math.exp(centre - reach),
    expectedHigh: Math.exp(centre + reach),
    p,
  }
}
