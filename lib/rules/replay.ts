import type { UtcIso } from '../run/run'
import type { LoadProfile } from '../history/series'
import type { Alert, AlertNews } from './alert-book'
import { applyEvaluations } from './alert-lifecycle'
import { findingWords } from './alert-words'
import { causeOf, type WatchedChange } from './evaluate-profile'
import { isMissing } from './evaluate-project'
import { evaluateRules } from './evaluate-rules'
import { findLevelBreaches, type ReferenceRun } from './rule-events'
import { eventWords } from './rule-words'
import { longestExperimentMs } from '../levels/points'
import { sidesOfFinding } from './stored-alerts'
import { covers, watchedMetrics, type Rule, type RuleSettings } from './rules'

/** One alert that a rule would have raised. */
export interface Firing {
  /** The newest run when it would have been raised. */
  readonly at: UtcIso
  /** What it would have reported, the largest first; never empty. */
  readonly titles: readonly string[]
  /** The metric of the first one; null: none. */
  readonly metricId: string | null
  /** Null: not about a series. */
  readonly profile: Pick<LoadProfile, 'series' | 'name'> | null
  /** Commit or upload: firings with the same one are one alert. Null: an alert of its own. */
  readonly cause: string | null
  /** Where to see it: a comparison of runs before and after, a run, or an upload. */
  readonly link:
    | { readonly to: 'compare'; readonly sides: readonly (readonly string[])[] }
    | { readonly to: 'run'; readonly runId: string }
    | { readonly to: 'upload'; readonly uploadId: string }
}

/** The cost of a detector evaluation grows with the square of a profile's runs: a replay reads fewer than an alert. */
const replayedRuns = 200
/** Evaluations of a profile within the replayed days; with more uploads, only every second, third … is evaluated. */
const maxEvaluations = 150

/** Steps of a replay, so that the caller can stop between them; returns what has fired so far. */
export type ReplaySteps = Generator<readonly Firing[], readonly Firing[]>

/**
 * What a rule would have raised for a profile from `since` on, had it existed, in the order it would have: run by run,
 * each judged with the runs before it alone. Yields after each evaluation what has fired so far. Pure and
 * deterministic.
 */
export function* replayProfile(
  rule: Rule,
  profile: LoadProfile,
  reference: readonly ReferenceRun[],
  since: UtcIso,
): ReplaySteps {
  const { settings } = rule
  if (!covers(rule, profile.series)) return []
  if (settings.kind === 'change-point') return yield* replayChanges(rule, profile, since)
  if (settings.kind === 'limit' || settings.kind === 'baseline')
    return levelFirings(settings, profile, reference, since)
  return []
}

function levelFirings(
  settings: Extract<RuleSettings, { kind: 'limit' | 'baseline' }>,
  profile: LoadProfile,
  reference: readonly ReferenceRun[],
  since: UtcIso,
): readonly Firing[] {
  return findLevelBreaches(settings, profile, reference)
    .filter((one) => one.firedAt >= since)
    .map(({ event, firedAt, firedRunIds, firedValue }) => {
      const runId = firedRunIds.at(-1) ?? event.firstRunId
      const [base] = event.referenceRunIds
      const link =
        base === undefined ? ({ to: 'run', runId } as const) : ({ to: 'compare', sides: [[base], [runId]] } as const)
      const titles = [eventWords({ ...event, value: firedValue })]
      const { metricId } = event
      return { at: firedAt, titles, metricId, profile, cause: causeOf(profile, event.firstRunId), link }
    })
}

/**
 * Runs the rule as it would have run: the same evaluations, one for each upload, and the same life of alerts. By design
 * it differs where runs arrived in another order than they ran, where more runs than `replayedRuns` or `maxEvaluations`
 * are involved, and where other rules, series or people affected an alert.
 */
function* replayChanges(rule: Rule, profile: LoadProfile, since: UtcIso): ReplaySteps {
  const rules = [{ ...rule, isEnabled: true, mutedUntil: null }]
  const first = profile.points.findIndex((point) => point.orderedAt >= since)
  if (first < 0 || watchedMetrics(rules, profile.series).length === 0) return []
  let watched: readonly WatchedChange[] = []
  let alerts: readonly Alert[] = []
  let fired: ReadonlyMap<string, Firing> = new Map()
  let newest = 0
  const newId = () => String((newest += 1))
  for (const count of evaluatedCounts(profile, first)) {
    const soFar = { ...profile, points: profile.points.slice(Math.max(0, count - replayedRuns), count) }
    const at = soFar.points.at(-1)?.orderedAt ?? since
    const evaluation = evaluateRules(soFar, watched, { rules, reference: [], at })
    const state = { alerts, hasChannel: false }
    const changes = applyEvaluations(state, profile.series.id, [evaluation], { at, newId })
    if (count > first) {
      watched = changes.watched.flatMap((one) => one.watched)
      alerts = [...new Map([...alerts, ...changes.changed, ...changes.raised].map((one) => [one.id, one])).values()]
      for (const news of changes.news) fired = withNews(fired, profile, news, at)
      fired = asPlaced(asMerged(fired, changes.changed), alerts)
    } else {
      // The first evaluation, before the replayed days, only learns what was known then: levels, and ongoing drifts.
      watched = evaluation.changes.watched
      alerts = changes.raised.filter((alert) => alert.isOngoing)
    }
    yield [...fired.values()]
  }
  return [...fired.values()]
}

