import { formatPercent, plural, roundChange } from '../format'
import { experimentWords, intervalWords } from './experiment-words'
import type { ExperimentProgress } from './stored-experiment'

/** What an experiment shows, in words; each without a full stop. */
export interface ProgressWords {
  /** `running`, `worse`. */
  readonly word: string
  readonly sentence: string
  /** What that rests on, most important first. */
  readonly notes: readonly string[]
}

/** The words of an experiment in any state. */
export function progressWords({ state, standing, plan, metric, rounds }: ExperimentProgress): ProgressWords {
  if (standing.kind === 'ended') {
    const voidReason = rounds.at(-1)?.voidReason ?? null
    return experimentWords(standing, plan, { metric, roundMs: null, voidReason, isFailing: false, doesLess: null })
  }
  const { effect, visible } = standing
  const done = `${standing.rounds} of at most ${plural(plan.maxRounds, 'round')}`
  const figures = effect === null ? '' : `${metric.shortLabel} ${roundChange(effect.effectRatio)} `
  const sentence = {
    running: effect === null ? `Not decided yet: ${done}` : `Not decided yet: ${figures}after ${done}`,
    stopped: effect === null ? `Stopped manually: ${done}` : `Stopped manually: ${figures}after ${done}`,
  }[state === 'stopped' ? 'stopped' : 'running']
  const notes = [
    ...(effect === null ? [] : [`Interval ${intervalWords(effect)}`]),
    ...(visible === null
      ? []
      : [
          `This set-up shows ${formatPercent(Number(visible.plannedRatio.toPrecision(2)))} in ${plan.maxRounds} rounds`,
        ]),
    `False alarms over all evaluations: at most ${formatPercent(plan.alpha)} of experiments on identical code`,
  ]
  return { word: state, sentence, notes }
}
