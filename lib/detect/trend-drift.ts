import { settingsFor } from './sensitivity'
import { driftRuns, findDrift } from './drift'
import { median } from '../stats/robust'
import { leastEffectOf } from '../run/metrics'
import { judgedValues, matters, type Trend } from './trend'

/** A level that crept since the last step of a trend. Levels in the metric's unit: of the first 20 and the newest 10. */
export interface TrendDrift {
  readonly metricId: string
  readonly before: number
  readonly after: number
  /** Experiments since that step. */
  readonly count: number
  /** Position in `Trend.points` where the drift begins. */
  readonly from: number
}

/** Whether a trend has crept since the last step that it marks, as the alerts' drift check sees it; null: no, or too few runs. */
export function findTrendDrift({ line, metric, points, changes }: Trend): TrendDrift | null {
  const from = changes.findLast((one) => one.change.kind === 'step')?.at ?? 0
  const shown = points
    .slice(from)
    .flatMap(({ value }) => (value !== null && (value > 0 || metric.unit === 'ratio') ? value : []))
  const found = findDrift(judgedValues(line, metric, shown), settingsFor('balanced', leastEffectOf(metric.id)))
  if (found === null) return null
  const [before, after] = [median(shown.slice(0, driftRuns.first)), median(shown.slice(-driftRuns.newest))]
  return matters(metric, before, after) ? { metricId: metric.id, before, after, count: shown.length, from } : null
}
