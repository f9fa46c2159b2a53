import { stateWords, type JudgedState } from '@/lib/run/judged-states'
import { heldAgainst, sinceWords, type RunJudgement } from '@/lib/run/judgement'

/** A state in a few words. */
export interface JudgedChip {
  readonly state: JudgedState
  readonly words: string
}

/**
 * The state of a run; if its level changed, that of the level with since when, and that of the run in it: they are two
 * subjects.
 */
export function judgedChips({ state, metricId, metrics }: RunJudgement): readonly JudgedChip[] {
  const judged = metrics.find((one) => one.metricId === metricId)
  const isMoved = state === 'worse' || state === 'better'
  if (!isMoved || judged?.change == null) return [{ state, words: stateWords[state] }]
  const level = { state, words: `${stateWords[state]} since ${sinceWords(judged.change)}` }
  const held = heldAgainst(judged)
  if (held?.of !== 'since') return [level]
  const own = held.isOutside ? 'unusual' : 'as-expected'
  return [level, { state: own, words: `this run: ${stateWords[own].toLowerCase()}` }]
}
