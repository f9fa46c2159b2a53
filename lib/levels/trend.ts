import type { DetectorSettings } from '../detect/change-points'
import { pooledAutocorrelation, pooledNoise } from '../detect/series-noise'
import { minEffectOf, type Metric } from '../run/metrics'
import { profilesOf, type LoadProfile, type ProfileHead } from '../history/series'
import type { SeriesHistory, SeriesSummary } from '../history/stored-series'
import { studentQuantile } from '../stats/distributions'
import { median } from '../stats/robust'
import { broughtBy, findChanges, judgedPoints, type Change } from './change'
import { findSlowDrift } from './slow-drift'
import { checkAsShown, judgedValues } from './judged-values'
import { checkLevel } from './level-check'
import { originsFrom } from './origins'
import { trendPoints, type TrendPoint } from './points'
import { settingsFor, type Sensitivity } from './sensitivity'

/** A change of a profile, with its position among the shown points. */
export interface TrendChange extends Change {
  readonly verdict: NonNullable<Change['verdict']>
  /** Position in `Trend.points` of the first point of the new level. */
  readonly at: number
  /** The last run of the old level. */
  readonly beforeRunId: string
}

/**
 * The current level of a profile: its newest 60 runs since the last change, without outliers, and the bounds between
 * which its next run is as expected.
 */
export interface TrendLevel {
  readonly from: number
  readonly value: number
  readonly low: number
  readonly high: number
}

/** A level that creeps. Levels in the metric's unit: where it began, and now. */
interface TrendDrift {
  readonly metricId: string
  readonly before: number
  readonly after: number
  /** Experiments since it began. */
  readonly count: number
  /** Position in `Trend.points` where the drift begins. */
  readonly from: number
}

/** One metric of a load profile over time, with its known levels. */
export interface Trend {
  readonly profile: ProfileHead
  readonly metric: Metric
  readonly points: readonly TrendPoint[]
  readonly changes: readonly TrendChange[]
  /** Null with fewer than 3 figures. */
  readonly level: TrendLevel | null
  /** The drift since its last change; null: none, or too few runs. */
  readonly drift: TrendDrift | null
  /** Standard deviation of one run around its level, relative; null with fewer than 5 figures, and for shares. */
  readonly noiseRatio: number | null
  /** Smallest relative change that 5 runs of a new level would show; null with fewer than 5 figures. */
  readonly visibleRatio: number | null
}

/** One metric of all load profiles of a series, the one with the newest run first. */
export interface SeriesTrends {
  readonly series: SeriesSummary
  readonly trends: readonly Trend[]
}

/** A level that creeps up to the newest run, by its first run; the line there and now, in the metric's unit. */
export interface KnownCreep extends Pick<Change, 'afterRunId' | 'since'> {
  readonly before: number
  readonly after: number
  /** Experiments since. */
  readonly count: number
}

/** The changes of one metric of a profile, and the settings used to find them. */
export interface KnownChanges {
  readonly sensitivity: Sensitivity
  readonly minEffect: number
  readonly changes: readonly Change[]
  /** Null: it does not creep; undefined: not known. */
  readonly creep?: KnownCreep | null | undefined
}

/** Changes of a series as its evaluation left them, by load profile and metric; absent: not or not yet evaluated. */
export type SeriesChanges = Readonly<Record<string, Readonly<Record<string, KnownChanges>>>>

/** Newest runs of a series that an evaluation reads: nothing older is news. */
export const evaluatedRuns = 400

/** Newest runs of a series for the board's stored trends: as many as on the page of trends. */
export const boardTrendRuns = 100

const minForNoise = 5
const minForLevel = 3

/**
 * One metric of a series over its newest `shownRuns` runs, with the changes its evaluation knows; changes of an
 * unwatched metric, and those older than the runs an evaluation reads, are found here. Never throws.
 */
