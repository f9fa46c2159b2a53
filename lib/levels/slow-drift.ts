import type { DetectorSettings } from '../detect/change-points'
import { driftRuns, findDrift, type Drift } from '../detect/drift'
import type { Metric } from '../run/metrics'
import { median } from '../stats/robust'
import { matters } from './judged-values'

/**
 * A level that crept since the last change. Levels in the metric's unit: of the first 20 and the newest 10 experiments.
 */
export interface SlowDrift extends Omit<Drift, 'levelBefore' | 'levelAfter'> {
  readonly before: number
  readonly after: number
  /** Experiments since that change. */
  readonly count: number
}

/**
 * Whether a metric has crept since its last change, whose first value is at `from`. `values`: as the detector reads
 * them; `raw`: as shown. Null: no, too little to matter, or too few runs.
 */
export function findSlowDrift(
  metric: Metric,
  { raw, values }: { readonly raw: readonly number[]; readonly values: readonly number[] },
  from: number,
  settings: DetectorSettings,
): SlowDrift | null {
  const drift = findDrift(values.slice(from), settings)
  if (drift === null) return null
  const shown = raw.slice(from)
  const { levelBefore, levelAfter, ...found } = drift
  const [before, after] =
    metric.unit === 'ratio'
      ? [median(shown.slice(0, driftRuns.first)), median(shown.slice(-driftRuns.newest))]
      : [levelBefore, levelAfter]
  return matters(metric, before, after) ? { ...found, before, after, count: shown.length } : null
}
