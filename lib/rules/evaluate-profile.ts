import type { ChangePoint, DetectorSettings } from '../detect/change-points'
import type { EnvironmentShift, Why } from '../environment/why-it-changed'
import { settingsFor, type Sensitivity } from '../levels/sensitivity'
import { trackChanges, type TrackedChange } from '../levels/change-tracker'
import { alertingMetrics, findMetric, minEffectOf, type Metric } from '../run/metrics'
import { levelSides } from '../judge/compare-url'
import type { LevelHistory } from '../judge/judge-profile'
import type { DriftEvent } from './rule-events'
import type { LoadProfile } from '../history/series'
import type { UtcIso } from '../run/run'
import {
  changeOf,
  changeOrigins,
  changeVerdict,
  isWorse,
  judgedPoints,
  levelsAround,
  levelsOf,
  segmentsAround,
  type Change,
  type ChangeOrigin,
  type JudgedPoint,
} from '../levels/change'
import type { Creep, LineBeside } from '../levels/creep'
import { creepOfMetric, type CreepMarker, type CreepOfMetric, type CreepState } from '../levels/creep-tracker'
import { findSlowDrift } from '../levels/slow-drift'
import { matters } from '../levels/judged-values'
import type { TrendPoint } from '../levels/points'

/**
 * A change of one metric that an alert reports. Levels in the metric's unit; effects relative with their 95 % interval.
 */
export interface AlertFinding {
  readonly metricId: string
  readonly seriesId: string
  readonly profile: string
  readonly before: number
  readonly after: number
  readonly effectRatio: number
  readonly effectLowRatio: number
  readonly effectHighRatio: number
  readonly pRobust: number
  readonly pRank: number
  readonly noise: number
  readonly runsBefore: number
  readonly runsAfter: number
  /** Effect over the smallest that matters; the largest one is the headline. */
  readonly weight: number
  readonly beforeRunId: string
  readonly afterRunId: string
  /**
   * The newest runs of the old level and the first of the new one, oldest first, at most 10 each: they show the change.
   */
  readonly beforeRunIds: readonly string[]
  readonly afterRunIds: readonly string[]
  /** Time of the first run of the new level. */
  readonly since: string
  /** Commit or upload of that run; null: found by a version that did not record it. */
  readonly cause: string | null
  /** By how many experiments its place may be off. */
  readonly reach: number
  /** What brought it, if not known to be its commit; null: the commit, as far as is known. */
  readonly origin: ChangeOrigin | null
}

/** A change as stored between evaluations of a profile. */
export interface WatchedChange {
  readonly metricId: string
  readonly direction: 'up' | 'down'
  readonly reach: number
  readonly missed: number
  readonly afterRunId: string
  /** Time of that run, which places the change if the run is deleted. */
  readonly since: string
  readonly seenAtRunId: string
  /** The alert that reports it; null: it raised none (better, old, or muted). */
  readonly alertId: string | null
  /** Null: the commit, as far as is known. */
  readonly origin: ChangeOrigin | null
  /** Not a change: the level creeps from here on, or crept until here. Null: a change. */
  readonly creep: CreepState | null
}

/** A change that moved with its environment. */
export interface ShiftedChange {
  readonly metricId: string
  readonly afterRunId: string
  readonly shift: EnvironmentShift
}

/** The result of evaluating a profile. */
export interface ProfileEvaluation {
  /** New changes for the worse, largest first; they raise alerts. */
  readonly fresh: readonly AlertFinding[]
  /** All changes now known, the fresh ones with alertId null. */
  readonly watched: readonly WatchedChange[]
  /** Known changes found again, with their current figures. */
  readonly updated: readonly { readonly alertId: string; readonly finding: AlertFinding }[]
  /** Changes in alerts that have just ended. They stay known: one that returns is the same alert again. */
  readonly ended: readonly EndedChange[]
  /** Changes, in both directions, of which this evaluation learned that they moved with their environment. */
  readonly shifts: readonly ShiftedChange[]
  /** Levels that have crept since the last change of a metric. */
  readonly drifts: readonly DriftEvent[]
  /** The evaluated metrics that the profile has, as used by judgements of its runs. */
  readonly tracks: readonly MetricTrack[]
}

