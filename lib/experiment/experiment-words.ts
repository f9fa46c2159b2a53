import {
  columnUnit,
  formatChange,
  formatCompared,
  formatDuration,
  formatPercent,
  plural,
  roundChange,
  withUnit,
} from '../format'
import type { Metric } from '../run/metrics'
import type { Ended, Plan, Standing, Verdict } from './experiment'
import type { DoesLess } from './does-less'
import type { Change, ControlEffect, PlaceEffect } from './place-effect'
import { control } from './round'

/** An experiment that ended, in words: the only place that writes them. */
export interface ExperimentWords {
  /** `worse`, `the same`. */
  readonly word: string
  /** Without a full stop. */
  readonly sentence: string
  /** What the verdict rests on, most important first; each without a full stop. */
  readonly notes: readonly string[]
}

/** What is known beyond the figures. */
export interface Circumstances {
  readonly metric: Pick<Metric, 'shortLabel' | 'unit'>
  /** Average time of a round; null: unknown. */
  readonly roundMs: number | null
  /** Why the last round was void, with its arm: `head: exit 1`; null: it was not. */
  readonly voidReason: string | null
  /** Whether rounds ended because head alone failed its requests. */
  readonly isFailing: boolean
  /** How a better head does less than base; null: it does as much. */
  readonly doesLess: DoesLess | null
}

const words: Readonly<Record<Verdict, string>> = {
  'decided-worse': 'worse',
  'decided-better': 'better',
  same: 'the same',
  undecided: 'undecided',
  unproven: 'unproven',
  stopped: 'stopped',
}

export const lessWords: Readonly<Record<DoesLess, string>> = {
  'fewer-requests': 'fewer requests',
  failures: 'more failures',
  'other-status': 'other status codes',
  'fewer-bytes': 'fewer bytes per response',
}

/** `−10 % to −0.99 %`. */
export const intervalWords = ({ low, high }: Pick<Change, 'low' | 'high'>): string =>
  `${formatChange(low)} to ${formatChange(high)}`

export function experimentWords(ended: Ended, plan: Plan, circumstances: Circumstances): ExperimentWords {
  const { visible } = ended
  const notes = [
    spentWords(ended, plan, circumstances),
    ...(circumstances.doesLess === null ? [] : [`Head does less: ${lessWords[circumstances.doesLess]} than base`]),
    ...setUpWords(ended, plan, circumstances.metric),
    ...(ended.verdict === 'stopped' ? [] : [promiseWords(plan)]),
    ...(visible === null ? [] : [visibleWords(ended, plan)]),
  ]
  const word = circumstances.isFailing ? 'failing' : words[ended.verdict]
  return { word, sentence: sentenceOf(ended, plan, circumstances), notes }
}

function sentenceOf(ended: Ended, plan: Plan, { metric, voidReason, isFailing }: Circumstances): string {
  const { verdict, reason, rounds, control: moved } = ended
  const name = metric.shortLabel
  const figures = figuresWords(ended, metric)
  const stored = `${plural(rounds, 'finished round')} ${rounds === 1 ? 'is' : 'are'} stored`
  switch (verdict) {
    case 'decided-worse':
    case 'decided-better':
      return `${figures ?? name}, decided at round ${rounds} of ${plan.maxRounds}`
    case 'same':
      return `The same within ${formatPercent(plan.smallestRatio)}: ${figures ?? name}`
    case 'undecided':
      return `Not decided by ${plural(rounds, 'round')}: ${figures ?? name}${openWords(ended, plan)}`
    case 'unproven':
      return `Unproven: base against itself moved by ${roundChange(moved?.effectRatio ?? null)}. Nothing is said about head`
    case 'stopped':
      if (isFailing) return `Head fails, base does not, three rounds in a row: ${voidReason ?? ''}`
      if (reason === 'budget') return `Stopped by its budget${figures === null ? '' : `: ${figures}`}; ${stored}`
      return `Stopped: three rounds in a row were void${voidReason === null ? '' : ` (${voidReason})`}; ${stored}`
  }
}

