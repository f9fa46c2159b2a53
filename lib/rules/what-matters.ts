import { minEffectOf } from '../run/metrics'
import { watchedMetrics, type Rule } from './rules'

/**
 * The smallest relative change of a metric that matters in a project, 0.05 is 5 %: of the rule that watches a scenario
 * (null: any), else the metric's own.
 */
export function whatMatters(rules: readonly Rule[], metricId: string, scenario: string | null = null): number {
  const asked = rules.filter((rule) => rule.isEnabled)
  const watched = watchedMetrics(asked, { id: '', scenario: scenario ?? '' })
  return watched.find((one) => one.metricId === metricId)?.minEffect ?? minEffectOf(metricId)
}
