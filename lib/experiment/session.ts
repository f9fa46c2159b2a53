import { normalTail } from '../stats/distributions'
import { cachedStudentQuantile } from '../stats/student-quantile'
import { isEvaluated, type Rule } from './boundary'
import { addWork, doesLess, noWork, type DoesLess, type Work } from './does-less'
import { isVoid, type Plan } from './experiment'
import { fitRounds, type Fit } from './fit'
import { orderOf } from './order'
import { changeOf, type Change } from './place-effect'
import { base, grainDeviation, grainOf, widening, type Round } from './round'

/** The best so far: base and what was kept. Attempts are measured against it. */
export const best = 'best'

/** Many attempts against one base, with one budget of error. */
export interface SessionPlan extends Rule, Pick<Plan, 'direction' | 'seed'> {
  /** Attempts that share the first half of alpha; those beyond share the other. */
  readonly plannedAttempts: number
  /** Runs at most, those that confirm the best as well. */
  readonly maxRuns: number
  /** Whether each run was asked for a number of requests: then fewer of them are suspect. */
  readonly comparesRequests: boolean
}

/** A round of a session; a raw output that was seen before makes its round void (`reused`). */
export type SessionRound =
  | ({ readonly kind: 'valid'; readonly work: Readonly<Record<string, Work>> } & Round)
  | { readonly kind: 'void'; readonly reason: string; readonly runs: number }

/** The reason of a void round whose output had been seen before. */
export const reused = 'reused-output'
/** Fresh rounds of the best against the original base, evaluated once. */
const confirmingRounds = 16
/** The reason of a void round in which the attempt alone failed its requests. */
export const failing = 'failures'
/** Below this probability that the rounds that are left keep it, an attempt is reverted. */
const hopeless = 0.05
/** Part of an attempt's level that its last evaluation spends. */
const spent = 0.3
const firstEvaluation = 6
/** Three void rounds may still follow. */
const runsInReserve = 6
/** From so many rounds on, what an attempt does is compared. */
const minToSuspect = 2
const minToConfirm = 4

/**
 * One-sided level of the `count`-th attempt that is measured, from 1: α/2 shared by those planned, α/2 · 6/(π²j²) for the
 * j-th beyond (Foster & Stine 2008). Only keeping can err expensively, so only it is paid for.
 */
export function levelOf(
  count: number,
  { plannedAttempts, alpha }: Pick<SessionPlan, 'plannedAttempts' | 'alpha'>,
): number {
  if (count <= plannedAttempts) return alpha / 2 / plannedAttempts
  return ((alpha / 2) * 6) / (Math.PI * (count - plannedAttempts)) ** 2
}

/** Runs that an attempt may take, so that the confirming ones remain; null: too few for its first evaluation. */
export function roomFor({ maxRuns }: SessionPlan, runs: number): number | null {
  const room = maxRuns - runs - 2 * confirmingRounds
  return room < 2 * firstEvaluation ? null : room
}

/** Why an attempt is not kept. */
export type RevertReason = 'not-shown' | 'would-not-show' | 'budget' | 'void'

export type AttemptStanding =
  | { readonly kind: 'running'; readonly next: readonly string[] }
  | { readonly kind: 'keep'; readonly gainLog: number; readonly deviation: number }
  | {
      readonly kind: 'revert'
      readonly why: RevertReason
      readonly gainLog: number | null
      /** Of one round's difference; null: too few rounds. */
      readonly deviation: number | null
    }
  | { readonly kind: 'suspect'; readonly why: DoesLess | typeof reused }

/** The attempt `name` after its rounds so far, at its level, with room for so many runs. */
export function attemptOf(
  plan: SessionPlan,
  { name, level, room }: { readonly name: string; readonly level: number; readonly room: number },
  finished: readonly SessionRound[],
): AttemptStanding {
  const valid = finished.filter((round) => round.kind === 'valid')
  if (isVoid(finished)) {
    const last = finished.at(-1)
    if (last?.kind === 'void' && (last.reason === reused || last.reason === failing))
      return { kind: 'suspect', why: last.reason }
    return { kind: 'revert', why: 'void', gainLog: null, deviation: null }
  }
  const next = { kind: 'running', next: orderOf([best, name], `${plan.seed} ${name}`, valid.length) } as const
  if (finished.at(-1)?.kind !== 'valid') return next
  const less =
    valid.length >= minToSuspect ? doesLess(workOf(valid, best), workOf(valid, name), plan.comparesRequests) : null
  if (less !== null) return { kind: 'suspect', why: less }
  const runs = finished.reduce((sum, round) => sum + (round.kind === 'valid' ? 2 : round.runs), 0)
  const isSpent = runs + runsInReserve > room
  if (!isEvaluated(valid.length, plan.maxRounds) && !isSpent) return next
  const fit = fitRounds(valid, [best, name])
  if (fit === null) return { kind: 'revert', why: 'budget', gainLog: null, deviation: null }
  return judgeAttempt(plan, { fit, name, level, rounds: valid.length, isSpent, grain: grainOf(valid) }) ?? next
}

