import { plural } from '../format'
import type { LoadProfile } from '../history/series'
import type { SeriesPoint } from '../history/stored-series'
import { trendPoints } from '../levels/points'
import { isBarred } from '../run/guard'
import type { MetricJudgement, RunJudgement } from '../run/judgement'
import { findMetric, type Metric } from '../run/metrics'
import { median } from '../stats/robust'
import type { WatchedMetric } from '../rules/rules'

/** Repeats of a commit that settle an unusual run. */
export const settlingRepeats = 3
/** The most that a build may ask for. */
export const mostRepeats = 6
/** Deviations of a run beyond which it is run again, and of its repeats up to which they leave a doubt. */
const doubt = { from: 2, to: 3 }

/** A metric of a run that is off, on a side that is not better. */
export interface OffMetric {
  readonly metric: Metric
  /** From its level. */
  readonly effectRatio: number
  /** Of one run; null: a share, whose runs have none. */
  readonly deviations: number | null
}

/** A commit whose first run was off, as its repeats show it. */
export interface Repeats {
  /** Without the run that was off: it was chosen for being so, and would count twice. */
  readonly profile: LoadProfile
  /** Of the newest run, by the median of the repeats. */
  readonly judgement: RunJudgement
  /** Number of repeats that are missing; 0: they decide. */
  readonly missing: number
  readonly off: OffMetric
}

/** Repeats of its commit that would settle an unusual run; null: it is not, or they have been made. */
export function repeatsLeft({ state, metricId, metrics, runs }: RunJudgement): number | null {
  const leading = metrics.find((one) => one.metricId === metricId)
  if (state !== 'unusual' || leading?.state !== 'unusual' || leading.side === 'better') return null
  return runs > settlingRepeats ? null : settlingRepeats + 1 - runs
}

/** `3 more runs settle it`. */
export const repeatsWords = (missing: number): string =>
  `${plural(missing, 'more run')} ${missing === 1 ? 'settles' : 'settle'} it`

interface Asked {
  readonly profile: LoadProfile
  /** Of its newest run. */
  readonly judgement: RunJudgement
  readonly watched: readonly WatchedMetric[]
  /** The most repeats that are asked for: `settlingRepeats` to `mostRepeats`. */
  readonly most: number
}

/** Whether the newest commit of a profile has to be run again. Null: its first run is as expected, or all is certain. */
export function repeatsOf({ profile, judgement, watched, most }: Asked): Repeats | null {
  const [first, ...repeats] = newestExperiment(profile)
  // A change of level that its runs belong to is certain.
  if (first === undefined || judgement.metrics.some(({ change }) => change !== null)) return null
  const off = watched.flatMap((one) => offBy(one, judgement, [first]) ?? [])
  const [farthest] = [...off].sort((a, b) => (b.deviations ?? Infinity) - (a.deviations ?? Infinity))
  if (farthest === undefined) return null
  const doubtful = watched.some((one) => {
    const left = offBy(one, judgement, repeats)?.deviations ?? null
    return left !== null && left <= doubt.to
  })
  const wanted = repeats.length >= settlingRepeats && doubtful ? most : settlingRepeats
  return {
    profile: { ...profile, points: profile.points.filter(({ runId }) => runId !== first.runId) },
    judgement: judgedBy(judgement, repeats),
    missing: Math.max(0, wanted - repeats.length),
    off: farthest,
  }
}

function newestExperiment(profile: LoadProfile): readonly SeriesPoint[] {
  const metric = findMetric('requests-per-second')
  const ids = new Set(metric === null ? [] : (trendPoints(profile, metric).at(-1)?.runIds ?? []))
  return profile.points.filter(({ runId }) => ids.has(runId))
}

/** How far the median of runs is off in a metric, beyond the smallest effect; null: it is not. */
function offBy(
  { metricId, minEffect }: WatchedMetric,
  { metrics }: RunJudgement,
  runs: readonly SeriesPoint[],
): OffMetric | null {
  const metric = findMetric(metricId)
  const judged = metrics.find((one) => one.metricId === metricId)
  const value = metric && medianOf(metric, runs)
  if (metric === null || value === null || judged?.level == null || judged.level <= 0 || value <= 0) return null
  if (sideOf(metric, value, judged.level) === 'better') return null
  const effectRatio = value / judged.level - 1
  if (judged.noiseRatio === null) return isOutside(judged, value) ? { metric, effectRatio, deviations: null } : null
  const distance = Math.abs(Math.log(value / judged.level))
  const deviations = distance / judged.noiseRatio
  return distance > Math.log1p(minEffect) && deviations > doubt.from ? { metric, effectRatio, deviations } : null
}

function medianOf(metric: Metric, runs: readonly SeriesPoint[]): number | null {
  const values = runs.flatMap(({ guards, figures }) =>
    isBarred(guards, metric.id) ? [] : (metric.read(figures) ?? []),
  )
  return values.length === 0 ? null : median(values)
}

function sideOf({ direction }: Metric, value: number, level: number): 'worse' | 'better' | 'neutral' {
  if (direction === 'neutral') return 'neutral'
  return value > level === (direction === 'higher-is-better') ? 'better' : 'worse'
}

const isOutside = ({ expectedLow, expectedHigh }: MetricJudgement, value: number): boolean =>
  (expectedLow !== null && value < expectedLow) || (expectedHigh !== null && value > expectedHigh)

/** The same judgement with the medians of other runs as its values, held against the same levels. */
function judgedBy(judgement: RunJudgement, runs: readonly SeriesPoint[]): RunJudgement {
  if (runs.length === 0) return judgement
  const metrics = judgement.metrics.map((judged): MetricJudgement => {
    const metric = findMetric(judged.metricId)
    const value = metric && medianOf(metric, runs)
    if (metric === null || value === null || judged.level === null || judged.expectedHigh === null) return judged
    if (judged.state !== 'unusual' && judged.state !== 'as-expected') return judged
    const isOff = isOutside(judged, value)
    const scale = judged.effectRatio === null || judged.value <= 0 ? null : value / judged.value
    const moved = (effect: number | null) => (effect === null || scale === null ? null : (1 + effect) * scale - 1)
    return {
      ...judged,
      value,
      state: isOff ? 'unusual' : 'as-expected',
      side: isOff ? sideOf(metric, value, judged.level) : null,
      effectRatio: moved(judged.effectRatio),
      effectLowRatio: moved(judged.effectLowRatio),
      effectHighRatio: moved(judged.effectHighRatio),
      outside: isOff ? Math.max(1, judged.outside) : 0,
    }
  })
  return { ...judgement, runs: runs.length, metrics }
}
