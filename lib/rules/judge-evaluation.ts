import { broughtBy, changeVerdict, isExcused, type Change, type ChangeOrigin, type JudgedPoint } from '../levels/change'
import { judgedValues } from '../levels/judged-values'
import { originsFrom } from '../levels/origins'
import { trendPoints, type TrendPoint } from '../levels/points'
import type { Creep } from '../levels/creep'
import type { KnownChanges, KnownCreep } from '../levels/trend'
import { judgementBases } from '../judge/judgement-basis'
import { judgeAlone, judgeProfile, type LevelChange, type LevelHistory } from '../judge/judge-profile'
import { isOfThisVersion, versionOf, type BrokenLimit, type RunJudgement, type StoredJudgement } from '../run/judgement'
import { metrics } from '../run/metrics'
import { profileName, type LoadProfile } from '../history/series'
import type { SeriesPoint } from '../history/stored-series'
import type { Alert } from './alert-book'
import { environmentCause } from './environment-alert'
import { causeOf, type AlertFinding, type MetricTrack, type TrackedLevel, type WatchedChange } from './evaluate-profile'
import type { RulesEvaluation } from './evaluate-rules'
import { liveStates } from './stored-alerts'

/** Alerts as an evaluation left them: at least those that the profile's changes name. */
export type AlertsOfProfile = readonly Pick<Alert, 'id' | 'kind' | 'state' | 'findings' | 'cause'>[]

/** Newest runs of a profile whose judgement an evaluation may still change: older ones are history. */
const judgedAgainRuns = 30

/** The judgements and changes of a profile after an evaluation. */
export interface ProfileStatement {
  /** For its runs that are not judged yet, or whose basis changed; by run. */
  readonly judgements: ReadonlyMap<string, StoredJudgement>
  /** The known changes of level, by metric: every page shows these as the profile's history. */
  readonly changes: Readonly<Record<string, KnownChanges>>
}

/**
 * Judges a profile by an evaluation's findings and the resulting state of its alerts, so that a page that reads this
 * cannot contradict an alert. `watched`: what is known of the profile after the evaluation, alerts filled in.
 */
export function judgeEvaluation(
  { profile, tracks, events, watchers }: RulesEvaluation,
  watched: readonly WatchedChange[],
  alerts: AlertsOfProfile,
): ProfileStatement {
  const ordered = inReadingOrder(tracks)
  const histories = historiesOf(profile, ordered, new Set(Object.keys(watchers)), { watched, alerts })
  const limits = limitsIn(events)
  const bases = judgementBases(profile, histories, limits, judgedAgainRuns)
  const { points } = profile
  const wanted = points.filter(({ runId, judgementBasis: known, judgedBy }, at) =>
    points.length - at <= judgedAgainRuns ? known !== bases.get(runId) : !isOfThisVersion(known, judgedBy),
  )
  const judged = judgeProfile(profile, histories, limits, new Set(wanted.map(({ runId }) => runId)))
  return {
    judgements: new Map(
      [...judged].map(([runId, judgement]) => {
        return [runId, { judgement, basis: bases.get(runId) ?? versionOf(judgement.judgedBy) }]
      }),
    ),
    changes: Object.fromEntries(
      ordered.map(({ metric, sensitivity, settings: { minEffect }, points, creep }, at) => [
        metric.id,
        { sensitivity, minEffect, changes: histories[at]?.changes ?? [], creep: creep && creepAt(points, creep) },
      ]),
    ),
  }
}

/**
 * Candidates of a series, each judged by the evaluation of its load; if no run of the series has its load, as the
 * first.
 */
export function judgeCandidates(
  evaluations: readonly RulesEvaluation[],
  candidates: readonly SeriesPoint[],
): ReadonlyMap<string, StoredJudgement> {
  const judged = candidates.flatMap((candidate): readonly (readonly [string, StoredJudgement])[] => {
    const name = profileName(candidate.tool, candidate.load)
    const evaluation = evaluations.find(({ profile }) => profile.name === name)
    const judged = evaluation ? judgeCandidate(evaluation, candidate) : judgeAlone(candidate)
    return judged === null ? [] : [[candidate.runId, { judgement: judged, basis: versionOf(candidate.judgedBy) }]]
  })
  return new Map(judged)
}

/**
 * Judges a candidate against the series, which it never joins: by the runs before it, at their current level. Reports
 * about that level do not count against the candidate.
 */
function judgeCandidate({ profile, tracks, events }: RulesEvaluation, candidate: SeriesPoint): RunJudgement | null {
  const alone = { ...profile, points: [candidate] }
  const histories = inReadingOrder(tracks).map((track): LevelHistory => {
    const { metric } = track
    const before = track.points.filter((point) => point.orderedAt <= candidate.orderedAt)
    const changes = track.changes
      .filter((one) => one.isFound && one.index < before.length)
      .map((one): LevelChange => ({
        ...one,
        cause: causeOf(profile, one.afterRunId),
        alertId: null,
        alert: 'accepted',
      }))
    const values = track.values.slice(0, before.length)
    const own = trendPoints(alone, metric).filter(hasValue)
    return {
      ...track,
      points: [...before, ...own],
      values: [
        ...values,
        ...judgedValues(
          profile,
          metric,
          own.map(({ value }) => value),
        ),
      ],
      changes,
    }
  })
  const all = { ...profile, points: [...profile.points, candidate] }
  return judgeProfile(all, histories, limitsIn(events), new Set([candidate.runId])).get(candidate.runId) ?? null
}