/** A change that an alert reports: missed by a third evaluation in a row (withdrawn), or undone by a later change. */
export interface EndedChange {
  readonly alertId: string
  readonly metricId: string
  readonly how: 'withdrawn' | 'recovered'
}

/** A change of level that an evaluation knows. */
export interface TrackedLevel extends Change {
  /** Position of its first value. */
  readonly index: number
  /** Found by this evaluation. If not, its figures are unknown, and it is forgotten unless its alert is live. */
  readonly isFound: boolean
  /** Missed by enough evaluations in a row to be given up. */
  readonly isGivenUp: boolean
}

/** One metric of a profile as evaluated, its changes in order of place. */
export interface MetricTrack extends Pick<LevelHistory, 'metric' | 'points' | 'values' | 'settings'> {
  readonly sensitivity: Sensitivity
  readonly changes: readonly TrackedLevel[]
  /** Null: it does not creep; undefined: shares, and metrics that no rule watches, of which that is not followed. */
  readonly creep: Creep | null | undefined
}

/**
 * How a metric is evaluated; `WatchedMetric` of lib/rules/rules.ts is one. Absent: for the worse, at once, as sensitive
 * as the profile.
 */
export interface EvaluatedMetric {
  readonly metricId: string
  readonly minEffect: number
  readonly direction?: 'worse' | 'better' | 'both'
  /** Experiments at the new level required before it is reported. */
  readonly confirmRuns?: number
  readonly sensitivity?: Sensitivity
  /** Findings are stored but never reported, not even later. */
  readonly isMuted?: boolean
}

/** A new change of a metric, to be explained by what its environment did. */
export interface NewChange {
  readonly metric: Metric
  /** The first run of the new level. */
  readonly afterRunId: string
  readonly effectRatio: number
}

/** Why a profile changed; null: nothing else is known of its environment. */
export type Explain = (change: NewChange) => Why | null

/** A change farther back than this when first seen is history: marked in the trend, without an alert. */
const oldestFreshRuns = 30
const evaluationsUntilWithdrawn = 3

/**
 * Evaluates a profile again after runs were added, changed or removed. Pure and deterministic; `watched` is what the
 * previous evaluation returned (with its alerts filled in). Metrics that the profile lacks are skipped; the known
 * changes of metrics that are not evaluated stay as they are.
 */
export function evaluateProfile(
  profile: LoadProfile,
  watched: readonly WatchedChange[],
  options: {
    readonly sensitivity: Sensitivity
    readonly metrics?: readonly EvaluatedMetric[]
    readonly explain?: Explain | undefined
  },
): ProfileEvaluation {
  const wanted = options.metrics ?? alertingMetrics
  const evaluate = (one: EvaluatedMetric, beside: CreepBeside | null) => {
    const metric = findMetric(one.metricId)
    if (metric === null) return null
    const own = watched.filter((known) => known.metricId === one.metricId)
    const { sensitivity, explain } = options
    return evaluateMetric(profile, metric, own, { sensitivity, explain, beside, ...one })
  }
  const isCreeping = ({ metricId }: EvaluatedMetric) =>
    watched.some((known) => known.metricId === metricId && known.creep === 'lasts')
  // A metric that creeps says something of the steps that the others seem to have.
  const first = new Map(wanted.map((one) => [one, isCreeping(one) ? evaluate(one, null) : null]))
  const known = creepOf([...first.values()])
  const second = new Map(wanted.map((one) => [one, first.get(one) ?? evaluate(one, known)]))
  const creep = known ?? creepOf([...second.values()])
  const evaluations = wanted.flatMap((one) => {
    const found = second.get(one)
    const isSettled = creep === known || found?.track.creep || isCreeping(one)
    return (isSettled ? found : evaluate(one, creep)) ?? []
  })
  const fresh = evaluations.flatMap((one) => one.fresh).sort((a, b) => b.weight - a.weight)
  const kept = watched.filter((known) => !wanted.some((one) => one.metricId === known.metricId))
  const next = [...evaluations.flatMap((one) => one.watched), ...kept]
  return {
    fresh,
    watched: next,
    updated: evaluations.flatMap((one) => one.updated),
    ended: evaluations.flatMap((one) => one.ended),
    shifts: evaluations.flatMap((one) => one.shifts),
    drifts: evaluations.flatMap((one) => one.drifts),
    tracks: evaluations.map((one) => one.track),
  }
}

