import { findChangePoints, historySettings, type ChangePoint, type DetectorSettings } from '../detect/change-points'
import { checkLevel, type LevelCheck } from './level-check'
import { settingsFor } from './sensitivity'
import { studentQuantile } from '../stats/distributions'
import { isBarred } from '../run/guard'
import { minEffectOf, type Metric } from '../run/metrics'
import { median } from '../stats/robust'
import type { LoadProfile } from '../run/series'
import { pooledNoise } from '../detect/series-noise'
import type { SeriesPoint } from '../run/stored'

/** One experiment in a profile: a run, or the runs of one upload or commit, which repeat each other. */
export interface TrendPoint {
  /** All its runs, oldest first; links go to the last. */
  readonly runIds: readonly string[]
  readonly orderedAt: string
  readonly labels: Readonly<Record<string, string>>
  /** Median of its runs, and their min and max; unit of the metric. Null: no run has the figure. */
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
  /** Guards refuse a verdict on the figure of all its runs: it is shown and not judged. */
  readonly isBarred: boolean
}

/** A change point of a profile, with the points on either side. */
export interface TrendChange {
  readonly change: ChangePoint
  /** Position in `Trend.points` of the first point of the new level. */
  readonly at: number
  readonly verdict: 'better' | 'worse' | 'changed'
  /** Medians of the levels before and after; unit of the metric. */
  readonly before: number
  readonly after: number
  /** The last run of the old level and the first of the new one. */
  readonly beforeRunId: string
  readonly afterRunId: string
}

/** The current level of a profile: median since its last change, and between which values its next run is as expected. */
export interface TrendLevel {
  readonly from: number
  readonly value: number
  readonly low: number
  readonly high: number
}

/** One metric of a profile over time, judged. */
export interface Trend {
  readonly profile: LoadProfile
  readonly metric: Metric
  readonly points: readonly TrendPoint[]
  readonly changes: readonly TrendChange[]
  /** Null with fewer than 3 figures. */
  readonly level: TrendLevel | null
  /** Standard deviation of one run around its level, relative; null with fewer than 5 figures, and for shares. */
  readonly noiseRatio: number | null
  /** Smallest relative change that 5 runs of a new level would show; null with fewer than 5 figures. */
  readonly visibleRatio: number | null
}

const minForNoise = 5
const minForLevel = 3
/** Labels whose equal values mark repeats of one experiment. */
export const experimentLabels = ['experiment', 'commit', 'version', 'build'] as const

/** Runs of one upload this far apart are a history in a document, not repeats. */
export const longestExperimentMs = 3_600_000

type Repeatable = Pick<SeriesPoint, 'labels' | 'uploadId' | 'orderedAt'>

/** Points of a profile: neighbours of the same experiment, commit, version or build, else of one upload and hour, are one. */
export function trendPoints(profile: LoadProfile, metric: Metric): readonly TrendPoint[] {
  return experimentsOf(profile.points).map((group) => pointOf(group, metric))
}

/** By the runs of a profile: each metric of an evaluation asks for the same. */
const knownExperiments = new WeakMap<LoadProfile['points'], readonly (readonly SeriesPoint[])[]>()

function experimentsOf(points: LoadProfile['points']): readonly (readonly SeriesPoint[])[] {
  const known = knownExperiments.get(points)
  if (known) return known
  const groups: SeriesPoint[][] = []
  for (const point of points) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && repeats(last, point)) group.push(point)
    else groups.push([point])
  }
  knownExperiments.set(points, groups)
  return groups
}

/** Whether `b`, the next run of a profile after `a`, repeats it: the same experiment, commit, version or build, else one upload within an hour. */
export function repeats(a: Repeatable, b: Repeatable): boolean {
  const label = experimentLabels.find((key) => a.labels[key] !== undefined || b.labels[key] !== undefined)
  if (label !== undefined) return a.labels[label] === b.labels[label]
  return a.uploadId === b.uploadId && Date.parse(b.orderedAt) - Date.parse(a.orderedAt) <= longestExperimentMs
}

function pointOf(group: readonly SeriesPoint[], metric: Metric): TrendPoint {
  const sound = group.filter((run) => !isBarred(run.guards, metric.id))
  const known = (runs: readonly SeriesPoint[]) =>
    runs.map((run) => metric.read(run.figures)).filter((value) => value !== null)
  const areAllBarred = known(sound).length === 0 && known(group).length > 0
  const values = known(areAllBarred ? group : sound)
  const last = group.at(-1)
  return {
    runIds: group.map((run) => run.runId),
    orderedAt: last?.orderedAt ?? '',
    labels: last?.labels ?? {},
    value: values.length === 0 ? null : median(values),
    low: values.length === 0 ? null : Math.min(...values),
    high: values.length === 0 ? null : Math.max(...values),
    isBarred: areAllBarred,
  }
}

/** Judges a metric of a profile: its change points (by default the history's marks), noise and level. Never throws. */
export function trendOf(profile: LoadProfile, metric: Metric, settings: DetectorSettings = historySettings): Trend {
  const points = trendPoints(profile, metric)
  const known = points.flatMap((point, at) =>
    point.value === null || point.isBarred ? [] : [{ at, value: point.value }],
  )
  const judged = judgedValues(
    profile,
    metric,
    known.map((one) => one.value),
  )
  const found = changesOf(judged, settings)
  const levels = [0, ...found.map((change) => change.index), known.length]
  const part = (segment: number) => known.slice(levels[segment], levels[segment + 1])
  const noise = metric.unit === 'ratio' ? null : noiseOf(judged, levels)
  const changes = found.flatMap((change, segment): TrendChange[] => {
    const first = known[change.index]
    const last = known[change.index - 1]
    if (!first || !last) return []
    const before = median(part(segment).map((one) => one.value))
    const after = median(part(segment + 1).map((one) => one.value))
    const beforeRunId = points[last.at]?.runIds.at(-1) ?? ''
    const afterRunId = points[first.at]?.runIds[0] ?? ''
    if (!matters(metric, before, after)) return []
    return [
      { change, at: first.at, verdict: verdictOf(metric, after - before), before, after, beforeRunId, afterRunId },
    ]
  })
  return {
    profile,
    metric,
    points,
    changes,
    level: levelOf(profile, metric, part(found.length), judged, found.at(-1)?.index ?? 0),
    noiseRatio: noise,
    visibleRatio:
      noise === null ? null : visibleRatio(noise, found.at(-1)?.autocorrelation ?? 0.15, part(found.length)),
  }
}