const hasValue = (point: TrendPoint): point is JudgedPoint => point.value !== null && !point.isBarred

const places = new Map(metrics.map(({ id }, at) => [id, at]))

function inReadingOrder(tracks: readonly MetricTrack[]): readonly MetricTrack[] {
  const place = ({ metric }: MetricTrack) => places.get(metric.id) ?? 0
  return [...tracks].sort((a, b) => place(a) - place(b))
}

function creepAt(points: readonly JudgedPoint[], { from, before, after }: Creep): KnownCreep {
  const first = points[from]
  const count = points.length - from
  return { afterRunId: first?.runIds[0] ?? '', since: first?.orderedAt ?? '', before, after, count }
}

interface KnownOfProfile {
  readonly watched: readonly WatchedChange[]
  readonly alerts: AlertsOfProfile
}

/** What the metrics did; of those that no rule watches, the others tell what brought it. */
function historiesOf(
  profile: LoadProfile,
  tracks: readonly MetricTrack[],
  watchedMetrics: ReadonlySet<string>,
  { watched, alerts }: KnownOfProfile,
): readonly LevelHistory[] {
  const knownOf =
    (metricId: string) =>
    ({ afterRunId }: Pick<Change, 'afterRunId'>) =>
      watched.find((one) => one.metricId === metricId && one.afterRunId === afterRunId && one.creep === null)
  const followed = tracks.flatMap((track) => {
    const { metric, points, creep } = track
    if (!watchedMetrics.has(metric.id)) return []
    const changes = track.changes.map((one) => ({ ...one, origin: knownOf(metric.id)(one)?.origin ?? null }))
    return [[metric.id, { changes, creep: creep ? creepAt(points, creep) : null }] as const]
  })
  return tracks.map((track) => {
    const { metric } = track
    if (!watchedMetrics.has(metric.id)) {
      const originOf = originsFrom(profile, metric, Object.fromEntries(followed))
      return withAlerts(profile, track, () => null, originOf)
    }
    const known = knownOf(metric.id)
    const alertOf = (one: TrackedLevel) => alerts.find(({ id }) => id === known(one)?.alertId) ?? null
    return withAlerts(profile, track, alertOf, (one) => known(one)?.origin ?? null)
  })
}

function withAlerts(
  profile: LoadProfile,
  track: MetricTrack,
  alertOf: (change: TrackedLevel) => AlertsOfProfile[number] | null,
  originOf: (change: TrackedLevel) => ChangeOrigin | null,
): LevelHistory {
  const changes = track.changes.flatMap((change): readonly LevelChange[] => {
    const alert = alertOf(change)
    const isLive = alert !== null && liveStates.includes(alert.state)
    if (!change.isFound && (!isLive || change.isGivenUp)) return []
    const figures = change.isFound ? change : figuresInAlert(profile, track, alert)
    if (figures === null) return []
    const origin = alert?.kind === 'environment' ? 'environment' : originOf(change)
    const became = isExcused(origin) ? 'accepted' : becameOf(alert)
    // For a regression seen by several metrics, the alert knows where it began.
    const known = alert?.cause ?? causeOf(profile, change.afterRunId)
    const environment = environmentCause(profile.series.environment ?? '')
    const cause = origin === 'environment' ? environment : hasNoCause(origin) ? null : known
    return [
      {
        ...broughtBy({ ...change, ...figures, verdict: change.verdict }, origin),
        cause,
        alertId: alert?.id ?? null,
        alert: became,
      },
    ]
  })
  return { ...track, changes }
}

const hasNoCause = (origin: ChangeOrigin | null): boolean => origin === 'unexplained' || origin === 'drift'

function becameOf(alert: AlertsOfProfile[number] | null): LevelChange['alert'] {
  if (alert === null) return 'silent'
  return liveStates.includes(alert.state) || alert.state === 'recovered' ? 'reported' : 'accepted'
}

/** The figures in a live alert for a change that this evaluation did not find. */
function figuresInAlert(
  profile: LoadProfile,
  { metric }: MetricTrack,
  alert: AlertsOfProfile[number] | null,
): Pick<TrackedLevel, 'before' | 'after' | 'effectRatio' | 'effectLowRatio' | 'effectHighRatio' | 'verdict'> | null {
  const isOwn = (one: AlertFinding) =>
    one.metricId === metric.id && one.seriesId === profile.series.id && one.profile === profile.name
  const finding = alert?.findings.find(isOwn)
  if (finding === undefined) return null
  const { before, after, effectRatio, effectLowRatio, effectHighRatio } = finding
  const verdict = changeVerdict(metric, effectRatio > 0 ? 'up' : 'down')
  return { before, after, effectRatio, effectLowRatio, effectHighRatio, verdict }
}

function limitsIn(events: RulesEvaluation['events']): readonly BrokenLimit[] {
  return events.flatMap(({ event, isMuted }) => {
    if (event.kind !== 'limit' || isMuted) return []
    const { metricId, expected, side, since } = event
    return [{ metricId, expected, side, since }]
  })
}
