import { linesOf, type LineHead } from '../run/series'
import type { Metric } from '../run/metrics'
import type { SeriesHistory, SeriesSummary } from '../run/stored'
import { findTrendDrift, type TrendDrift } from './trend-drift'
import { trendOf, type Trend } from './trend'

/** A judged metric of a line, without the line's runs: what charts and sentences read. */
export interface JudgedTrend extends Omit<Trend, 'line'> {
  readonly line: LineHead
  /** Whether it crept since its last step; null: no, or too few runs. */
  readonly drift: TrendDrift | null
}

/** One metric of all lines of a series, the line with the newest run first. */
export interface SeriesTrends {
  readonly series: SeriesSummary
  readonly trends: readonly JudgedTrend[]
}

/** Judges one metric of a series as the history's marks do. Never throws. */
export function judgeSeries(history: SeriesHistory, metric: Metric): SeriesTrends {
  const { points: _, ...series } = history
  const trends = linesOf(history).map((line): JudgedTrend => {
    const trend = trendOf(line, metric)
    return { ...trend, line: { key: line.key, series, profile: line.profile }, drift: findTrendDrift(trend) }
  })
  return { series, trends }
}
