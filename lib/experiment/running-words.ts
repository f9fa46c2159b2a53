import { formatChange, formatPercent, plural, roundChange } from '../format'
import { aheadOf, type CourseBounds } from './course'
import type { Plan } from './experiment'
import { experimentWords, intervalWords, levelsWords, promiseWords, setUpWords, visibleWords } from './experiment-words'
import type { ExperimentProgress } from './stored-experiment'
import { toRatio } from './visible'

/** What an experiment shows, in words; each without a full stop. */
export interface ProgressWords {
  /** `running`, `worse`. */
  readonly word: string
  readonly sentence: string
  /** What that rests on, most important first. */
  readonly notes: readonly string[]
  /** When it is evaluated next, and which estimates would end it; null: it is over, or too few rounds say so. */
  readonly next: string | null
}

/** `running` → `Running`. */
export const shownWord = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`

/** The words of an experiment in any state. */
export function progressWords(progress: ExperimentProgress): ProgressWords {
  const { state, standing, plan, metric, rounds, roundMs, isFailing, doesLess } = progress
  if (standing.kind === 'ended') {
    const voidReason = rounds.at(-1)?.voidReason ?? null
    return { ...experimentWords(standing, plan, { metric, roundMs, voidReason, isFailing, doesLess }), next: null }
  }
  const { effect, visible } = standing
  const done = `${standing.rounds} of at most ${plural(plan.maxRounds, 'round')}`
  const figures = effect === null ? '' : `${metric.shortLabel} ${roundChange(effect.effectRatio)} `
  const lead = state === 'stopped' ? 'Stopped manually' : 'Not decided yet'
  const sentence = effect === null ? `${lead}: ${done}` : `${lead}: ${figures}after ${done}`
  const [next] = state === 'stopped' ? [] : aheadOf(plan, progress.finished)
  const levels = levelsWords(standing, metric)
  const notes = [
    ...(effect === null ? [] : [`Interval ${intervalWords(effect)}${levels === null ? '' : `, ${levels}`}`]),
    ...(standing.voidRounds === 0 ? [] : [`${plural(standing.voidRounds, 'round')} void`]),
    ...setUpWords(standing, plan, metric),
    ...(visible === null ? [] : [visibleWords(standing, plan)]),
    promiseWords(plan),
  ]
  return { word: state, sentence, notes, next: next === undefined ? null : nextWords(next, plan) }
}

/** `Evaluated next after round 12: better below −4.9 %, worse above +5.2 %`. */
function nextWords({ rounds, different, same }: CourseBounds, { direction }: Plan): string {
  const [below, above] = direction === 'lower-is-better' ? ['better', 'worse'] : ['worse', 'better']
  const ends = [
    `${below} below ${formatChange(toRatio(-different))}`,
    `${above} above ${formatChange(toRatio(different))}`,
    ...(same === 0 ? [] : [`the same within ±${formatPercent(toRatio(same)).replace(/^\+/, '')}`]),
  ]
  return `Evaluated next after round ${rounds}, if rounds scatter as so far: ${ends.join(', ')}`
}