const workOf = (rounds: readonly Extract<SessionRound, { kind: 'valid' }>[], arm: string): Work =>
  rounds.reduce((sum, { work }) => addWork(sum, work[arm] ?? noWork), noWork)

interface Measured {
  readonly fit: Fit
  readonly name: string
  readonly level: number
  readonly rounds: number
  readonly isSpent: boolean
  readonly grain: number
}

/** Null: not decided yet. */
function judgeAttempt(
  plan: SessionPlan,
  { fit, name, level, rounds, isSpent, grain }: Measured,
): AttemptStanding | null {
  const { log, error } = fit.arms.get(name) ?? { log: 0, error: Number.POSITIVE_INFINITY }
  const gainLog = plan.direction === 'lower-is-better' ? -log : log
  const zone = Math.log1p(plan.smallestRatio)
  const wider = widening(grain, fit.pairDeviation)
  const reach = cachedStudentQuantile(spent * level * (rounds / plan.maxRounds) ** 2, fit.df) * error + wider
  const deviation = Math.max(fit.pairDeviation, grainDeviation(grain))
  if (gainLog > reach && gainLog >= zone) return { kind: 'keep', gainLog, deviation }
  if (rounds >= plan.maxRounds) return { kind: 'revert', why: 'not-shown', gainLog, deviation }
  if (isSpent) return { kind: 'revert', why: 'budget', gainLog, deviation }
  const atEnd = (cachedStudentQuantile(spent * level, plan.maxRounds - 2) * deviation) / Math.sqrt(plan.maxRounds)
  const spread = deviation * Math.sqrt(1 / rounds - 1 / plan.maxRounds)
  const chance = normalTail((Math.max(zone, atEnd) - gainLog) / spread)
  return chance < hopeless ? { kind: 'revert', why: 'would-not-show', gainLog, deviation } : null
}

/** Rounds that an attempt needs to show a gain of this size with 80 %, at the noise of one round's difference. */
export function roundsToKeep(plan: SessionPlan, deviation: number, ratio: number): number | null {
  const level = spent * levelOf(1, plan)
  for (let rounds = firstEvaluation; rounds <= maxPromised; rounds += 1) {
    const reach = cachedStudentQuantile(level, rounds - 2) + cachedStudentQuantile(0.2, rounds - 2)
    if ((reach * deviation) / Math.sqrt(rounds) <= Math.log1p(ratio)) return rounds
  }
  return null
}
const maxPromised = 400

export interface Confirmed extends Change {
  readonly rounds: number
}

/**
 * The best against the original base in fresh rounds: the gain that is reported, because it is not the luck of the best
 * of many. A running one has the next order; null: it cannot be confirmed.
 */
export function confirmationOf(
  { seed, maxRuns }: SessionPlan,
  finished: readonly SessionRound[],
  runs: number,
):
  | { readonly kind: 'running'; readonly next: readonly string[] }
  | { readonly kind: 'ended'; readonly confirmed: Confirmed | null } {
  const arms = [base, best]
  const valid = finished.filter((round) => round.kind === 'valid')
  const isOver = valid.length >= confirmingRounds || isVoid(finished) || runs + 2 > maxRuns
  if (!isOver) return { kind: 'running', next: orderOf(arms, `${seed} confirmation`, valid.length) }
  const fit = valid.length < minToConfirm ? null : fitRounds(valid, arms)
  const effect = fit?.arms.get(best)
  if (!fit || effect === undefined) return { kind: 'ended', confirmed: null }
  const wider = widening(grainOf(valid), fit.pairDeviation)
  const change = changeOf(effect.log, cachedStudentQuantile(0.025, fit.df) * effect.error + wider)
  return { kind: 'ended', confirmed: { ...change, rounds: valid.length } }
}
