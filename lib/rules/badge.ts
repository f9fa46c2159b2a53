import { alertingMetrics } from '../run/metrics'
import { formatMetric } from '../format'
import { findMetric } from '../run/metrics'
import type { UtcIso } from '../run/run'
import { profilesOf } from '../run/series'
import type { SeriesHistory } from '../run/stored'
import type { AlertRow } from './stored-alerts'
import { trendPoints } from '../detect/trend'

/** A picture with the newest figure of a series, as its owner sees it. Its token is not stored. */
export interface BadgeSummary {
  readonly id: string
  readonly projectId: string
  readonly seriesId: string
  readonly metricId: string
  /** What stands on its left. */
  readonly label: string
  readonly createdAt: UtcIso
}

export const badgeStates = ['stable', 'regressed', 'few runs', 'no runs'] as const
export type BadgeState = (typeof badgeStates)[number]

/** What a badge shows. `value`: the newest figure with its unit, as everywhere; null: no run has one. */
export interface BadgeFace {
  readonly label: string
  readonly value: string | null
  readonly state: BadgeState
}

/** Fewer experiments than this are not judged. */
const minPoints = 5

/**
 * What a badge says of its series: the newest figure of the profile that ran last, and whether a live alert reports it: of
 * this metric, or, where this metric raises no alerts, of any.
 */
export function badgeFace(
  badge: Pick<BadgeSummary, 'label' | 'metricId'>,
  history: SeriesHistory,
  liveAlerts: readonly AlertRow[],
): BadgeFace {
  const { label, metricId } = badge
  const metric = findMetric(metricId)
  const [profile] = profilesOf(history)
  const points = metric && profile ? trendPoints(profile, metric).filter((point) => point.value !== null) : []
  const newest = points.at(-1)
  if (!metric || !profile || !newest) return { label, value: null, state: 'no runs' }
  const alerts = alertingMetrics.some((one) => one.metricId === metricId)
  const isRegressed = liveAlerts.some(({ findings }) =>
    findings.some(
      (finding) =>
        finding.seriesId === history.id &&
        finding.profile === profile.name &&
        (!alerts || finding.metricId === metricId),
    ),
  )
  const value = formatMetric(newest.value, metric.unit)
  if (isRegressed) return { label, value, state: 'regressed' }
  return { label, value, state: points.length < minPoints ? 'few runs' : 'stable' }
}
