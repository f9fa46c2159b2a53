import { stateWords, type JudgedState } from './judged-states'
import { heldAgainst, sinceWords, type MetricJudgement, type RunJudgement } from './judgement'

/** While a change of level stands, the level and the run itself are two subjects. */
export interface Standing {
  /** `Worse since 8de2d48`. */
  readonly level: string
  /** How the run stands in the level since; null: that has too few runs. */
  readonly own: 'as-expected' | 'unusual' | null
}

/** Since when a level is as it is: `Worse since 8de2d48`. */
export const levelWords = (state: JudgedState, change: NonNullable<MetricJudgement['change']>): string =>
  `${stateWords[state]} since ${sinceWords(change)}`

/** How a run stands whose state is that of a changed level; null: its state is its own. */
export function standingOf(judgement: Pick<RunJudgement, 'state' | 'metricId' | 'metrics'> | null): Standing | null {
  if (judgement?.state !== 'worse' && judgement?.state !== 'better') return null
  const metric = judgement.metrics.find(({ metricId }) => metricId === judgement.metricId)
  if (metric?.change == null) return null
  const held = heldAgainst(metric)
  const own = held?.of !== 'since' ? null : held.isOutside ? 'unusual' : 'as-expected'
  return { level: levelWords(judgement.state, metric.change), own }
}
