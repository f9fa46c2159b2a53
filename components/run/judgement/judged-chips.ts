import { stateWords, type JudgedState } from '@/lib/run/judged-states'
import type { RunJudgement } from '@/lib/run/judgement'
import { standingOf } from '@/lib/run/standing'

/** A state in a few words. */
export interface JudgedChip {
  readonly state: JudgedState
  readonly words: string
}

/**
 * The state of a run; if its level changed, that of the level with since when, and that of the run in it: they are two
 * subjects.
 */
export function judgedChips(judgement: RunJudgement): readonly JudgedChip[] {
  const { state } = judgement
  const standing = standingOf(judgement)
  if (standing === null) return [{ state, words: stateWords[state] }]
  const level = { state, words: standing.level }
  return standing.own === null
    ? [level]
    : [level, { state: standing.own, words: `this run: ${stateWords[standing.own].toLowerCase()}` }]
}
