import type { DetectorSettings } from '../detect/change-points'
import { checkLevel, minOfLevel } from '../levels/level-check'
import type { Change, JudgedPoint } from '../levels/change'
import { checkAsShown } from '../levels/judged-values'
import { defaultMetric, findMetric, type Metric } from '../run/metrics'
import { isBarred, leadingGuard } from '../run/guard'
import { missedBy } from '../run/limits'
import { maxFailedRatio, type JudgedState } from '../run/judged-states'
import type { LoadProfile } from '../history/series'
import type { SeriesPoint } from '../history/stored-series'
import { judgementSentence } from './judgement-sentence'
import {
  judgementVersion,
  type BegunLevel,
  type BrokenLimit,
  type MetricJudgement,
  type RunJudgement,
} from '../run/judgement'

/** A change of level that an evaluation knows, with the state of its alert. */
export interface LevelChange extends Change {
  /** Position of its first value. */
  readonly index: number
  readonly cause: string | null
  readonly alertId: string | null
  /** reported: its alert is live, or a later change undid it. accepted: closed otherwise. silent: no alert. */
  readonly alert: 'reported' | 'accepted' | 'silent'
}

/** One metric of a load profile, as seen by the evaluation that raises alerts. */
export interface LevelHistory {
  readonly metric: Metric
  readonly points: readonly JudgedPoint[]
  /** The points' values as the detector reads them. */
  readonly values: readonly number[]
  readonly settings: DetectorSettings
  /** Oldest first. */
  readonly changes: readonly LevelChange[]
}

/** For this many experiments, a change without an alert is news. */
export const newsRuns = 10

/**
 * Earlier values that a run's judgement rests on; fewer than are read, so that one more run does not affect the others.
 */
const judgedAgainst = 200

/**
 * What a run is compared with: its values from `from` on, those of the level from `since` on, up to `until`. `news`:
 * the change that it is judged by instead of its own level. Positions in the history.
 */
export function groundsOf({ changes }: LevelHistory, at: number) {
  const placed = changes.findLastIndex((one) => one.index <= at)
  const change = changes[placed]
  const news = change !== undefined && change.verdict !== null && isNews(change, at) ? change : null
  const until = news === null ? at : news.index
  const from = Math.max(0, until - judgedAgainst)
  const begin = news === null ? change : changes[placed - 1]
  return { from, since: Math.max(from, begin?.index ?? 0), until, news }
}

/** The level that just began at a run's place, by a change that is accepted and thus no news any more. Null: none. */
export function begunLevelAt(history: LevelHistory, at: number): BegunLevel | null {
  const change = history.changes.findLast((one) => one.index <= at)
  const value = history.points[at]?.value
  if (change === undefined || change.verdict === null || value === undefined || isNews(change, at)) return null
  const { index, since, cause } = change
  return at - index < minOfLevel ? { metricId: history.metric.id, value, since, cause, before: at - index } : null
}

/**
 * Judges runs of a load profile by the changes of level that alerts know, so that no page contradicts them. `wanted`:
 * ids of the runs to judge. Pure and deterministic.
 */
