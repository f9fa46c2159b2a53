import {
  boundsOf,
  chanceToDecide,
  evaluate,
  isEvaluated,
  isHopeless,
  type Bounds,
  type Evaluation,
  type Prediction,
  type Rule,
} from './boundary'
import { fitRounds, type Fit } from './fit'
import { orderOf } from './order'
import { changeOf, controlEffect, placeEffect, type Change, type ControlEffect, type PlaceEffect } from './place-effect'
import { base, grainDeviation, grainOf, head, logOf, widening, type Round } from './round'
import { smallestVisible } from './visible'
import { deviationToPromise, maxRounds, promiseProbability } from '../judge/rounds-needed'

/** A question that rounds answer. */
export interface Plan extends Rule {
  /** Base, head and perhaps control. */
  readonly arms: readonly string[]
  readonly direction: 'lower-is-better' | 'higher-is-better'
  /** From which the order of each round is drawn. */
  readonly seed: string
  /** Runs at most, void ones as well; null: no budget. */
  readonly maxRuns: number | null
  /** Time of all rounds at most; absent or null: no budget. */
  readonly maxMs?: number | null
}

interface Timed {
  /** Absent: it counts for no budget of time. */
  readonly durationMs?: number
}

/** A round that is over. */
export type FinishedRound =
  | ({ readonly kind: 'valid' } & Round & Timed)
  | ({
      readonly kind: 'void'
      /** Why it does not count: `timeout`, `exit 1`. */
      readonly reason: string
      /** Runs begun until then. */
      readonly runs: number
    } & Timed)

/** The word for what an experiment showed. */
export type Verdict = 'decided-worse' | 'decided-better' | 'same' | 'undecided' | 'unproven' | 'stopped'

/**
 * Why it ended. different, same: what was shown. max: no rounds are left. cannot: those left would hardly decide. void:
 * three rounds in a row did not count. budget: the next round would exceed it. control: base differs from itself.
 */
export type Reason = 'different' | 'same' | 'max' | 'cannot' | 'void' | 'budget' | 'control'

/** What an experiment showed when it ended, or shows so far. */
export interface Standing {
  /** Head against base with the interval of the boundary; null: too few rounds. */
  readonly effect: Change | null
  /** Where this many rounds end it; null: too few rounds. */
  readonly bounds: Bounds | null
  readonly place: PlaceEffect | null
  readonly control: ControlEffect | null
  /** Typical values of base and head, which divide to the effect; null: too few rounds. */
  readonly levels: { readonly base: number; readonly head: number } | null
  /** The step of printed values, relative to them, if it is more than the rounds scatter; else 0. */
  readonly grainRatio: number
  /** Smallest change that the rounds so far, and all planned ones, show with 80 %; null: too few rounds. */
  readonly visible: { readonly nowRatio: number; readonly plannedRatio: number } | null
  /** Valid rounds that lie too far off to count, from 1. */
  readonly leftOut: readonly number[]
  readonly rounds: number
  readonly voidRounds: number
  readonly runs: number
}

export interface Ended extends Standing {
  readonly kind: 'ended'
  readonly verdict: Verdict
  readonly reason: Reason
  /** Rounds of a new experiment that would decide with 80 %, for an undecided one; null: more than 200 more, or moot. */
  readonly roundsToDecide: number | null
}

export interface Running extends Standing {
  readonly kind: 'running'
  /** The arms of the next round in their order. */
  readonly next: readonly string[]
}

/** The first interval that is printed has this level; earlier ones would be too wide to read. */
const minToEstimate = 4
/** So many void rounds in a row end an experiment. */
export const maxVoidInARow = 3

/**
 * What finished rounds, in time order, say: the verdict, or the next round. The same rounds always give the same, so an
 * experiment is resumed from what is stored of it.
 */
export function experimentOf(plan: Plan, finished: readonly FinishedRound[]): Ended | Running {
  const valid = finished.filter((round) => round.kind === 'valid')
  const runs = finished.reduce((sum, round) => sum + (round.kind === 'valid' ? plan.arms.length : round.runs), 0)
  const fit = fitRounds(valid, plan.arms)
  const grain = grainOf(valid)
  const evaluation = fit && evaluate(fit, head, Math.max(minToEstimate, valid.length), plan, grain)
  const prediction = fit &&
    evaluation && {
      ...{ log: evaluation.log, deviation: fit.pairDeviation, rounds: valid.length },
      wider: widening(grain, fit.pairDeviation),
    }
  const reason = reasonToEnd(plan, { finished, valid: valid.length, runs, evaluation, prediction })
  const standing: Standing = {
    effect: evaluation && changeOf(evaluation.log, evaluation.half[reason === 'same' ? 'same' : 'different']),
    bounds: evaluation && boundsOf(evaluation, plan),
    place: fit && placeEffect(fit),
    control: fit && controlEffect(fit, plan.smallestRatio),
    levels: fit && evaluation && levelsOf(valid, fit, evaluation.log),
    grainRatio: fit && widening(grain, fit.pairDeviation) > 0 ? grain : 0,
    visible: fit && {
      nowRatio: visibleIn(valid.length, fit, grain, plan),
      plannedRatio: visibleIn(plan.maxRounds, fit, grain, plan),
    },
    leftOut: fit?.leftOut.map((at) => at + 1) ?? [],
    ...{ rounds: valid.length, voidRounds: finished.length - valid.length, runs },
  }
  if (reason === null) return { kind: 'running', ...standing, next: orderOf(plan.arms, plan.seed, valid.length) }
  const end = verdictOf(reason, standing, plan)
  const isOpen = end.verdict === 'undecided' && fit !== null && prediction !== null
  const needed = isOpen ? roundsLeft(prediction, fit, plan) : null
  return { kind: 'ended', ...standing, ...end, roundsToDecide: needed }
}

