import {
  causeOf,
  evaluateProfile,
  trackMetric,
  type ProfileEvaluation,
  type Explain,
  type MetricTrack,
  type WatchedChange,
} from './evaluate-profile'
import type { Sensitivity } from '../levels/sensitivity'
import { builtInSettings, covers, isMuted, watchedMetrics, type Rule } from './rules'
import { levelEventsNow, type ReferenceRun, type RuleEvent } from './rule-events'
import { alertingMetrics } from '../run/metrics'
import type { UtcIso } from '../run/run'
import type { LoadProfile } from '../history/series'

/** Something that a rule currently finds. */
export interface LastingEvent {
  readonly ruleId: string
  readonly event: RuleEvent
  /** The rule is muted: it raises nothing, but what it raised before is followed. */
  readonly isMuted: boolean
  /** Its commit or upload: events of a rule with the same one are one alert; null: each has its own. */
  readonly cause: string | null
  readonly seriesId: string | null
  /** The newest run when it was found, and when that run began; null: no run shows it. */
  readonly raisedRunId: string | null
  readonly raisedRunAt: UtcIso | null
  readonly sensitivity: Sensitivity
}

/** The findings of all rules of a project in a profile. */
export interface RulesEvaluation {
  readonly profile: LoadProfile
  /** Changes of level. */
  readonly changes: ProfileEvaluation
  /**
   * All metrics that judgements of the profile's runs use: those that rules watch, and those that raise alerts by
   * default.
   */
  readonly tracks: readonly MetricTrack[]
  /** Ongoing drifts, broken limits and missed baselines. */
  readonly events: readonly LastingEvent[]
  /** Rule and sensitivity of each metric that is watched for change points. */
  readonly watchers: Readonly<Record<string, { readonly ruleId: string; readonly sensitivity: Sensitivity }>>
}

/**
 * Evaluates a profile by all rules of its project after its runs changed; `at`: now. Rules about missing runs and
 * failed imports do not apply to profiles. Pure and deterministic.
 */
export function evaluateRules(
  profile: LoadProfile,
  watched: readonly WatchedChange[],
  {
    rules,
    reference,
    at,
    explain,
  }: {
    readonly rules: readonly Rule[]
    readonly reference: readonly ReferenceRun[]
    readonly at: UtcIso
    /** Absent: changes are taken to be of the code. */
    readonly explain?: Explain | undefined
  },
): RulesEvaluation {
  const plan = watchedMetrics(rules, profile.series)
  const metrics = plan.map((one) => ({ ...one, isMuted: isMuted(one.rule, at) }))
  const changes = evaluateProfile(profile, watched, { sensitivity: builtInSettings.sensitivity, metrics, explain })
  const newest = profile.points.at(-1)
  const shared = {
    seriesId: profile.series.id,
    raisedRunId: newest?.runId ?? null,
    raisedRunAt: newest?.orderedAt ?? null,
  }
  const drifts = changes.drifts.flatMap((event): readonly LastingEvent[] => {
    const watcher = metrics.find((one) => one.metricId === event.metricId)
    if (watcher === undefined) return []
    const { rule, sensitivity } = watcher
    return [{ ruleId: rule.id, event, isMuted: watcher.isMuted, cause: null, sensitivity, ...shared }]
  })
  const levels = rules
    .filter((rule) => rule.isEnabled && covers(rule, profile.series))
    .flatMap((rule) =>
      levelEventsNow(rule, profile, reference).map((event): LastingEvent => {
        const cause = causeOf(profile, event.firstRunId)
        const { sensitivity } = builtInSettings
        return { ruleId: rule.id, event, isMuted: isMuted(rule, at), cause, sensitivity, ...shared }
      }),
    )
  const watchers = Object.fromEntries(
    plan.map(({ metricId, rule, sensitivity }) => [metricId, { ruleId: rule.id, sensitivity }]),
  )
  const unwatched = alertingMetrics.filter(({ metricId }) => !plan.some((one) => one.metricId === metricId))
  const tracks = [...changes.tracks, ...unwatched.flatMap(({ metricId }) => trackMetric(profile, metricId) ?? [])]
  return { profile, changes, tracks, events: [...drifts, ...levels], watchers }
}