/** With a window, what lies before it is judged from all values: the window itself never learns of that. */
function changesOf(values: readonly number[], settings: DetectorSettings): readonly ChangePoint[] {
  const newest = findChangePoints(values, settings)
  if (settings.window === 0 || values.length <= settings.window) return newest
  const first = values.length - settings.window + settings.minBefore
  return [...findChangePoints(values, { ...settings, window: 0 }).filter(({ index }) => index < first), ...newest]
}

/** A share of requests must move by this much, in absolute terms, to matter: half a percentage point. */
const minShareStep = 0.005

/**
 * The values as a detector reads them: positive. Shares near 0 or 1 are judged by the failures behind them, half an
 * event added: 0 of 100 is not 0 of a million.
 */
export function judgedValues(profile: LoadProfile, metric: Metric, values: readonly number[]): readonly number[] {
  if (metric.unit !== 'ratio') return values
  const { toJudged } = shareScale(profile, metric)
  return values.map(toJudged)
}

/** How shares of a profile become what a detector reads, and back. */
function shareScale(profile: LoadProfile, metric: Metric) {
  const typical = median(profile.points.map((point) => point.figures.requests ?? 0)) || 1_000
  // A power of two: a run more, with a few requests more, does not move what all others are judged by.
  const requests = 2 ** Math.round(Math.log2(typical))
  const isOfSuccess = metric.direction === 'higher-is-better'
  const failures = (share: number) => (isOfSuccess ? 1 - share : share)
  return {
    toJudged: (share: number) => failures(share) + 0.5 / requests,
    // Twelve places: what logarithm and back leave of none is no failure.
    toShown: (judged: number) => failures(Math.max(0, Number((judged - 0.5 / requests).toFixed(12)))),
  }
}

/** A check of judged values as their metric is shown; a share must also move by half a percentage point. */
export function checkAsShown(
  profile: LoadProfile,
  metric: Metric,
  check: LevelCheck,
): Omit<LevelCheck, 'shifted' | 'p'> {
  if (metric.unit !== 'ratio') return check
  const { toShown } = shareScale(profile, metric)
  if (check.level === null || check.expectedLow === null || check.expectedHigh === null)
    return { ...check, level: check.level === null ? null : toShown(check.level) }
  const level = toShown(check.level)
  const bounds = [toShown(check.expectedLow), toShown(check.expectedHigh), level - minShareStep, level + minShareStep]
  return {
    ...check,
    level,
    expectedLow: Math.max(0, Math.min(...bounds)),
    expectedHigh: Math.min(1, Math.max(...bounds)),
  }
}

/** Other metrics than shares have their floor in the detector. */
export function matters(metric: Metric, before: number, after: number): boolean {
  return metric.unit !== 'ratio' || Math.abs(after - before) >= minShareStep
}

function verdictOf(metric: Metric, difference: number): TrendChange['verdict'] {
  if (metric.direction === 'neutral' || difference === 0) return 'changed'
  return difference > 0 === (metric.direction === 'higher-is-better') ? 'better' : 'worse'
}

function noiseOf(values: readonly number[], levels: readonly number[]): number | null {
  if (values.length < minForNoise || values.some((value) => value <= 0)) return null
  const logs = Float64Array.from(values, Math.log)
  return pooledNoise(levels.slice(1).map((end, at) => logs.subarray(levels[at], end)))
}

function levelOf(
  profile: LoadProfile,
  metric: Metric,
  part: readonly { readonly at: number; readonly value: number }[],
  judged: readonly number[],
  since: number,
): TrendLevel | null {
  const [first] = part
  if (first === undefined || part.length < minForLevel) return null
  const value = median(part.map((one) => one.value))
  const settings = settingsFor('balanced', minEffectOf(metric.id))
  const check = checkAsShown(profile, metric, checkLevel(judged, judged.at(-1) ?? 0, { since, settings }))
  return { from: first.at, value, low: check.expectedLow ?? value, high: check.expectedHigh ?? value }
}

/** (t_α + 0.84)·σ·√(infl·(1/m + 1/5)) at the alert's α of 0.0001: found in 4 of 5 cases after 5 runs. */
function visibleRatio(noise: number, autocorrelation: number, part: readonly unknown[]): number {
  const runs = Math.min(60, Math.max(1, part.length))
  const inflation = (1 + autocorrelation) / (1 - autocorrelation)
  const t = studentQuantile(0.5e-4, Math.min(60, 9 + runs))
  return Math.expm1((t + 0.84) * noise * Math.sqrt(inflation * (1 / runs + 1 / 5)))
}

/** What a noise means in a word. */
export function noiseWord(noiseRatio: number): 'quiet' | 'normal' | 'noisy' | 'very noisy' {
  if (noiseRatio < 0.015) return 'quiet'
  if (noiseRatio < 0.05) return 'normal'
  return noiseRatio < 0.12 ? 'noisy' : 'very noisy'
}