const visibleIn = (rounds: number, { pairDeviation }: Fit, grain: number, { alpha }: Plan): number =>
  smallestVisible(Math.max(pairDeviation, grainDeviation(grain)), rounds, alpha) + widening(grain, pairDeviation)

/** The geometric mean of base, and head as the fit has it. */
function levelsOf(rounds: readonly Round[], { leftOut }: Fit, log: number) {
  const used = rounds.filter((_, at) => !leftOut.includes(at))
  const level = used.reduce((sum, round) => sum + logOf(round, base), 0) / used.length
  return { base: Math.exp(level), head: Math.exp(level + log) }
}

interface Seen {
  readonly finished: readonly FinishedRound[]
  readonly valid: number
  readonly runs: number
  readonly evaluation: Evaluation | null
  readonly prediction: Prediction | null
}

function reasonToEnd(
  plan: Plan,
  { finished, valid, runs, evaluation, prediction }: Seen,
): Exclude<Reason, 'control'> | null {
  const last = finished.at(-1)
  // After a void round nothing new is known: the round before it was evaluated when it ended.
  if (last?.kind === 'valid' && isEvaluated(valid, plan.maxRounds)) {
    const outcome = evaluation?.outcome ?? null
    if (outcome !== null) return outcome
    if (valid >= plan.maxRounds) return 'max'
    if (prediction !== null && isHopeless(prediction, plan)) return 'cannot'
  }
  if (isVoid(finished)) return 'void'
  if (plan.maxRuns !== null && runs + plan.arms.length > plan.maxRuns) return 'budget'
  return isOutOfTime(plan, finished) ? 'budget' : null
}

/** Whether the next round, if it takes as long as the longest so far, would exceed the budget of time. */
function isOutOfTime({ maxMs = null }: Plan, finished: readonly Timed[]): boolean {
  if (maxMs === null) return false
  const times = finished.map(({ durationMs = 0 }) => durationMs)
  return times.reduce((sum, one) => sum + one, 0) + Math.max(0, ...times) > maxMs
}

/** Whether the last rounds are void, as many in a row as end an experiment. */
export const isVoid = (finished: readonly { readonly kind: string }[]): boolean =>
  finished.length >= maxVoidInARow && finished.slice(-maxVoidInARow).every(({ kind }) => kind === 'void')

function verdictOf(
  reason: Exclude<Reason, 'control'>,
  { effect, control }: Pick<Standing, 'effect' | 'control'>,
  { direction }: Plan,
): Pick<Ended, 'verdict' | 'reason'> {
  if (reason === 'void' || reason === 'budget') return { verdict: 'stopped', reason }
  if (control?.hasMoved) return { verdict: 'unproven', reason: 'control' }
  if (reason === 'same') return { verdict: 'same', reason }
  if (reason !== 'different') return { verdict: 'undecided', reason }
  const isHigher = (effect?.effectRatio ?? 0) > 0
  return { verdict: isHigher === (direction === 'lower-is-better') ? 'decided-worse' : 'decided-better', reason }
}

/** The deviation of further rounds is taken as larger than the one seen: as for finished experiments. */
function roundsLeft(prediction: Prediction, { df }: Fit, plan: Plan): number | null {
  const wide = { ...prediction, deviation: deviationToPromise(prediction.deviation, df) }
  for (let total = wide.rounds + 1; total <= wide.rounds + maxRounds; total += 1)
    if (chanceToDecide(wide, total, plan) >= promiseProbability) return total
  return null
}

/** Exit code of a command that ran it: 0 not worse, 1 worse, 2 void rounds, 3 not decided if that must be, 4 unproven. */
export function exitOf({ verdict, reason }: Pick<Ended, 'verdict' | 'reason'>, isStrict: boolean): number {
  if (verdict === 'decided-worse') return 1
  if (verdict === 'unproven') return 4
  if (reason === 'void') return 2
  return isStrict && (verdict === 'undecided' || verdict === 'stopped') ? 3 : 0
}