/** How a metric of a profile creeps. */
interface CreepBeside {
  readonly metric: Metric
  /** Time of its first run. */
  readonly since: UtcIso
  /** Logarithm by which each experiment goes on. */
  readonly slope: number
}

/** The clearest creep among metrics; null: none creeps. */
function creepOf(evaluations: readonly (ReturnType<typeof evaluateMetric> | null)[]): CreepBeside | null {
  const all = evaluations.flatMap((one) => {
    const { metric, points, creep } = one?.track ?? {}
    if (metric === undefined || points === undefined || !creep) return []
    const slope = Math.log(creep.after / creep.before) / Math.max(1, points.length - 1 - creep.from)
    return [{ metric, since: points[creep.from]?.orderedAt ?? '', slope, p: creep.pRobust }]
  })
  return all.toSorted((a, b) => a.p - b.p)[0] ?? null
}

/** The line of another metric's creep for this one, which becomes worse as that does. */
function lineBeside(metric: Metric, points: readonly JudgedPoint[], beside: CreepBeside | null): LineBeside | null {
  if (beside === null) return null
  const from = points.findIndex(({ orderedAt }) => orderedAt >= beside.since)
  const isKnown = from >= 0 && metric.direction !== 'neutral' && beside.metric.direction !== 'neutral'
  const sign = metric.direction === beside.metric.direction ? 1 : -1
  return { from: Math.max(0, from), slope: isKnown ? sign * beside.slope : 0 }
}

const isGivenUp = ({ missed }: TrackedChange): boolean => missed >= evaluationsUntilWithdrawn

/** One metric of a profile that no rule watches: nothing is reported or stored. Null: no such metric. */
export function trackMetric(profile: LoadProfile, metricId: string): MetricTrack | null {
  const metric = findMetric(metricId)
  const wanted = { metricId, minEffect: minEffectOf(metricId), sensitivity: 'balanced' } as const
  // Whether it creeps is not followed.
  return metric && { ...evaluateMetric(profile, metric, [], wanted).track, creep: undefined }
}

