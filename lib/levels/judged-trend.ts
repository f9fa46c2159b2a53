import { minEffectOf, type Metric } from '../run/metrics'
import { profilesOf, type ProfileHead } from '../run/series'
import type { SeriesHistory, SeriesSummary } from '../run/stored'
import { median } from '../stats/robust'
import { driftRuns, findDrift } from '../detect/drift'
import { settingsFor } from './sensitivity'
import { judgedValues, matters, trendOf, type Trend } from './trend'

/** A level that crept since the last step of a trend. Levels in the metric's unit: of the first 20 and the newest 10. */
interface TrendDrift {
  readonly metricId: string
  readonly before: number
  readonly after: number
  /** Experiments since that step. */
  readonly count: number
  /** Position in `Trend.points` where the drift begins. */
  readonly from: number
}

/** A judged metric of a load profile, without its runs: what charts and sentences read. */
export interface JudgedTrend extends Omit<Trend, 'profile'> {
  readonly profile: ProfileHead
  /** Whether it crept since its last step; null: no, or too few runs. */
  readonly drift: TrendDrift | null
}

/** One metric of all load profiles of a series, the one with the newest run first. */
export interface SeriesTrends {
  readonly series: SeriesSummary
  readonly trends: readonly JudgedTrend[]
}

/** Newest runs of a series that an evaluation reads: trends are judged from as many at least, however few are shown. */
export const evaluatedRuns = 400

/**
 * Judges one metric of a series as its evaluation does, by the same settings over the same runs, so that no page shows a
 * change that alerts do not know; then shows the newest `shownRuns` runs of it. Never throws.
 */
export function judgeSeries(history: SeriesHistory, metric: Metric, shownRuns: number): SeriesTrends {
  const { points, ...series } = history
  const shown = new Set(points.slice(-shownRuns).map(({ runId }) => runId))
  const settings = settingsFor('balanced', minEffectOf(metric.id))
  const trends = profilesOf(history).flatMap((profile): JudgedTrend[] => {
    const trend = trendOf(profile, metric, settings)
    const from = trend.points.findIndex(({ runIds }) => runIds.some((id) => shown.has(id)))
    if (from < 0) return []
    const head = { key: profile.key, series, name: profile.name }
    return [newestPart({ ...trend, profile: head, drift: findTrendDrift(trend) }, from)]
  })
  return { series, trends }
}

/** A trend without its points before position `from`; its current level may have begun before. */
function newestPart(trend: JudgedTrend, from: number): JudgedTrend {
  const { points, changes, level, drift } = trend
  return {
    ...trend,
    points: points.slice(from),
    changes: changes.filter(({ at }) => at >= from).map((one) => ({ ...one, at: one.at - from })),
    level: level && { ...level, from: Math.max(0, level.from - from) },
    drift: drift && { ...drift, from: Math.max(0, drift.from - from) },
  }
}

/** Whether a trend has crept since the last step that it marks, as the alerts' drift check sees it; null: no, or too few runs. */
function findTrendDrift({ profile, metric, points, changes }: Trend): TrendDrift | null {
  const from = changes.findLast((one) => one.change.kind === 'step')?.at ?? 0
  const shown = points
    .slice(from)
    .flatMap(({ value }) => (value !== null && (value > 0 || metric.unit === 'ratio') ? value : []))
  const found = findDrift(judgedValues(profile, metric, shown), settingsFor('balanced', minEffectOf(metric.id)))
  if (found === null) return null
  const [before, after] = [median(shown.slice(0, driftRuns.first)), median(shown.slice(-driftRuns.newest))]
  return matters(metric, before, after) ? { metricId: metric.id, before, after, count: shown.length, from } : null
}