export function trendsOf(
  history: SeriesHistory,
  metric: Metric,
  shownRuns: number,
  known: SeriesChanges = {},
): SeriesTrends {
  const { points, ...series } = history
  const shown = new Set(points.slice(-shownRuns).map(({ runId }) => runId))
  const evaluated = new Set(points.slice(-evaluatedRuns).map(({ runId }) => runId))
  const trends = profilesOf(history).flatMap((profile): Trend[] => {
    const recent = { ...profile, points: profile.points.filter(({ runId }) => evaluated.has(runId)) }
    const followed = known[profile.name] ?? {}
    const own = followed[metric.id]
    const settings = settingsFor(own?.sensitivity ?? 'balanced', own?.minEffect ?? minEffectOf(metric.id))
    const originOf = originsFrom(profile, metric, followed)
    const find = (some: LoadProfile, how: DetectorSettings) =>
      findChanges(some, metric, how).map((one) => broughtBy(one, originOf(one)))
    const found = { settings, changes: own?.changes ?? find(recent, settings), creep: own?.creep }
    const trend = withOlder(profile, trendOf(recent, metric, found), { ...found, find })
    const from = trend.points.findIndex(({ runIds }) => runIds.some((id) => shown.has(id)))
    return from < 0 ? [] : [newestPart(trend, from)]
  })
  return { series, trends }
}

/** Changes, and the settings that determine what is expected of their levels. */
interface FoundChanges extends Pick<KnownChanges, 'changes' | 'creep'> {
  readonly settings: DetectorSettings
}

/**
 * The same, with the runs and changes before those that an evaluation reads. The judgement of the newest level never
 * rests on them: it would differ with the number of runs that a page shows.
 */
function withOlder(
  profile: LoadProfile,
  recent: Trend,
  {
    settings,
    changes: known,
    find,
  }: FoundChanges & { readonly find: (some: LoadProfile, how: DetectorSettings) => readonly Change[] },
): Trend {
  const { metric } = recent
  const points = trendPoints(profile, metric)
  const older = points.length - recent.points.length
  if (older <= 0) return recent
  // The detector on the newest runs does not see those before them, so it finds no change near their beginning.
  const edge = recent.points[settings.minBefore]?.orderedAt ?? ''
  const found = find(profile, { ...settings, window: 0 }).filter(
    ({ since }) => since < edge && known.every((one) => one.since > since),
  )
  const whole = trendOf(profile, metric, { settings, changes: [...found, ...known] })
  const moved = recent.changes.map((one) => ({ ...one, at: one.at + older }))
  const changes = [...whole.changes.slice(0, whole.changes.length - moved.length), ...moved]
  const { level, drift } = recent
  return {
    ...recent,
    points,
    changes,
    level: level && { ...level, from: whole.level?.from ?? older },
    drift: drift && { ...drift, from: drift.from + older },
  }
}

/** A metric of a profile over all its runs, with these changes of its level. Never throws. */
export function trendOf(profile: LoadProfile, metric: Metric, { settings, changes, creep }: FoundChanges): Trend {
  const points = trendPoints(profile, metric)
  const known = points.flatMap((point, at) =>
    point.value === null || point.isBarred ? [] : [{ at, value: point.value, point }],
  )
  const values = known.map((one) => one.value)
  const placed = placeChanges(
    changes,
    known.map((one) => one.point),
  )
  const starts = [0, ...placed.map(({ index }) => index), known.length]
  const shown = placed.flatMap(({ change, index }): TrendChange[] => {
    const { verdict } = change
    const [first, last] = [known[index], known[index - 1]]
    if (verdict === null || !first || !last) return []
    return [{ ...change, verdict, at: first.at, beforeRunId: last.point.runIds.at(-1) ?? '' }]
  })
  const judged = judgedValues(profile, metric, values)
  const current = known.slice(placed.at(-1)?.index ?? 0)
  return {
    profile: { key: profile.key, series: profile.series, name: profile.name },
    metric,
    points,
    changes: shown,
    level: levelOf(profile, metric, current, { judged, settings }),
    drift:
      creep === undefined ? driftOf(profile, metric, current[0], settings) : creep && driftSince(metric, points, creep),
    ...noiseOf(metric, judged, starts),
  }
}

/** Positions of changes among these points, in order: by their first run, else by its time. */
function placeChanges(changes: readonly Change[], points: readonly TrendPoint[]) {
  const places = new Map(points.flatMap(({ runIds }, at) => runIds.map((id) => [id, at] as const)))
  const placed = changes.map((change) => {
    const later = () => points.findIndex(({ orderedAt }) => orderedAt >= change.since)
    return { change, index: places.get(change.afterRunId) ?? later() }
  })
  const byPlace = new Map(placed.filter(({ index }) => index > 0).map((one) => [one.index, one]))
  return [...byPlace.values()].sort((a, b) => a.index - b.index)
}