function evaluateMetric(
  profile: LoadProfile,
  metric: Metric,
  stored: readonly WatchedChange[],
  wanted: EvaluatedMetric & {
    readonly sensitivity: Sensitivity
    readonly explain?: Explain | undefined
    /** Another metric of the profile creeps; absent or null: none does. */
    readonly beside?: CreepBeside | null
  },
) {
  const { direction = 'worse', confirmRuns = 1, isMuted = false } = wanted
  const settings = settingsFor(wanted.sensitivity, wanted.minEffect)
  const read = judgedPoints(profile, metric)
  const { points, raw, values } = read
  const place = new Map(points.flatMap((point, at) => point.runIds.map((id): [string, number] => [id, at])))
  const watched = stored.filter(({ creep }) => creep === null)
  const tracked = watched.map((one) => trackedOf(one, points, place))
  const tracking = trackChanges(values, tracked, settings)
  const known = tracking.tracked.slice(0, watched.length)
  const marker = stored.find(({ creep }) => creep !== null) ?? null
  const crept = creepOfMetric({
    ...{ metric, values, settings, fresh: tracking.fresh },
    beside: lineBeside(metric, points, wanted.beside ?? null),
    known: known.map((one, at) => {
      const { origin = null, alertId = null } = watched[at] ?? {}
      return { one, origin, isAlerted: alertId !== null }
    }),
    marker: marker?.creep
      ? { state: marker.creep, direction: marker.direction, at: trackedOf(marker, points, place).change.index }
      : null,
  })
  const asFinding = (one: TrackedChange, origin: ChangeOrigin | null): AlertFinding => ({
    ...findingOf(profile, metric, points, tracking.tracked, one, settings.minEffect),
    origin,
  })

  const isAskedFor = (one: TrackedChange) => !isMuted && isReported(metric, one.direction, direction)
  const levels = (one: TrackedChange) => levelsOf(metric, raw, placesOf(tracking.tracked), one.change)
  const isLarge = (one: TrackedChange) => matters(metric, levels(one).before, levels(one).after)
  const asLevel = (one: TrackedChange): TrackedLevel => ({
    ...changeOf(metric, points, one.change, levels(one)),
    // For a change that was not found, only the direction is known, not the effect.
    verdict: isLarge(one) ? changeVerdict(metric, one.direction) : null,
    index: one.change.index,
    isFound: one.missed === 0,
    isGivenUp: isGivenUp(one),
  })
  const isNews = (one: TrackedChange) => points.length - one.change.index <= oldestFreshRuns
  // Left out until confirmed, a change is fresh again at the next evaluation.
  const explainNew = (one: TrackedChange) => (isNews(one) ? explain(metric, points, one, wanted.explain) : null)
  const isOfControl = profile.points.at(-1)?.isOfControl === true
  // What it does with its environment, or alone: its code never changes.
  const ofSeries = (found: ExplainedChange): ExplainedChange =>
    isOfControl && found.origin !== 'environment' ? { ...found, origin: 'control' } : found
  const added = tracking.fresh
    .filter((one) => one.change.after >= confirmRuns && !crept.waiting.has(one))
    .map((one) => ofSeries(crept.parts.has(one) ? partOfDrift(one) : explained(one, explainNew(one))))
    .filter(({ why }) => why?.kind !== 'wait')
  const again = known.map((one, at): ExplainedChange => {
    if (crept.parts.has(one)) return ofSeries(partOfDrift(one))
    const stored = crept.released.has(one) ? null : (watched[at]?.origin ?? null)
    // It is a control no longer.
    const origin = stored === 'control' ? null : stored
    const why = origin === 'commit-or-machine' && one.missed === 0 ? explainNew(one) : null
    return ofSeries(why === null || why.kind === 'wait' ? { one, why: null, origin } : explained(one, why))
  })
  const released = again.filter(({ one }, at) => crept.released.has(one) && watched[at]?.alertId === null)
  const fresh = [...released, ...added].filter(
    ({ one, origin }) => isAskedFor(one) && isNews(one) && isLarge(one) && !isSilent(origin),
  )
  return {
    fresh: fresh.map(({ one, origin }) => asFinding(one, origin)),
    watched: [
      ...watchedAfter(metric, points, watched, [...again, ...added]),
      ...markerAfter(metric, points, crept.marker),
    ],
    shifts: [...again, ...added].flatMap(({ one, why }): readonly ShiftedChange[] =>
      why?.kind === 'environment' && why.shift !== null
        ? [{ metricId: metric.id, afterRunId: points[one.change.index]?.runIds[0] ?? '', shift: why.shift }]
        : [],
    ),
    updated: again.flatMap(({ one, origin }, at) => {
      const alertId = watched[at]?.alertId ?? null
      return alertId === null || one.missed > 0 || origin === 'drift'
        ? []
        : [{ alertId, finding: asFinding(one, origin) }]
    }),
    ended: known.flatMap((one, at): readonly EndedChange[] => {
      const alertId = watched[at]?.alertId ?? null
      if (alertId === null || again[at]?.origin === 'drift') return []
      const ended = { alertId, metricId: metric.id }
      if (isUndone(one, tracking.tracked, values, settings.minEffect)) return [{ ...ended, how: 'recovered' }]
      const isOther = (other: TrackedChange, place: number) =>
        place !== at && watched[place]?.alertId === alertId && !isGivenUp(other)
      return one.missed === evaluationsUntilWithdrawn && !known.some(isOther) ? [{ ...ended, how: 'withdrawn' }] : []
    }),
    drifts:
      isMuted || isOfControl ? [] : driftsOf(profile, metric, read, tracking.tracked, { settings, direction, crept }),
    track: {
      metric,
      points,
      values,
      settings,
      sensitivity: wanted.sensitivity,
      creep: metric.unit === 'ratio' ? undefined : crept.creep,
      changes: tracking.tracked.map(asLevel).sort((a, b) => a.index - b.index),
    },
  }
}

interface ExplainedChange {
  readonly one: TrackedChange
  /** As this evaluation learned. */
  readonly why: Why | null
  readonly origin: ChangeOrigin | null
}

const explained = (one: TrackedChange, why: Why | null): ExplainedChange => ({ one, why, origin: originOf(why) })

const partOfDrift = (one: TrackedChange): ExplainedChange => ({ one, why: null, origin: 'drift' })