export function judgeProfile(
  profile: LoadProfile,
  histories: readonly LevelHistory[],
  limits: readonly BrokenLimit[],
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, RunJudgement> {
  const metricsOf = new Map<string, MetricJudgement[]>()
  const begun = new Map<string, readonly BegunLevel[]>()
  const experiments = new Map<string, readonly string[]>()
  for (const history of histories) {
    history.points.forEach(({ runIds }, at) => {
      for (const id of runIds) if (!experiments.has(id)) experiments.set(id, runIds)
      const asked = runIds.filter((id) => wanted.has(id))
      if (asked.length === 0) return
      const judgement = judgeMetric(profile, history, at)
      const level = begunLevelAt(history, at)
      for (const id of asked) {
        metricsOf.set(id, [...(metricsOf.get(id) ?? []), judgement])
        if (level !== null) begun.set(id, [...(begun.get(id) ?? []), level])
      }
    })
  }
  const points = profile.points.filter((point) => wanted.has(point.runId))
  return new Map(
    points.map((point) => {
      // Of repeats, the sound ones are judged together; one that a guard refuses is not judged.
      const judged = (metricsOf.get(point.runId) ?? []).filter((one) => !isBarred(point.guards, one.metricId))
      const metrics = [...judged, ...barredMetrics(point, histories)]
      const runs = experiments.get(point.runId)?.length ?? 1
      return [point.runId, judgePoint(point, metrics, runs, limits, begun.get(point.runId))]
    }),
  )
}

/** Judges a run without any other to compare it with. */
export const judgeAlone = (point: SeriesPoint): RunJudgement => judgePoint(point, [], 1, [])

function judgeMetric(profile: LoadProfile, history: LevelHistory, at: number): MetricJudgement {
  const { metric, points, values, settings } = history
  const value = points[at]?.value ?? Number.NaN
  const own = { metricId: metric.id, value }
  const { from, since, until, news } = groundsOf(history, at)
  const check = checkAsShown(
    profile,
    metric,
    checkLevel(values.slice(from, until), values[at] ?? Number.NaN, { since: since - from, settings }),
  )
  if (news?.verdict) {
    const { before, effectRatio, effectLowRatio, effectHighRatio, afterRunId, cause, alertId } = news
    return {
      ...own,
      state: news.verdict,
      side: news.verdict === 'changed' ? 'neutral' : news.verdict,
      level: before,
      ...pick(check),
      ...(metric.unit === 'ratio' ? noEffect : { effectRatio, effectLowRatio, effectHighRatio }),
      outside: 0,
      before: check.before,
      change: { afterRunId, since: news.since, cause, alertId },
      current: currentOf(profile, history, at, news.index),
    }
  }
  const effect =
    metric.unit === 'ratio' || check.kind === 'too-few'
      ? noEffect
      : { effectRatio: check.effectRatio, effectLowRatio: check.effectLowRatio, effectHighRatio: check.effectHighRatio }
  const isOutside =
    check.expectedLow !== null &&
    check.expectedHigh !== null &&
    (value < check.expectedLow || value > check.expectedHigh)
  const higher = value > (check.level ?? value)
  return {
    ...own,
    state: check.kind === 'too-few' ? 'no-history' : isOutside ? 'unusual' : 'as-expected',
    side: isOutside ? sideOf(metric, higher) : null,
    level: check.level,
    ...pick(check),
    ...effect,
    outside: isOutside ? outsideUntil(points.slice(0, at + 1), check, higher) : 0,
    before: check.before,
    change: null,
    current: null,
  }
}

/** What is expected of the level that began at `index`, by its values before this one; null: too few. */
function currentOf(
  profile: LoadProfile,
  { metric, values, settings }: LevelHistory,
  at: number,
  index: number,
): MetricJudgement['current'] {
  const from = Math.max(0, index - judgedAgainst)
  const { kind, level, expectedLow, expectedHigh, before } = checkAsShown(
    profile,
    metric,
    checkLevel(values.slice(from, at), values[at] ?? Number.NaN, { since: index - from, settings }),
  )
  const isKnown = kind === 'judged' && level !== null && expectedLow !== null && expectedHigh !== null
  return isKnown ? { level, expectedLow, expectedHigh, before } : null
}

function outsideUntil(
  points: LevelHistory['points'],
  { expectedLow, expectedHigh }: Expected,
  isHigher: boolean,
): number {
  const inside = points.findLastIndex(({ value }) =>
    isHigher ? value <= (expectedHigh ?? 0) : value >= (expectedLow ?? 0),
  )
  return points.length - 1 - inside
}

const noEffect = { effectRatio: null, effectLowRatio: null, effectHighRatio: null } as const

type Expected = ReturnType<typeof checkAsShown>

const pick = ({ expectedLow, expectedHigh, noiseRatio }: Expected) => ({ expectedLow, expectedHigh, noiseRatio })

function isNews({ index, alert }: LevelChange, at: number): boolean {
  return alert === 'reported' || (alert === 'silent' && at - index < newsRuns)
}

function sideOf(metric: Metric, higher: boolean): 'worse' | 'better' | 'neutral' {
  if (metric.direction === 'neutral') return 'neutral'
  return higher === (metric.direction === 'lower-is-better') ? 'worse' : 'better'
}

/** Metrics that the run has and a guard refuses: their values, without a judgement. */
function barredMetrics(point: SeriesPoint, histories: readonly LevelHistory[]): readonly MetricJudgement[] {
  return histories.flatMap(({ metric }): readonly MetricJudgement[] => {
    const value = metric.read(point.figures)
    if (value === null || !isBarred(point.guards, metric.id)) return []
    const nothing = {
      outside: 0,
      level: null,
      expectedLow: null,
      expectedHigh: null,
      noiseRatio: null,
      ...noEffect,
      change: null,
      current: null,
    }
    return [{ metricId: metric.id, state: 'barred', side: null, value, before: 0, ...nothing }]
  })
}

function judgePoint(
  point: SeriesPoint,
  metrics: readonly MetricJudgement[],
  runs: number,
  limits: readonly BrokenLimit[],
  begun: readonly BegunLevel[] = [],
): RunJudgement {
  const broken = limits.filter((limit) => point.orderedAt >= limit.since && isBeyond(limit, point))
  const { errorRatio: failedRatio, errorCount: failedCount } = point.figures
  const { guards, judgedBy = 'whole' } = point
  const common = { metrics, guards, failedRatio, failedCount, runs, judgedBy, version: judgementVersion }
  const found = stateOf(metrics, broken, point, failedRatio)
  const { state } = found
  // Right after a level was accepted, "other figures are unchanged" is not of interest.
  const isQuiet = state === 'as-expected' || state === 'no-history'
  const unknown = begun.filter(({ metricId }) => metrics.some((one) => one.metricId === metricId && isUnknown(one)))
  const level = isQuiet ? (unknown.find((one) => one.metricId === defaultMetric.id) ?? unknown[0] ?? null) : null
  const metricId = level?.metricId ?? found.metricId
  const limit = broken.find((one) => one.metricId === metricId) ?? null
  return { ...common, state, metricId, sentence: judgementSentence({ ...common, state, metricId }, limit, level) }
}

const isUnknown = ({ state }: MetricJudgement): boolean => state === 'no-history'

function isBeyond({ metricId, expected, side }: BrokenLimit, { figures }: SeriesPoint): boolean {
  const value = findMetric(metricId)?.read(figures) ?? null
  return value !== null && missedBy({ side, limit: expected }, value) !== null
}

function stateOf(
  metrics: readonly MetricJudgement[],
  broken: readonly BrokenLimit[],
  { guards }: SeriesPoint,
  failedRatio: number | null,
): { readonly state: JudgedState; readonly metricId: string | null } {
  const isOfFailures = ({ metricId }: { readonly metricId: string }) => findMetric(metricId)?.group === 'Failures'
  const failures = metrics.find((one) => isOfFailures(one) && one.side === 'worse')
  if (failedRatio !== null && failedRatio > maxFailedRatio) return { state: 'failing', metricId: 'error-ratio' }
  const limit = broken.find(isOfFailures)
  if (failures || limit) return { state: 'failing', metricId: (failures ?? limit)?.metricId ?? null }

  const largest = (state: MetricJudgement['state'], side?: MetricJudgement['side']) =>
    metrics
      .filter((one) => one.state === state && (side === undefined || one.side === side))
      .sort((a, b) => weightOf(b) - weightOf(a))[0]
  const worse = largest('worse')
  if (worse) return { state: 'worse', metricId: worse.metricId }
  const [exceeded] = broken
  if (exceeded) return { state: 'worse', metricId: exceeded.metricId }
  const off = largest('unusual', 'worse')
  if (off) return { state: 'unusual', metricId: off.metricId }
  // A run that missed its rate, or whose payload changed, is not reliable.
  if (leadingGuard(guards) !== null) return { state: 'unusual', metricId: null }
  const better = largest('better')
  if (better) return { state: 'better', metricId: better.metricId }
  const other = largest('unusual') ?? largest('changed')
  if (other) return { state: 'unusual', metricId: other.metricId }
  const judged = metrics.filter((one) => one.state === 'as-expected')
  const lead = judged.find((one) => one.metricId === defaultMetric.id) ?? judged[0]
  return lead ? { state: 'as-expected', metricId: lead.metricId } : { state: 'no-history', metricId: null }
}

/** The effect in units of the smallest one that matters: the largest leads, as in an alert. */
function weightOf({ metricId, effectRatio }: MetricJudgement): number {
  if (effectRatio === null) return 1
  const effect = Math.max(Math.abs(effectRatio), Math.abs(1 / (1 + effectRatio) - 1))
  return effect / (findMetric(metricId)?.minEffect ?? 0.1)
}
