import { matters } from '../levels/judged-values'
import { type TrendPoint, trendPoints } from '../levels/points'
import { alertingMetrics, findMetric, type Metric, type RunFigures } from '../run/metrics'
import { missedBy } from '../run/limits'
import type { UtcIso } from '../run/run'
import type { LoadProfile } from '../history/series'
import { median } from '../stats/robust'
import type { Rule, RuleSettings } from './rules'
import { findBreaches, type Breach } from './breaches'

/** Runs of a profile that broke a limit, or fell short of a baseline. Values in the metric's unit. */
export interface LevelEvent {
  readonly kind: 'limit' | 'baseline'
  readonly metricId: string
  readonly seriesId: string
  readonly profile: string
  /** The limit, or the baseline's median. */
  readonly expected: number
  readonly side: 'above' | 'below'
  /** The newest value that breaks the rule. */
  readonly value: number
  /** Number of experiments that broke it so far. */
  readonly count: number
  /** The baseline's runs, empty for a limit. */
  readonly referenceRunIds: readonly string[]
  readonly firstRunId: string
  readonly lastRunId: string
  readonly since: UtcIso
  /** When it is over, the time of the run that showed it. */
  readonly overSince: UtcIso | null
}

/** A level that creeps, without a step that could be told from noise. */
export interface DriftEvent {
  readonly kind: 'drift'
  readonly metricId: string
  readonly seriesId: string
  readonly profile: string
  /** The line through its runs where it began, and now. Of shares: medians of the first 20 and the newest 10. */
  readonly before: number
  readonly after: number
  readonly effectRatio: number
  readonly pRobust: number
  readonly pRank: number
  /** Experiments since it began. */
  readonly count: number
  /** Time of the newest one; null: found by a version that did not record it. */
  readonly newestAt: UtcIso | null
  readonly firstRunId: string
  readonly lastRunId: string
  readonly since: UtcIso
  readonly overSince: UtcIso | null
}

/** No run where one was expected. */
export interface MissingEvent {
  readonly kind: 'missing'
  readonly hours: number
  readonly lastRunId: string
  /** Time of the newest run. */
  readonly since: UtcIso
  readonly overSince: UtcIso | null
}

/** Uploads that could not be read, or only in part. */
export interface FailedImportEvent {
  readonly kind: 'failed-import'
  readonly uploadId: string
  readonly uploadName: string
  readonly message: string
  /** Uploads that failed since the alert was raised. */
  readonly count: number
  readonly since: UtcIso
  readonly overSince: UtcIso | null
}

/** An environment itself became slower: its series moved together, and no commit explains it. */
export interface EnvironmentEvent {
  readonly kind: 'environment'
  readonly environment: string
  /** 2: everything takes twice as long. Of all series, and the least and the most of those that moved. */
  readonly factor: number
  readonly leastFactor: number
  readonly mostFactor: number
  /** Those that moved; a control is one of them if `hasControl`. */
  readonly seriesIds: readonly string[]
  readonly hasControl: boolean
  readonly since: UtcIso
  readonly overSince: UtcIso | null
}

/** What was found outside of the changes of one series; it lasts until `overSince`. */
export type RuleEvent = LevelEvent | DriftEvent | MissingEvent | FailedImportEvent | EnvironmentEvent

/** Identifies an event of a rule: events with the same key are the same while it lasts. */
export function eventKey(event: RuleEvent): string {
  switch (event.kind) {
    case 'limit':
    case 'baseline':
    case 'drift':
      return `${event.kind} ${event.seriesId} ${event.profile} ${event.metricId}`
    case 'environment':
      return `${event.kind} ${event.environment} ${event.since}`
    case 'missing':
    case 'failed-import':
      return event.kind
  }
}

/** A run that others are compared with. */
export interface ReferenceRun {
  readonly runId: string
  readonly scenario: string
  readonly environment: string | null
  /** Marked as baseline of its scenario and environment. */
  readonly isMarked: boolean
  /** Tool and load: runs under another load are no baseline. */
  readonly profile: string
  readonly figures: RunFigures
  /** After its warm-up, for profiles judged by steady parts; null or absent: it has no steady part. */
  readonly steadyFigures?: RunFigures | null | undefined
}

type LevelSettings = Extract<RuleSettings, { kind: 'limit' | 'baseline' }>

/**
 * What one metric of a profile is compared with. Null: the baseline has no run under this load, or lacks the figure.
 */
export interface Bar {
  readonly metric: Metric
  readonly expected: number
  readonly side: 'above' | 'below'
  readonly referenceRunIds: readonly string[]
  isBroken(value: number): boolean
}

function limitBarOf({ metricId, limit, side }: Extract<RuleSettings, { kind: 'limit' }>): readonly Bar[] {
  const metric = findMetric(metricId)
  if (metric === null) return []
  const isBroken = (value: number) => missedBy({ side, limit }, value) !== null
  return [{ metric, expected: limit, side, referenceRunIds: [], isBroken }]
}