/** Number of runs in each evaluation: those before `first`, then one more upload's each time. */
function evaluatedCounts({ points }: LoadProfile, first: number): readonly number[] {
  const ends = points.flatMap((point, at) => {
    const next = points[at + 1]
    const isUploadDone =
      next?.uploadId !== point.uploadId ||
      Date.parse(next.orderedAt) - Date.parse(point.orderedAt) > longestExperimentMs
    return at >= first && isUploadDone ? at + 1 : []
  })
  const step = Math.max(1, Math.ceil(ends.length / maxEvaluations))
  const taken = ends.filter((_, at) => (at + 1) % step === 0 || at === ends.length - 1)
  return [first, ...taken].filter((count) => count >= 2)
}

/** What joins an alert from before the replayed days fires nothing. */
function withNews(
  fired: ReadonlyMap<string, Firing>,
  profile: LoadProfile,
  { alertId, what, finding, event }: AlertNews,
  at: UtcIso,
): ReadonlyMap<string, Firing> {
  const before = fired.get(alertId)
  const titles = [
    ...(before?.titles ?? []),
    ...(finding ? [findingWords(finding)] : []),
    ...(event ? [eventWords(event)] : []),
  ]
  if (before) return new Map(fired).set(alertId, { ...before, titles })
  if (what === 'grew') return fired
  if (finding) {
    const link = { to: 'compare', sides: sidesOfFinding(finding) } as const
    return new Map(fired).set(alertId, { at, titles, metricId: finding.metricId, profile, cause: finding.cause, link })
  }
  if (event?.kind !== 'drift') return fired
  const link = { to: 'compare', sides: [[event.firstRunId], [event.lastRunId]] } as const
  return new Map(fired).set(alertId, { at, titles, metricId: event.metricId, profile, cause: null, link })
}

/** Adds what a merged alert reported to the one that remains, if that fired within the replayed days. */
function asMerged(fired: ReadonlyMap<string, Firing>, changed: readonly Alert[]): ReadonlyMap<string, Firing> {
  const standing = new Map(fired)
  for (const { id, mergedIntoId } of changed) {
    const firing = standing.get(id)
    if (mergedIntoId === null || firing === undefined) continue
    standing.delete(id)
    const into = standing.get(mergedIntoId)
    if (into) standing.set(mergedIntoId, { ...into, titles: [...into.titles, ...firing.titles] })
  }
  return standing
}

/** Places the changes where later evaluations put them: cause and link are those of the alert's current state. */
function asPlaced(fired: ReadonlyMap<string, Firing>, alerts: readonly Alert[]): ReadonlyMap<string, Firing> {
  const placed = new Map(fired)
  for (const { id, findings, events, cause } of alerts) {
    const [firing, [lead], [event]] = [fired.get(id), findings, events]
    if (!firing) continue
    if (lead) placed.set(id, { ...firing, cause, link: { to: 'compare', sides: sidesOfFinding(lead) } })
    else if (event?.kind === 'drift')
      placed.set(id, { ...firing, link: { to: 'compare', sides: [[event.firstRunId], [event.lastRunId]] } })
  }
  return placed
}

/** When a rule about missing runs would have fired: after each gap, including an ongoing one. Times oldest first. */
export function replayMissing(
  hours: number,
  runs: readonly { readonly runId: string; readonly at: UtcIso }[],
  since: UtcIso,
  now: UtcIso,
): readonly Firing[] {
  const gapMs = hours * 3_600_000
  return runs.flatMap((run, at): readonly Firing[] => {
    const firesAt = new Date(Date.parse(run.at) + gapMs).toISOString()
    if (!isMissing(hours, run.at, runs[at + 1]?.at ?? now) || firesAt < since) return []
    const titles = [eventWords({ kind: 'missing', hours, lastRunId: run.runId, since: run.at, overSince: null })]
    return [{ at: firesAt, titles, metricId: null, profile: null, cause: null, link: { to: 'run', runId: run.runId } }]
  })
}

/** Firings of all profiles as alerts: those of one commit or upload are one. Newest first. */
export function groupFirings(all: readonly Firing[]): readonly Firing[] {
  const byCause = new Map<string, Firing>()
  const alone: Firing[] = []
  for (const one of [...all].sort((a, b) => (a.at < b.at ? -1 : 1))) {
    const before = one.cause === null ? undefined : byCause.get(one.cause)
    if (one.cause === null) alone.push(one)
    else byCause.set(one.cause, before ? { ...before, titles: [...before.titles, ...one.titles] } : one)
  }
  return [...alone, ...byCause.values()].sort((a, b) => (a.at < b.at ? 1 : -1))
}
