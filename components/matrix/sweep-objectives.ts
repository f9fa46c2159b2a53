import { latencyIds, objectiveOf, objectiveWords, parseObjective, type Objective } from '@/lib/capacity/objective'
import type { MetricLimit, NamedLimit } from '@/lib/run/limits'
import { maxObjectives, type MatrixQuery } from './matrix-url'

/** What a sweep is held against: what its address asks for, else the limits of the project. */
export function objectivesOf(query: MatrixQuery, limits: readonly MetricLimit[]): readonly Objective[] {
  const asked = query.objectives.flatMap((text) => parseObjective(text) ?? [])
  return asked.length > 0 ? asked : limits.flatMap((limit) => objectiveOf(limit) ?? [])
}

/** An objective as a chart draws it: a named rule. */
export const ruleOf = (objective: Objective): NamedLimit => ({
  name: objectiveWords(objective),
  value: objective.value,
  metricId: objective.metric === 'success' ? 'success-ratio' : latencyIds[objective.metric],
})

/** Why a text is not used. */
export const refusedWords = (text: string): string =>
  `‘${text.slice(0, 100)}’ is no objective, or there are more than ${maxObjectives}.`

export const objectiveHint = 'Write p99<100ms or success>99.9%; p50, p90, p95, p99.9 and mean work like p99.'
