import type { Plot } from '../charts/plot/model'
import { prepareTrend, type TrendOptions } from '../charts/trend'
import { hasHistory, limitsOfTrends, prepareScenarioTrends } from '../trends/scenario-trends'
import type { SeriesTrends } from '@/lib/levels/trend'
import type { RuleLimit } from '@/lib/rules/limits'
import type { Metric } from '@/lib/run/metrics'

/** Below a board of a few series: the history of the first one's scenario. */
export interface BoardChart {
  readonly scenario: string
  /** The series whose page has the same chart. */
  readonly seriesId: string
  readonly plot: Plot
}

/** More series than these fill the page. */
const fewSeries = 4

interface Asked extends Pick<TrendOptions, 'projectSlug' | 'shifts'> {
  /** That the rules of the project set. */
  readonly limits: readonly RuleLimit[]
}

/** `all`: of the series on the page, in their order. Null: they fill the page, or have no history. */
export function prepareBoardChart(all: readonly SeriesTrends[], metric: Metric, asked: Asked): BoardChart | null {
  const [first] = all
  if (first === undefined || all.length > fewSeries) return null
  const own = prepareScenarioTrends(all).find(({ scenario }) => scenario === first.series.scenario)
  if (own === undefined || !hasHistory(own.trends)) return null
  const limits = limitsOfTrends(asked.limits, own.trends)
  const options = { ...asked, limits, order: 'time', scale: 'linear', id: 'board-trend', isSmall: true } as const
  const plot = prepareTrend(metric, own.trends, options)?.plot
  return plot === undefined ? null : { scenario: own.scenario, seriesId: own.seriesId, plot }
}