/** `p99 of head −5.7 % (−10 % to −0.99 %), 61.0 to 57.5 ms`. Null: too few rounds. */
function figuresWords(standing: Ended, metric: Circumstances['metric']): string | null {
  const { effect } = standing
  if (effect === null) return null
  const figures = `${metric.shortLabel} of head ${roundChange(effect.effectRatio)} (${intervalWords(effect)})`
  const levels = levelsWords(standing, metric)
  return levels === null ? figures : `${figures}, ${levels}`
}

/** `61.0 to 57.5 ms`: the values divide to the change. Null: too few rounds. */
export function levelsWords(
  { effect, levels }: Pick<Standing, 'effect' | 'levels'>,
  { unit }: Circumstances['metric'],
): string | null {
  if (effect === null || levels === null) return null
  const values = [levels.base, levels.head]
  const column = columnUnit(unit, values)
  const [one = '', other = ''] = formatCompared(values, [null, effect.effectRatio], unit, column)
  return `${one} to ${withUnit(other, column)}`
}

const openWords = ({ reason, rounds, roundsToDecide }: Ended, { maxRounds }: Plan): string =>
  [
    reason === 'cannot' ? `; the other ${maxRounds - rounds} would hardly decide it` : '',
    roundsToDecide === null ? '; 200 more rounds would not decide it' : `; about ${roundsToDecide} rounds would`,
  ].join('')

function spentWords(
  { verdict, rounds, voidRounds }: Ended,
  { maxRounds, arms }: Plan,
  { roundMs }: Circumstances,
): string {
  const left = maxRounds - rounds
  const time = roundMs === null ? '' : ` and about ${formatDuration(left * roundMs)}`
  const saved = left <= 0 || verdict === 'stopped' ? '' : `: ${plural(left * arms.length, 'run')}${time} saved`
  return `${rounds} of at most ${plural(maxRounds, 'round')}${voidRounds === 0 ? '' : `, ${voidRounds} void`}${saved}`
}

/** What rounds say of the set-up. */
export function setUpWords(
  { place, control: moved, leftOut, grainRatio }: Standing,
  plan: Plan,
  metric: Circumstances['metric'],
): readonly string[] {
  const isUncontrolled = place !== null && !plan.arms.includes(control)
  return [
    ...(moved === null ? [] : [controlWords(moved, plan.smallestRatio)]),
    ...(place === null ? [] : [placeWords(place)]),
    ...(isUncontrolled ? ['Without a control arm, nothing is said about the set-up'] : []),
    ...(leftOut.length === 0
      ? []
      : [`Too far off to count: ${plural(leftOut.length, 'round')} (${leftOut.join(', ')})`]),
    ...(grainRatio === 0 ? [] : [grainWords(grainRatio, metric)]),
  ]
}

function controlWords(change: ControlEffect, smallestRatio: number): string {
  const figures = `Control ${roundChange(change.effectRatio)} (${intervalWords(change)})`
  return change.hasMoved
    ? `${figures}: moved`
    : `${figures}: not surely moved by half of ${formatPercent(smallestRatio)}`
}

const placeNames = ['first', 'second', 'third'] as const

/** What runs in a place, against what runs first. */
function placeWords(change: PlaceEffect): string {
  const name = placeNames[change.place - 1] ?? `${change.place}th`
  const figures = `What runs ${name} differs by ${roundChange(change.effectRatio)} (${intervalWords(change)}, at 99 %)`
  return change.isNamed ? `${figures}: a fixed order is wrong here` : `${figures}: no place effect is shown`
}

export function visibleWords(
  { visible, rounds }: Pick<Standing, 'visible' | 'rounds'>,
  { maxRounds }: Pick<Plan, 'maxRounds'>,
): string {
  const now = `${formatPercent(round(visible?.nowRatio ?? 0))} in ${plural(rounds, 'round')}`
  return rounds === maxRounds
    ? `This set-up shows ${now}`
    : `This set-up shows ${now}, ${formatPercent(round(visible?.plannedRatio ?? 0))} in ${maxRounds}`
}

const grainWords = (grainRatio: number, { shortLabel }: Circumstances['metric']): string =>
  `${shortLabel} is printed in steps of ${formatPercent(round(grainRatio))}: the intervals are wider by it`

export const promiseWords = ({ alpha }: Plan): string =>
  `False alarms over all evaluations: at most ${formatPercent(alpha)} of experiments on identical code`

const round = (ratio: number): number => Number(ratio.toPrecision(2))
