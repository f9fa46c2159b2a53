import type { Side, StepOf } from '../judge/sides'
import { findMetric } from '../run/metrics'
import { changeVerdict } from '../levels/change'
import type { AlertFinding } from './evaluate-profile'

/**
 * What alerts report of the step between two sides: the sides hold runs of the groups that a finding names, one before
 * and one after its place. A single run of a larger group was chosen by a person and is no level.
 */
export function reportedSteps(findings: readonly AlertFinding[]): StepOf<{ readonly id: string }> {
  return (base, side, metric) => {
    const finding = findings.find(
      (one) => one.metricId === metric.id && isOf(base, one.beforeRunIds) && isOf(side, one.afterRunIds),
    )
    if (finding === undefined) return null
    const { metricId, effectRatio, effectLowRatio: lowRatio, effectHighRatio: highRatio, pRobust, pRank } = finding
    const known = findMetric(metricId)
    const verdict = known && changeVerdict(known, effectRatio > 0 ? 'up' : 'down')
    if (verdict === null || verdict === 'changed') return null
    return { verdict, effectRatio, lowRatio, highRatio, p: Math.max(pRobust, pRank) }
  }
}

function isOf(side: Side<{ readonly id: string }>, group: readonly string[]): boolean {
  return side.every(({ id }) => group.includes(id)) && (side.length > 1 || group.length === 1)
}