/**
 * The bars that a limit or baseline rule sets for a profile; `reference`: all runs named by baseline rules of the
 * project, unused for a limit. A baseline rule that reports both directions sets two bars for each metric.
 */
export function barsOf(
  settings: LevelSettings,
  profile: LoadProfile,
  reference: readonly ReferenceRun[],
): readonly Bar[] {
  if (settings.kind === 'limit') return limitBarOf(settings)
  const { scenario, environment } = profile.series
  const isNamed = (run: ReferenceRun) =>
    settings.runIds.length > 0
      ? settings.runIds.includes(run.runId)
      : run.isMarked && run.scenario === scenario && run.environment === environment
  const runs = reference.filter((run) => isNamed(run) && run.profile === profile.name)
  const isSteady = profile.points[0]?.judgedBy === 'steady'
  const ids = settings.metricIds.length > 0 ? settings.metricIds : alertingMetrics.map((one) => one.metricId)
  return ids.flatMap((id): readonly Bar[] => {
    const metric = findMetric(id)
    if (metric === null) return []
    const known = runs.flatMap((run) => {
      const figures = isSteady ? (run.steadyFigures ?? null) : run.figures
      return figures === null ? [] : (metric.read(figures) ?? [])
    })
    if (known.length === 0) return []
    const expected = median(known)
    const referenceRunIds = runs.map((run) => run.runId)
    return sidesOf(metric, settings.direction).map((side) => ({
      metric,
      expected,
      side,
      referenceRunIds,
      isBroken: (value) => isBeyond(metric, expected, value, side, settings.leastEffectRatio),
    }))
  })
}

function sidesOf(metric: Metric, direction: 'worse' | 'better' | 'both'): readonly ('above' | 'below')[] {
  if (direction === 'both' || metric.direction === 'neutral') return ['above', 'below']
  return (direction === 'worse') === (metric.direction === 'lower-is-better') ? ['above'] : ['below']
}

/** Farther from the baseline than matters, whichever of the two is taken as 100 %; shares by at least half a point. */
function isBeyond(metric: Metric, expected: number, value: number, side: 'above' | 'below', minRatio: number): boolean {
  if (side === 'above' ? value <= expected : value >= expected) return false
  if (!matters(metric, expected, value)) return false
  if (expected <= 0 || value <= 0) return true
  return Math.max(value / expected, expected / value) - 1 >= minRatio
}

/** Runs in a row of one profile that broke a bar. */
export interface LevelBreach {
  readonly event: LevelEvent
  /** The newest run when it fired. */
  readonly firedAt: UtcIso
  readonly firedRunIds: readonly string[]
  readonly firedValue: number
}

/**
 * Every breach in which a profile broke a rule's bars, oldest first for each bar. Runs of the baseline never count.
 */
export function findLevelBreaches(
  settings: LevelSettings,
  profile: LoadProfile,
  reference: readonly ReferenceRun[],
): readonly LevelBreach[] {
  return barsOf(settings, profile, reference).flatMap((bar) => {
    const own = new Set(bar.referenceRunIds)
    const points = trendPoints(profile, bar.metric).filter((point) => !point.runIds.some((id) => own.has(id)))
    const values = points.map((point) => point.value)
    return findBreaches(values, bar.isBroken, settings.confirmRuns).flatMap((breach): readonly LevelBreach[] => {
      const fired = points[breach.firesAt]
      if (fired === undefined) return []
      const event = levelEvent(settings.kind, profile, bar, points, breach)
      return [{ event, firedAt: fired.orderedAt, firedRunIds: fired.runIds, firedValue: fired.value ?? bar.expected }]
    })
  })
}

function levelEvent(
  kind: LevelEvent['kind'],
  profile: LoadProfile,
  bar: Bar,
  points: readonly TrendPoint[],
  breach: Breach,
): LevelEvent {
  const [first, last] = [points[breach.from], points[breach.last]]
  const over = breach.overAt === null ? null : (points[breach.overAt]?.orderedAt ?? null)
  return {
    kind,
    metricId: bar.metric.id,
    seriesId: profile.series.id,
    profile: profile.name,
    expected: bar.expected,
    side: bar.side,
    value: last?.value ?? bar.expected,
    count: breach.count,
    referenceRunIds: bar.referenceRunIds,
    firstRunId: first?.runIds[0] ?? '',
    lastRunId: last?.runIds.at(-1) ?? '',
    since: first?.orderedAt ?? '',
    overSince: over,
  }
}

/** Ongoing events at the newest runs of a profile by a limit or baseline rule, which raise alerts. */
export function levelEventsNow(
  { settings }: Pick<Rule, 'settings'>,
  profile: LoadProfile,
  reference: readonly ReferenceRun[],
): readonly LevelEvent[] {
  if (settings.kind !== 'limit' && settings.kind !== 'baseline') return []
  const found = findLevelBreaches(settings, profile, reference).map((one) => one.event)
  return found.filter((event) => event.overSince === null)
}
