import { verdictAlpha } from '../judge/delta'
import type { SeriesNoise } from '../judge/history-noise'
import { othersShare, primaryShare, type ExperimentHistory } from '../judge/experiment'
import { historyPilot, maxRounds, planRounds } from '../judge/rounds-needed'
import type { SeriesTrends, Trend } from '../levels/trend'
import { defaultMetric, findMetric, minEffectOf, type Metric } from '../run/metrics'
import { median } from '../stats/robust'

/** What an environment shows best: latencies and the rate. */
export const visibleMetrics = ['p50', 'mean', 'p99', 'requests-per-second'].flatMap((id) => findMetric(id) ?? [])
/** Series from which it is said what changes show. */
export const seriesOfVisible = 12

/** What an environment can show of a metric: of its series, the middle one, with the least and the most. */
export interface VisibleChange {
  readonly metric: Metric
  /** Standard deviation of a run. */
  readonly noise: Range
  /** Smallest change that five runs show in four of five cases. */
  readonly visible: Range
  /** The smallest change that matters, and how many rounds show it; null: not known; more than 200: beyond that. */
  readonly effectRatio: number
  readonly rounds: Range | null
}

interface Range {
  readonly middle: number
  readonly least: number
  readonly most: number
}

/** For each metric of which the noise of a series is known. `trends`: of the newest load of each series. */
export function visibleChanges(
  trends: ReadonlyMap<Metric, readonly SeriesTrends[]>,
  noises: readonly SeriesNoise[],
): readonly VisibleChange[] {
  return [...trends].flatMap(([metric, series]) => {
    const newest = series.flatMap((one) => one.trends[0] ?? [])
    const noise = rangeOf(newest.flatMap(({ noiseRatio }) => noiseRatio ?? []))
    const visible = rangeOf(newest.flatMap(({ visibleRatio }) => visibleRatio ?? []))
    const rounds = rangeOf(newest.flatMap((trend) => roundsOf(trend, historyOf(noises, trend))))
    if (noise === null || visible === null) return []
    return [{ metric, noise, visible, effectRatio: minEffectOf(metric.id), rounds }]
  })
}

const historyOf = (noises: readonly SeriesNoise[], { profile, metric }: Trend) =>
  noises.find((one) => one.seriesId === profile.series.id)?.byProfile[profile.name]?.[metric.id] ?? null

function roundsOf({ metric }: Trend, history: ExperimentHistory | null): readonly number[] {
  if (history === null) return []
  const share = metric === defaultMetric ? primaryShare : othersShare
  return [planRounds(historyPilot(history, share * verdictAlpha), minEffectOf(metric.id)) ?? maxRounds + 1]
}

const rangeOf = (values: readonly number[]): Range | null =>
  values.length === 0 ? null : { middle: median(values), least: Math.min(...values), most: Math.max(...values) }