/** A trend without its points before `from`; its current level may have begun earlier. */
function newestPart(trend: Trend, from: number): Trend {
  const { points, changes, level, drift } = trend
  return {
    ...trend,
    points: points.slice(from),
    changes: changes.filter(({ at }) => at >= from).map((one) => ({ ...one, at: one.at - from })),
    level: level && { ...level, from: Math.max(0, level.from - from) },
    drift: drift && { ...drift, from: Math.max(0, drift.from - from) },
  }
}

interface KnownValue {
  readonly at: number
  readonly value: number
  readonly point: TrendPoint
}

function levelOf(
  profile: LoadProfile,
  metric: Metric,
  current: readonly KnownValue[],
  { judged, settings }: { readonly judged: readonly number[]; readonly settings: DetectorSettings },
): TrendLevel | null {
  const [first] = current
  if (first === undefined || current.length < minForLevel) return null
  const since = judged.length - current.length
  const check = checkAsShown(profile, metric, checkLevel(judged, judged.at(-1) ?? 0, { since, settings }))
  const value = check.level ?? median(current.map((one) => one.value))
  return { from: first.at, value, low: check.expectedLow ?? value, high: check.expectedHigh ?? value }
}

function driftSince(metric: Metric, points: readonly TrendPoint[], creep: KnownCreep): TrendDrift {
  const { afterRunId, since, before, after, count } = creep
  const at = points.findIndex(({ runIds }) => runIds.includes(afterRunId))
  const from =
    at < 0
      ? Math.max(
          0,
          points.findIndex(({ orderedAt }) => orderedAt >= since),
        )
      : at
  return { metricId: metric.id, before, after, count, from }
}

function driftOf(
  profile: LoadProfile,
  metric: Metric,
  first: KnownValue | undefined,
  settings: DetectorSettings,
): TrendDrift | null {
  if (first === undefined) return null
  const { points, ...read } = judgedPoints(profile, metric)
  // The first may be one that the detector does not read: a latency of 0.
  const since = points.findIndex(({ orderedAt }) => orderedAt >= first.point.orderedAt)
  const drift = since < 0 ? null : findSlowDrift(metric, read, since, settings)
  if (drift === null) return null
  const { before, after, count } = drift
  return { metricId: metric.id, before, after, count, from: first.at }
}

/** Noise of one run around its levels, which begin at these positions, and the smallest change visible in it. */
function noiseOf(
  metric: Metric,
  values: readonly number[],
  starts: readonly number[],
): Pick<Trend, 'noiseRatio' | 'visibleRatio'> {
  if (metric.unit === 'ratio' || values.length < minForNoise || values.some((value) => value <= 0))
    return { noiseRatio: null, visibleRatio: null }
  const logs = Float64Array.from(values, Math.log)
  const levels = starts.slice(1).map((end, at) => logs.subarray(starts[at], end))
  const noiseRatio = pooledNoise(levels)
  const autocorrelation = pooledAutocorrelation(levels, noiseRatio)
  return { noiseRatio, visibleRatio: visibleRatio(noiseRatio, autocorrelation, levels.at(-1)?.length ?? 0) }
}

/** (t_α + 0.84)·σ·√(infl·(1/m + 1/5)) at the alert's α of 0.0001: found in 4 of 5 cases after 5 runs. */
function visibleRatio(noise: number, autocorrelation: number, count: number): number {
  const runs = Math.min(60, Math.max(1, count))
  const inflation = (1 + autocorrelation) / (1 - autocorrelation)
  const t = studentQuantile(0.5e-4, Math.min(60, 9 + runs))
  return Math.expm1((t + 0.84) * noise * Math.sqrt(inflation * (1 / runs + 1 / 5)))
}

/** The noise in one word. */
export function noiseWord(noiseRatio: number): 'quiet' | 'normal' | 'noisy' | 'very noisy' {
  if (noiseRatio < 0.015) return 'quiet'
  if (noiseRatio < 0.05) return 'normal'
  return noiseRatio < 0.12 ? 'noisy' : 'very noisy'
}
