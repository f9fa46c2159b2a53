import { normalTail } from '../stats/distributions'
import { cachedStudentQuantile } from '../stats/student-quantile'
import type { Fit } from './fit'
import { widening } from './round'

/** By what an experiment is judged while it runs. */
export interface Rule {
  /** Rounds at most. */
  readonly maxRounds: number
  /** Share of experiments on identical code that may be called different, over all evaluations. */
  readonly alpha: number
  /** Smallest relative change that matters: 0.05 is 5 %. */
  readonly smallestRatio: number
}

/** Part of alpha that the last evaluation spends: evaluations at every second round then err in alpha together. */
const spent = 0.4
const firstEvaluation = 6
/** From this many rounds on, an experiment may be given up. */
const minToGiveUp = 8
/** Below this probability of an outcome, the rounds that are left are not worth their time. */
const hopeless = 0.05

/** After which rounds an experiment is evaluated: 6, 8, 10, … and the last. */
export const isEvaluated = (rounds: number, maxRounds: number): boolean =>
  rounds === maxRounds || (rounds < maxRounds && rounds >= firstEvaluation && (rounds - firstEvaluation) % 2 === 0)

/** Two-sided level at which `rounds` of `maxRounds` show a difference. */
const differenceLevel = (rounds: number, { maxRounds, alpha }: Rule): number =>
  spent * alpha * (rounds / maxRounds) ** 2
/** Level of each side at which they show that nothing that matters differs. */
const sameLevel = (rounds: number, { maxRounds, alpha }: Rule): number => spent * alpha * (rounds / maxRounds)

export type Outcome = 'different' | 'same'

/** What the rounds so far show, on the log scale. */
export interface Evaluation {
  /** Null: neither, yet. */
  readonly outcome: Outcome | null
  readonly log: number
  /** Half of the interval of each boundary: with its own, a verdict and its interval always agree. */
  readonly half: Readonly<Record<Outcome, number>>
}

/**
 * Spending by powers of the share of the rounds (Lan & DeMets 1983), with t instead of the normal. Null: the arm was not
 * measured. `grain`: of the values, on the log scale.
 */
export function evaluate(fit: Fit, arm: string, rounds: number, rule: Rule, grain = 0): Evaluation | null {
  const effect = fit.arms.get(arm)
  if (effect === undefined) return null
  const { log, error } = effect
  const zone = Math.log1p(rule.smallestRatio)
  const half = halvesOf({ error, df: fit.df, wider: widening(grain, fit.pairDeviation) }, rounds, rule)
  if (Math.abs(log) + half.same < zone) return { outcome: 'same', log, half }
  const isDifferent = Math.abs(log) > half.different && Math.abs(log) >= zone
  return { outcome: isDifferent ? 'different' : null, log, half }
}

interface Noise {
  readonly error: number
  readonly df: number
  /** By how much intervals are wider than their noise. */
  readonly wider: number
}

const halvesOf = ({ error, df, wider }: Noise, rounds: number, rule: Rule): Evaluation['half'] => ({
  different: cachedStudentQuantile(differenceLevel(rounds, rule) / 2, df) * error + wider,
  same: cachedStudentQuantile(sameLevel(rounds, rule), df) * error + wider,
})

/** How far from no change an estimate ends an experiment, on the log scale. */
export interface Bounds {
  /** Beyond it, as different. */
  readonly different: number
  /** Within it, as the same; 0: never. */
  readonly same: number
}

/** The bounds of an evaluation, by its intervals. */
export function boundsOf({ half }: Pick<Evaluation, 'half'>, { smallestRatio }: Rule): Bounds {
  const zone = Math.log1p(smallestRatio)
  return { different: Math.max(zone, half.different), same: Math.max(0, zone - half.same) }
}

/** The bounds after `total` rounds, if these scatter as the `rounds` of the fit did. Null: the arm was not measured. */
export function boundsAhead(
  fit: Fit,
  arm: string,
  { rounds, total }: { readonly rounds: number; readonly total: number },
  rule: Rule,
  grain: number,
): Bounds | null {
  const effect = fit.arms.get(arm)
  if (effect === undefined) return null
  const used = rounds - fit.leftOut.length
  const more = total - rounds
  const noise = {
    error: effect.error * Math.sqrt(used / (used + more)),
    df: fit.df + more * fit.arms.size,
    wider: widening(grain, fit.pairDeviation),
  }
  return boundsOf({ half: halvesOf(noise, total, rule) }, rule)
}

/** What rounds so far predict of those to come, on the log scale. */
export interface Prediction {
  readonly log: number
  /** Of one round's difference. */
  readonly deviation: number
  readonly rounds: number
  /** By how much intervals are wider than their noise. */
  readonly wider: number
}

/**
 * Probability that `total` rounds will show either, as far as those so far predict (Spiegelhalter, Freedman & Parmar
 * 1994).
 */
export function chanceToDecide({ log, deviation, rounds, wider }: Prediction, total: number, rule: Rule): number {
  const atEnd = { ...rule, maxRounds: total }
  const zone = Math.log1p(rule.smallestRatio)
  const toCome = deviation / Math.sqrt(total)
  const spread = deviation * Math.sqrt(Math.max(1e-12, 1 / rounds - 1 / total))
  const df = Math.max(1, total - 2)
  const different = Math.max(zone, cachedStudentQuantile(differenceLevel(total, atEnd) / 2, df) * toCome + wider)
  const same = zone - cachedStudentQuantile(sameLevel(total, atEnd), df) * toCome - wider
  const beyond = (bound: number) => normalTail((bound - log) / spread)
  const isDifferent = beyond(different) + 1 - beyond(-different)
  return isDifferent + (same > 0 ? beyond(-same) - beyond(same) : 0)
}

/** Whether it is not worth to go on: the rounds that are left would hardly decide. */
export const isHopeless = (prediction: Prediction, rule: Rule): boolean =>
  prediction.rounds >= minToGiveUp &&
  prediction.rounds < rule.maxRounds &&
  chanceToDecide(prediction, rule.maxRounds, rule) < hopeless