/** Changes of a control, and parts of a drift, raise no alert of their own. */
const isSilent = (origin: ChangeOrigin | null): boolean => origin === 'control' || origin === 'drift'

function explain(metric: Metric, points: readonly JudgedPoint[], { change }: TrackedChange, ask?: Explain): Why | null {
  const afterRunId = points[change.index]?.runIds[0]
  if (afterRunId === undefined) return null
  return ask?.({ metric, afterRunId, effectRatio: change.effectRatio }) ?? null
}

const originOf = (why: Why | null): ChangeOrigin | null => changeOrigins.find((origin) => origin === why?.kind) ?? null

/** The known changes as they are now, and the new ones, in the form that the next evaluation takes. */
function watchedAfter(
  metric: Metric,
  points: readonly JudgedPoint[],
  watched: readonly WatchedChange[],
  changes: readonly ExplainedChange[],
): readonly WatchedChange[] {
  const newestRunId = points.at(-1)?.runIds.at(-1) ?? ''
  return changes.map(({ one, origin }, at): WatchedChange => {
    const before = watched[at]
    const { direction, reach, missed, change } = one
    return {
      ...{ metricId: metric.id, direction, reach, missed },
      ...startOf(missed === 0 ? points[change.index] : before),
      seenAtRunId: before?.seenAtRunId ?? newestRunId,
      alertId: before?.alertId ?? null,
      origin,
      creep: null,
    }
  })
}

/** Where a creep began or ended, in the same form. */
function markerAfter(
  metric: Metric,
  points: readonly JudgedPoint[],
  marker: CreepMarker | null,
): readonly WatchedChange[] {
  if (marker === null) return []
  const { state: creep, direction, at } = marker
  return [
    {
      ...{ metricId: metric.id, direction, reach: 0, missed: 0, ...startOf(points[at]) },
      ...{ seenAtRunId: points.at(-1)?.runIds.at(-1) ?? '', alertId: null, origin: 'drift', creep },
    },
  ]
}

/** The place of a change, by its first run. */
function startOf(one: JudgedPoint | WatchedChange | undefined): Pick<WatchedChange, 'afterRunId' | 'since'> {
  if (one === undefined) return { afterRunId: '', since: '' }
  if ('since' in one) return { afterRunId: one.afterRunId, since: one.since }
  return { afterRunId: one.runIds[0] ?? '', since: one.orderedAt }
}

function trackedOf(
  one: WatchedChange,
  points: readonly JudgedPoint[],
  place: ReadonlyMap<string, number>,
): TrackedChange {
  const later = points.findIndex((point) => point.orderedAt >= one.since)
  const index = place.get(one.afterRunId) ?? (later < 0 ? points.length : later)
  const seenAt = place.get(one.seenAtRunId) ?? index
  return { change: { ...unknownChange, index }, direction: one.direction, reach: one.reach, seenAt, missed: one.missed }
}

/** The tracker matches by place and direction; everything else about a change is found anew by each evaluation. */
const unknownChange: ChangePoint = {
  index: 0,
  earliest: 0,
  latest: 0,
  kind: 'step',
  levelBefore: 0,
  levelAfter: 0,
  effectRatio: 0,
  effectLowRatio: 0,
  effectHighRatio: 0,
  pRobust: 1,
  pRank: 1,
  noise: 0,
  autocorrelation: 0,
  signalToNoise: 0,
  before: 0,
  after: 0,
}

/** Whether a rule reports this change of a metric. */
function isReported(metric: Metric, direction: 'up' | 'down', wanted: 'worse' | 'better' | 'both'): boolean {
  return wanted === 'both' || (metric.direction !== 'neutral' && isWorse(metric, direction) === (wanted === 'worse'))
}

