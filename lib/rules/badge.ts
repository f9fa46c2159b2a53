import { formatMetric } from '../format'
import { findMetric } from '../run/metrics'
import type { UtcIso } from '../run/run'
import { profilesOf } from '../history/series'
import type { SeriesHistory } from '../history/stored-series'
import { type TrendPoint, trendPoints } from '../levels/points'
import type { JudgedState } from '../run/judged-states'
import type { RunJudgement } from '../run/judgement'

/** A picture with the newest figure of a series, as shown to its owner. Its token is not stored. */
export interface BadgeSummary {
  readonly id: string
  readonly projectId: string
  readonly seriesId: string
  readonly metricId: string
  /** The text on its left. */
  readonly label: string
  readonly createdAt: UtcIso
}

/** The state of the newest run in this metric, or of the whole run if it is failing or the metric is not judged. */
export type BadgeState = JudgedState | 'no-runs' | 'not-judged'

/** What a badge shows. `value`: the newest figure with its unit, formatted as everywhere; null: no run has one. */
export interface BadgeFace {
  readonly label: string
  readonly value: string | null
  readonly state: BadgeState
}

/**
 * A series' badge: the newest figure of the profile that ran last, and the judgement of that run. `judgement`: of that
 * run (`newestRunOf`); null: not judged yet.
 */
export function badgeFace(
  { label, metricId }: Pick<BadgeSummary, 'label' | 'metricId'>,
  history: SeriesHistory,
  judgement: RunJudgement | null,
): BadgeFace {
  const metric = findMetric(metricId)
  const newest = newestPoint(metricId, history)
  if (metric === null || newest === null) return { label, value: null, state: 'no-runs' }
  return { label, value: formatMetric(newest.value, metric.unit), state: stateOf(metricId, judgement) }
}

/** The run that a badge shows: the newest with the figure, of the profile that ran last. Null: none has it. */
export const newestRunOf = (metricId: string, history: SeriesHistory): string | null =>
  newestPoint(metricId, history)?.runIds.at(-1) ?? null

function newestPoint(metricId: string, history: SeriesHistory): TrendPoint | null {
  const metric = findMetric(metricId)
  const [profile] = profilesOf(history)
  if (metric === null || profile === undefined) return null
  return trendPoints(profile, metric).findLast((point) => point.value !== null) ?? null
}

function stateOf(metricId: string, judgement: RunJudgement | null): BadgeState {
  if (judgement === null) return 'not-judged'
  const own = judgement.metrics.find((one) => one.metricId === metricId)?.state
  if (judgement.state === 'failing' || own === undefined || own === 'barred') return judgement.state
  return own === 'changed' ? 'unusual' : own
}