function driftsOf(
  profile: LoadProfile,
  metric: Metric,
  read: ReturnType<typeof judgedPoints>,
  tracked: readonly TrackedChange[],
  {
    settings,
    direction,
    crept,
  }: {
    readonly settings: DetectorSettings
    readonly direction: 'worse' | 'better' | 'both'
    readonly crept: CreepOfMetric
  },
): readonly DriftEvent[] {
  const drift = metric.unit === 'ratio' ? driftOfShare(metric, read, tracked, settings) : driftOfCreep(crept, read)
  const [first, last] = [read.points[drift?.from ?? 0], read.points.at(-1)]
  if (drift === null || !first || !last || !isReported(metric, drift.effectRatio > 0 ? 'up' : 'down', direction))
    return []
  const { from: _from, ...figures } = drift
  const where = { metricId: metric.id, seriesId: profile.series.id, profile: profile.name }
  const runs = { firstRunId: first.runIds[0] ?? '', lastRunId: last.runIds.at(-1) ?? '', since: first.orderedAt }
  return [{ kind: 'drift', ...where, ...figures, ...runs, newestAt: last.orderedAt, overSince: null }]
}

function driftOfShare(
  metric: Metric,
  read: ReturnType<typeof judgedPoints>,
  tracked: readonly TrackedChange[],
  settings: DetectorSettings,
) {
  // Even from one that the newest evaluation does not find: a step in doubt is no drift.
  const from = Math.max(0, ...tracked.map((one) => one.change.index))
  const drift = findSlowDrift(metric, read, from, settings)
  return drift && { ...drift, from }
}

function driftOfCreep({ creep }: CreepOfMetric, { values }: ReturnType<typeof judgedPoints>) {
  return creep && { ...creep, effectRatio: creep.after / creep.before - 1, count: values.length - creep.from }
}

/** A later change in the other direction brought the level back to within half of the smallest effect that matters. */
function isUndone(
  one: TrackedChange,
  all: readonly TrackedChange[],
  values: readonly number[],
  minEffect: number,
): boolean {
  const found = all.filter((other) => other.missed === 0)
  const later = found
    .filter((other) => other.change.index > one.change.index)
    .sort((a, b) => a.change.index - b.change.index)
  return later.some((other) => {
    if (other.direction === one.direction) return false
    const { before } = levelsAround(values, placesOf(found), one.change.index)
    const { after } = levelsAround(values, placesOf(found), other.change.index)
    return Math.abs(Math.log(after / before)) <= Math.log1p(minEffect / 2)
  })
}

const placesOf = (changes: readonly TrackedChange[]): readonly number[] =>
  changes.flatMap((one) => (one.missed === 0 ? one.change.index : []))

/** The figures of a profile's change that an alert stores. */
function findingOf(
  profile: LoadProfile,
  metric: Metric,
  points: readonly TrendPoint[],
  all: readonly TrackedChange[],
  { change, reach }: TrackedChange,
  minEffect: number,
): AlertFinding {
  const values = points.map((point) => point.value ?? Number.NaN)
  const effect = Math.max(Math.abs(change.effectRatio), Math.abs(1 / (1 + change.effectRatio) - 1))
  const { before, after } = segmentsAround(points.length, placesOf(all), change.index)
  const runsOf = (some: readonly TrendPoint[]) => some.flatMap(({ runIds }) => runIds)
  const first = points[change.index]
  const afterRunId = first?.runIds[0] ?? ''
  const [beforeRunIds, afterRunIds] = levelSides(runsOf(points.slice(...before)), runsOf(points.slice(...after)))
  return {
    metricId: metric.id,
    seriesId: profile.series.id,
    profile: profile.name,
    ...levelsOf(metric, values, placesOf(all), change),
    effectRatio: change.effectRatio,
    effectLowRatio: change.effectLowRatio,
    effectHighRatio: change.effectHighRatio,
    pRobust: change.pRobust,
    pRank: change.pRank,
    noise: change.noise,
    runsBefore: change.before,
    runsAfter: change.after,
    weight: effect / minEffect,
    beforeRunId: points[change.index - 1]?.runIds.at(-1) ?? '',
    afterRunId,
    beforeRunIds,
    afterRunIds,
    since: first?.orderedAt ?? '',
    cause: causeOf(profile, afterRunId),
    origin: null,
    reach: Math.max(reach, change.latest - change.index, change.index - change.earliest),
  }
}

/** The likely cause of a level change: the run's commit, else its upload. Null: no such run. */
export function causeOf(profile: LoadProfile, runId: string): string | null {
  const point = profile.points.find((one) => one.runId === runId)
  if (point === undefined) return null
  const commit = point.labels.commit ?? point.labels.version
  return commit === undefined ? `upload ${point.uploadId}` : `commit ${commit}`
}
