import { studentQuantile, studentTail } from '../stats/distributions'
import { placeboBound } from '../stats/placebo'
import { clippedSquares, median, theilSenSlope } from '../stats/robust'
import {
  flipInterval,
  flipP,
  flipTails,
  outlierDistances,
  stepDownP,
  walshMedian,
  maxExactPairs,
} from '../stats/sign-flip'
import { findRounds, fixedOrderOf, countSideBlocks, type RoundRun } from './rounds'
import { firstRounds, minDecidingRounds, minFlipRounds, roundsToDecide } from './rounds-needed'

/** Settings of the load generator; measured figures are not included. */
export const loadKeys = ['connections', 'ratePerSecond', 'durationSeconds', 'requests'] as const

/** A run of an experiment, in one metric. */
export interface ExperimentRun extends RoundRun {
  /** The figure of the run; null: it has none, and takes no part. */
  readonly value: number | null
  readonly load: Readonly<Partial<Record<(typeof loadKeys)[number], number>>>
  /** False: a guard refused it. */
  readonly isValid: boolean
}

/** A series' noise between its changes: deviations of the log of a run, and of steps between runs / √2. */
export interface ExperimentHistory {
  readonly runs: number
  readonly sdLog: number
  readonly sdStep: number
  /** Largest difference (log) between neighbouring stretches of it, including its changes; null: unknown. */
  readonly maxStepLog: number | null
}

/** What is known about identical code in the places that the sides take now. */
export interface Instrument {
  /** A/A runs of the environment in time order, first places first; null: never measured. */
  readonly aa: readonly number[] | null
}

/** One metric of two sides, as measured. */
export interface Experiment {
  readonly direction: 'lower-is-better' | 'higher-is-better'
  /** Smallest relative effect that matters: 0.02 is 2 %. */
  readonly smallestRatio: number
  readonly alpha: number
  readonly history: ExperimentHistory | null
  /**
   * Evaluations of a growing experiment: rounds planned beforehand (null: none) and which evaluation this is, from 1.
   * Null: one.
   */
  readonly plan: { readonly rounds: number | null; readonly evaluation: number } | null
  /** Bounds an order that was not drawn; null: not applied, and warnings appear beside the verdict. */
  readonly instrument: Instrument | null
  /** Unit of the last printed place of the values; null: exact. */
  readonly resolution: number | null
  readonly runs: readonly ExperimentRun[]
}

export const experimentWarnings = [
  'blocks',
  'no-history',
  'order-unknown',
  'labels-ignored',
  'fixed-order',
  'unpaired',
  'invalid-runs',
  'unequal-load',
  'too-few',
  'few-rounds',
  'outliers',
  'coarse',
  'sequential',
  'multiple',
  'unproven',
] as const
export type ExperimentWarning = (typeof experimentWarnings)[number]

export type ExperimentMethod =
  | 'sign-flip'
  | 't-pairs'
  | 't-pairs+history'
  | 'history'
  | 'blocks+history'
  | 'blocks+default'
  | 'level-change'
  | 'none'

/** The verdict on an experiment. Effect and interval are head / base − 1, from one estimator; a null end is open. */
export interface ExperimentVerdict {
  readonly verdict: 'better' | 'worse' | 'same' | 'undecided'
  readonly effectRatio: number | null
  readonly lowRatio: number | null
  readonly highRatio: number | null
  /** Two-sided, not corrected for other metrics. */
  readonly p: number | null
  readonly method: ExperimentMethod
  readonly warnings: readonly ExperimentWarning[]
  /** An order that was not drawn may show this much of identical code; null: drawn, or unknown. */
  readonly orderBoundRatio: number | null
  /**
   * Further rounds that decide with a probability of 80 %, judging by those so far; null: decided, or more than 200.
   */
  readonly moreRounds: number | null
  /** Number of judged rounds; 0: blocks, or nothing was judged. */
  readonly rounds: number
  /** Deviation of a round's difference, in logarithms if values are positive; null: unknown. */
  readonly deviation: number | null
  /** The alpha at which the last of the further rounds is judged. */
  readonly alphaToCome: number
}

/**
 * Deviation of a machine's level (log) between two blocks without a known history: about the 90th percentile of public
 * series.
 */
const defaultLevel = 0.1
/** Weight of the history's noise in a t on few rounds, in degrees of freedom (Smyth 2004). */
const priorDf = 4

interface Answer {
  readonly estimate: number
  readonly p: number
  readonly low: number
  readonly high: number
  /** Both one-sided tests put the effect inside the smallest that matters (TOST, Schuirmann 1987). */
  readonly isSame: boolean
  /** Deviation of a round's difference, outliers clipped, and its degrees of freedom. */
  readonly deviation: number
  readonly deviationDf: number
}

interface Judged extends ExperimentVerdict {
  /** Differences of the rounds that decided; null: another method did. */
  readonly differences: readonly number[] | null
}

/** Values as judged: logarithms if all are positive, else fractions of the base's median. */
interface Scale {
  readonly read: (value: number) => number
  readonly ratioOf: (difference: number) => number
  readonly smallest: readonly [down: number, up: number]
  /** Resolution of the values on this scale. */
  readonly grain: number
}

/** Judges one metric. Never throws: what is missing is a warning. Design and evidence: docs/decisions. */
export function judgeExperiment(experiment: Experiment): ExperimentVerdict {
  return verdictOnly(judge(experiment)(null))
}

/**
 * Shares of alpha: of the primary metric if there are others, and of all others together. At least one false in 5 % of
 * families.
 */
export const [primaryShare, othersShare] = [0.5, 0.35]

/**
 * Judges the metrics of one experiment as a family with one alpha: the primary one takes half of it, all of it if
 * alone; the others share a third and are corrected for multiple testing. In the order given.
 */
export function judgeMetrics(
  primary: Experiment | null,
  others: readonly Experiment[],
): { readonly primary: ExperimentVerdict | null; readonly others: readonly ExperimentVerdict[] } {
  const judged = others.map((one) => judge(one, othersShare))
  const alone = judged.map((withP) => withP(null))
  const corrected = correctedP(alone)
  const isAlone = alone.every(({ p }) => p === null)
  return {
    primary: primary && verdictOnly(judge(primary, isAlone ? 1 : primaryShare)(null)),
    others: judged.map((withP, at) => verdictOnly(withP(corrected[at] ?? null))),
  }
}

function verdictOnly({ differences: _, ...verdict }: Judged): ExperimentVerdict {
  return verdict
}

/** p corrected over the metrics: step-down if rounds were flipped, Bonferroni for other methods; null: no p. */
function correctedP(judged: readonly Judged[]): readonly (number | null)[] {
  const flipped = judged.flatMap((one, at) =>
    one.method === 'sign-flip' && one.differences ? [{ at, differences: one.differences }] : [],
  )
  const rounds = Math.min(...flipped.map(({ differences }) => differences.length))
  const usable = flipped.filter(({ differences }) => differences.length === rounds)
  const stepped =
    usable.length > 0 && rounds >= minFlipRounds && rounds <= maxExactPairs
      ? stepDownP(usable.map(({ differences }) => differences))
      : []
  const byMetric = new Map(
    usable.flatMap(({ at }, index) => (stepped[index] === undefined ? [] : [[at, stepped[index]]])),
  )
  return judged.map(({ p }, at) => byMetric.get(at) ?? (p === null ? null : Math.min(1, p * judged.length)))
}

const nothingJudged = {
  verdict: 'undecided',
  effectRatio: null,
  lowRatio: null,
  highRatio: null,
  p: null,
  method: 'none',
  rounds: 0,
  deviation: null,
  differences: null,
  orderBoundRatio: null,
} as const

/**
 * Everything but the correction for other metrics, which is applied last: null is none. `share`: the part of alpha that
 * it may use.
 */
function judge(given: Experiment, share = 1): (corrected: number | null) => Judged {
  const experiment = { ...given, alpha: share * given.alpha }
  const warnings: ExperimentWarning[] = []
  const runs = experiment.runs.flatMap((run) =>
    run.value !== null && run.isValid ? [{ ...run, value: run.value }] : [],
  )
  if (runs.length < experiment.runs.length) warnings.push('invalid-runs')
  const alphaToCome = laterAlphaOf(experiment, experiment.plan?.rounds ?? Number.POSITIVE_INFINITY)
  const base = runs.filter((run) => run.side === 'base')
  const head = runs.filter((run) => run.side === 'head')
  if (base.length === 0 || head.length === 0) {
    warnings.push('too-few')
    return () => ({ ...nothingJudged, alphaToCome, warnings, moreRounds: firstRounds })
  }
  const isUnequal = hasUnequalLoad(base, head)
  if (isUnequal) warnings.push('unequal-load')
  const scale = scaleOf(experiment, runs, base)
  if (scale.grain > experiment.smallestRatio / 2) warnings.push('coarse')
  const timed = runs.map((run) => ({ ...run, y: scale.read(run.value) }))
  const { rounds, warnings: orderWarnings } = findRounds(timed)
  const found = rounds === null ? judgeBlocks(experiment, timed, scale) : judgeRounds(experiment, rounds, scale)
  warnings.push(...orderWarnings, ...found.warnings)
  if (found.answer === null) {
    const effectRatio = scale.ratioOf(found.estimate)
    return () => ({ ...nothingJudged, alphaToCome, effectRatio, warnings, moreRounds: found.moreRounds })
  }
  const { answer, alpha, canDecide, method, have, differences } = found
  const side = answer.estimate < 0 === (experiment.direction === 'lower-is-better') ? 'better' : 'worse'
  const order = orderEvidence(experiment, rounds === null)
  const isUnproven = order !== null && order.boundLog === null
  if (isUnproven) warnings.push('unproven')
  const bounded = withinOrder(answer, order?.boundLog ?? 0, scale)
  const mayDecide = canDecide && !isUnproven
  const isBelow = mayDecide && answer.p < alpha && bounded.excludesZero
  const { low, high } = intervalLikeVerdict(bounded, isBelow)
  return (corrected) => {
    const isShown = isBelow && (corrected ?? answer.p) < alpha
    const isOneOfMany = mayDecide && bounded.excludesZero && answer.p < alpha / share && !isShown
    const isSame = mayDecide && bounded.isSame
    const verdict = isUnequal ? 'undecided' : isSame ? 'same' : isShown ? side : 'undecided'
    // No number of rounds helps in a doubtful order; sides that were blocks are promised rounds in a drawn one.
    const canPromise = verdict === 'undecided' && !isUnequal && (order === null || rounds === null)
    const total = canPromise ? roundsInAll(experiment, found, scale.smallest[1]) : null
    return {
      verdict,
      effectRatio: scale.ratioOf(answer.estimate),
      lowRatio: Number.isFinite(low) ? scale.ratioOf(low) : null,
      highRatio: Number.isFinite(high) ? scale.ratioOf(high) : null,
      p: answer.p,
      method,
      warnings: isOneOfMany ? [...warnings, 'multiple'] : warnings,
      moreRounds: total === null ? null : total - have,
      rounds: have,
      deviation: answer.deviation,
      differences,
      alphaToCome,
      orderBoundRatio: order === null || order.boundLog === null ? null : scale.ratioOf(order.boundLog),
    }
  }
}

/**
 * How many rounds decide, judging by those so far. If signs judged them, the interval also shows how far such rounds
 * reach: a t may call near what they just rejected.
 */
function roundsInAll(experiment: Experiment, { answer, alpha, method, have, error }: Answered, smallest: number) {
  const { estimate: effect, deviationDf: df, low, high } = answer
  const reach = method === 'sign-flip' ? high - low : 0
  const told = Number.isFinite(reach) ? (reach * Math.sqrt(have)) / 2 / studentQuantile(alpha / 2, df) : 0
  const deviation = Math.max(answer.deviation, told)
  const seen = { effect, smallest, deviation, df, rounds: have, error }
  return roundsToDecide(seen, (rounds) => laterAlphaOf(experiment, rounds))
}

/** The alpha at which this many rounds will be judged: their evaluation is not the first. */
function laterAlphaOf({ alpha, plan, history }: Experiment, rounds: number): number {
  const later = plan && { ...plan, evaluation: plan.evaluation + 1 }
  return alphaOfRounds(alphaOf(alpha, later, rounds), history, rounds)
}

/**
 * The bound of an order must be exceeded by a quarter: the largest difference on record is not the largest possible.
 */
const orderMargin = 1.25

/**
 * What an order that was not drawn may show of identical code: over the environment's A/A runs, or for blocks the
 * largest step of the history. Null: drawn, or not applied; a null bound: unknown.
 */
function orderEvidence(
  { runs, instrument, history }: Experiment,
  isBlocks: boolean,
): { readonly boundLog: number | null } | null {
  const order = fixedOrderOf(runs)
  const step = isBlocks ? (history?.maxStepLog ?? null) : null
  if (order !== null && instrument?.aa?.every((value) => value > 0)) {
    const bound = placeboBound(order, instrument.aa.map(Math.log))
    return { boundLog: bound === null ? null : orderMargin * bound }
  }
  if (step !== null) return { boundLog: orderMargin * step }
  return order === null || instrument === null ? null : { boundLog: null }
}

/** An answer that may be off by as much as its order shows of identical code. */
function withinOrder(answer: Answer, bound: number, { smallest: [down, up] }: Scale) {
  const low = Math.min(answer.low, answer.estimate - bound)
  const high = Math.max(answer.high, answer.estimate + bound)
  const excludesZero = Math.abs(answer.estimate) > bound
  const isSame = answer.isSame && (bound === 0 || (down < low && high < up))
  return { ...answer, low, high, excludesZero, isSame }
}

/** The interval agrees with the verdict: 0 is outside of it exactly if p is below alpha and may decide. */
function intervalLikeVerdict(
  { estimate, low, high }: Answer,
  isBelow: boolean,
): { readonly low: number; readonly high: number } {
  if (!isBelow) return { low: Math.min(low, 0), high: Math.max(high, 0) }
  return estimate > 0 ? { low: Math.max(low, 1e-12), high } : { low, high: Math.min(high, -1e-12) }
}

/** Configured loads whose medians differ by more than 2 %. */
function hasUnequalLoad(base: readonly ExperimentRun[], head: readonly ExperimentRun[]): boolean {
  return loadKeys.some((key) => {
    const [one, other] = [base, head].map((side) => side.flatMap(({ load }) => load[key] || []))
    if (!one || !other || one.length === 0 || other.length === 0) return false
    return Math.abs(Math.log(median(other) / median(one))) > Math.log(1.02)
  })
}

function scaleOf(
  { smallestRatio, resolution }: Experiment,
  runs: readonly { readonly value: number }[],
  base: readonly { readonly value: number }[],
): Scale {
  const sizeOf = (some: readonly { readonly value: number }[]) => median(some.map(({ value }) => Math.abs(value)))
  const grain = (resolution ?? 0) / (sizeOf(runs) || 1)
  if (runs.every(({ value }) => value > 0)) {
    const up = Math.log1p(smallestRatio)
    return { read: Math.log, ratioOf: (one) => Math.expm1(Math.min(one, 50)), smallest: [-up, up], grain }
  }
  const unit = sizeOf(base) || sizeOf(runs) || 1
  return { read: (value) => value / unit, ratioOf: (one) => one, smallest: [-smallestRatio, smallestRatio], grain }
}

/**
 * The alpha of this evaluation. Adding a round and evaluating again until it is significant is false more often than
 * promised: so a planned experiment spends little before its end (Haybittle 1971, Peto 1976), an unplanned one half at
 * first.
 */
export function alphaOf(alpha: number, plan: Experiment['plan'], rounds: number): number {
  if (plan === null) return alpha
  if (plan.rounds !== null && rounds >= plan.rounds) return plan.evaluation === 1 ? alpha : 0.6 * alpha
  return plan.rounds === null && plan.evaluation === 1 ? 0.5 * alpha : 0.1 * alpha
}

/** Whether rounds of a plan are still missing, or their number is unknown. */
const isGrowing = (plan: Experiment['plan'], rounds: number): boolean =>
  plan !== null && (plan.rounds === null || rounds < plan.rounds)

/** If the noise is unknown, 4 rounds decide at half of alpha: a machine that swings fits too many of their orders. */
const alphaOfRounds = (alpha: number, history: ExperimentHistory | null, rounds: number): number =>
  history === null && rounds === minDecidingRounds ? alpha / 2 : alpha

type ScaledRun = ExperimentRun & { readonly y: number }

interface Answered {
  readonly answer: Answer
  readonly alpha: number
  /** False: too few rounds for a verdict, whatever they show. */
  readonly canDecide: boolean
  readonly method: ExperimentMethod
  /** Number of rounds so far. */
  readonly have: number
  /** Standard error of the estimate if there are no rounds; null: there are. */
  readonly error: number | null
  readonly warnings: readonly ExperimentWarning[]
  readonly differences: readonly number[] | null
}

type Found =
  | Answered
  | {
      readonly answer: null
      readonly estimate: number
      readonly moreRounds: number
      readonly warnings: readonly ExperimentWarning[]
    }

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

function judgeRounds(experiment: Experiment, rounds: readonly (readonly ScaledRun[])[], scale: Scale): Found {
  const { alpha: nominal, plan, history } = experiment
  const sides = rounds.map((round) => {
    const of = (side: 'base' | 'head') => round.filter((run) => run.side === side)
    const [base, head] = [of('base'), of('head')]
    const startOf = (some: readonly ScaledRun[]) => meanOf(some.map((run) => run.startS ?? Number.NaN))
    return {
      difference: meanOf(head.map(({ y }) => y)) - meanOf(base.map(({ y }) => y)),
      level: (meanOf(head.map(({ y }) => y)) + meanOf(base.map(({ y }) => y))) / 2,
      gapS: startOf(head) - startOf(base),
      middleS: (startOf(head) + startOf(base)) / 2,
    }
  })
  const plain = sides.map(({ difference }) => difference)
  const isTimed = sides.every(({ gapS }) => !Number.isNaN(gapS))
  const warnings: ExperimentWarning[] = []
  const versions = [plain]
  if (isTimed && sides.length >= 2 && new Set(sides.map(({ gapS }) => gapS >= 0)).size === 1) {
    warnings.push('fixed-order')
    // A trend resembles an effect here: the answer must hold with and without it.
    if (sides.length >= 5) {
      const slope = theilSenSlope(
        sides.map(({ middleS }) => middleS),
        sides.map(({ level }) => level),
      )
      versions.push(sides.map(({ difference, gapS }) => difference - slope * gapS))
    }
  }
  if (plain.length === 1 && history === null) {
    return { answer: null, estimate: plain[0] ?? 0, moreRounds: 7, warnings: [...warnings, 'too-few'] }
  }
  const planned = alphaOf(nominal, plan, plain.length)
  if (planned !== nominal) warnings.push('sequential')
  const alpha = alphaOfRounds(planned, history, plain.length)
  const canDecide = plain.length >= minDecidingRounds || (history !== null && !isGrowing(plan, plain.length))
  if (!canDecide) warnings.push('too-few')
  const answers = versions.map((differences) => ({ differences, ...answerOfPairs(differences, alpha, scale, history) }))
  const [first, ...rest] = answers
  if (!first) throw new Error('rounds hold a pair')
  const doubtful = answers.reduce((worst, one) => (one.p > worst.p ? one : worst), first)
  const isFlipped = first.method === 'sign-flip'
  if (!isFlipped) warnings.push('few-rounds')
  else if (answers.some((one) => one.hasOutliers)) warnings.push('outliers')
  const isOneSign = rest.every((one) => one.estimate > 0 === first.estimate > 0)
  const answer: Answer = {
    estimate: meanOf(answers.map((one) => one.estimate)),
    p: isOneSign ? doubtful.p : 1,
    low: Math.min(...answers.map((one) => one.low)),
    high: Math.max(...answers.map((one) => one.high)),
    isSame: answers.every((one) => one.isSame),
    deviation: Math.max(...answers.map((one) => one.deviation)),
    deviationDf: first.deviationDf,
  }
  const [{ method }, { differences }] = [first, doubtful]
  return { answer, alpha, canDecide, method, have: plain.length, error: null, warnings, differences }
}

interface PairsAnswer extends Answer {
  readonly method: ExperimentMethod
  readonly hasOutliers: boolean
}

/**
 * The answer of the rounds' differences, by one centre that an outlier hardly moves: sign flips from 7 on if they can
 * reach alpha, else a t with the history's noise as prior. A strict alpha of a plan is below 2/2ⁿ for a while: signs
 * alone would then retract what fewer rounds had shown.
 */
function answerOfPairs(
  differences: readonly number[],
  alpha: number,
  scale: Scale,
  history: ExperimentHistory | null,
): PairsAnswer {
  const count = differences.length
  const [down, up] = scale.smallest
  const estimate = walshMedian(differences)
  if (count >= minFlipRounds && 2 / 2 ** count <= alpha) {
    const limit = outlierLimit(differences, estimate)
    const shifted = (by: number) => differences.map((one) => one + by)
    const isSame =
      Math.abs(estimate) < up &&
      flipTails(shifted(-scale.grain), down).above < alpha &&
      flipTails(shifted(scale.grain), up).below < alpha
    return {
      estimate,
      p: flipP(differences),
      ...flipInterval(differences, estimate, alpha),
      isSame,
      deviation: Math.max(1e-6, Math.sqrt(clippedSquares(differences, estimate, limit) / (count - 1))),
      deviationDf: count - 1,
      hasOutliers: differences.some((one) => Math.abs(one - estimate) > limit + 1e-12),
      method: 'sign-flip',
    }
  }
  const squares = differences.reduce((sum, one) => sum + (one - estimate) ** 2, 0)
  const prior = history === null ? 0 : Math.SQRT2 * (count === 1 ? history.sdLog : history.sdStep)
  const weight = history === null ? 0 : count === 1 ? history.runs - 1 : Math.min(priorDf, history.runs - 1)
  const df = count - 1 + weight
  const deviationBy = (seen: number) => Math.sqrt((seen + weight * prior ** 2) / df)
  const method = count === 1 ? 'history' : history === null ? 't-pairs' : 't-pairs+history'
  return {
    ...answerOfT(estimate, deviationBy(squares) / Math.sqrt(count), df, alpha, scale),
    deviation: Math.max(1e-6, deviationBy(clippedSquares(differences, estimate, outlierLimit(differences, estimate)))),
    deviationDf: df,
    hasOutliers: false,
    method,
  }
}

/** A difference farther from the centre than this is an outlier. */
const outlierLimit = (differences: readonly number[], centre: number): number =>
  outlierDistances * median(differences.map((one) => Math.abs(one - centre)))

function answerOfT(
  estimate: number,
  error: number,
  df: number,
  alpha: number,
  scale: Scale,
): Omit<Answer, 'deviation' | 'deviationDf'> {
  const [down, up] = scale.smallest
  if (error <= 0) {
    const isSame = down < estimate - scale.grain && estimate + scale.grain < up
    return { estimate, p: estimate === 0 ? 1 : 0, low: estimate, high: estimate, isSame }
  }
  const quantile = (tail: number) => (tail > 0 ? studentQuantile(tail, df) : Number.POSITIVE_INFINITY)
  const half = quantile(alpha / 2) * error
  const oneSided = quantile(alpha) * error + scale.grain
  return {
    estimate,
    p: 2 * studentTail(Math.abs(estimate) / error, df),
    low: estimate - half,
    high: estimate + half,
    isSame: down < estimate - oneSided && estimate + oneSided < up,
  }
}

/**
 * Sides that cannot be paired in time: never more certain than the known or likely wandering of the machine's level
 * allows.
 */
function judgeBlocks(experiment: Experiment, runs: readonly ScaledRun[], scale: Scale): Found {
  const { alpha: nominal, plan, history } = experiment
  const of = (side: 'base' | 'head') => runs.flatMap((run) => (run.side === side ? run.y : []))
  const [base, head] = [of('base'), of('head')]
  const estimate = median(head.flatMap((value) => base.map((other) => value - other)))
  let df = base.length + head.length - 2
  const squares = [base, head].reduce((sum, side) => sum + side.reduce((of, y) => of + (y - meanOf(side)) ** 2, 0), 0)
  let within = df > 0 ? squares / df : 0
  if (df === 0 && history === null) {
    return { answer: null, estimate, moreRounds: firstRounds, warnings: ['blocks', 'too-few'] }
  }
  const blocks = countSideBlocks(runs)
  const warnings: ExperimentWarning[] = ['blocks']
  let [levelVariance, levelDf] = [defaultLevel ** 2, 1e6]
  if (history === null) warnings.push('no-history')
  else {
    if (df < 4) {
      within = (within * df + priorDf * history.sdStep ** 2) / (df + priorDf)
      df += priorDf
    }
    levelVariance = Math.max(0, history.sdLog ** 2 - within)
    levelDf = Math.max(3, independentRuns(history) - 1)
  }
  const ofRuns = within * (1 / base.length + 1 / head.length)
  const ofLevel = levelVariance * (1 / blocks.base + 1 / blocks.head)
  const variance = ofRuns + ofLevel
  // Satterthwaite 1946.
  const satterthwaite = ofRuns ** 2 / Math.max(1, df) + ofLevel ** 2 / levelDf
  const allDf = variance > 0 ? variance ** 2 / Math.max(1e-300, satterthwaite) : 1
  const smaller = Math.min(base.length, head.length)
  const alpha = alphaOf(nominal, plan, smaller)
  if (alpha !== nominal) warnings.push('sequential')
  const canDecide = smaller >= minDecidingRounds || !isGrowing(plan, smaller)
  const plain = answerOfT(estimate, Math.sqrt(variance), allDf, alpha, scale)
  const detrended = smaller >= 4 ? withoutTrend(runs) : null
  const other = detrended && answerOfT(detrended.estimate, detrended.error, detrended.df, alpha, scale)
  const answer: Answer = {
    estimate,
    p: other === null ? plain.p : estimate * other.estimate > 0 ? Math.max(plain.p, other.p) : 1,
    low: Math.min(plain.low, other?.low ?? plain.low),
    high: Math.max(plain.high, other?.high ?? plain.high),
    isSame: plain.isSame && (other?.isSame ?? true),
    deviation: Math.max(1e-6, Math.sqrt(2 * within)),
    deviationDf: Math.max(1, df),
  }
  const method = history === null ? 'blocks+default' : 'blocks+history'
  return { answer, alpha, canDecide, method, have: 0, error: Math.sqrt(variance), warnings, differences: null }
}

/**
 * Independent values among a history's runs: n (1 − r) / (1 + r), r the lag-1 autocorrelation estimated from its two
 * deviations.
 */
function independentRuns({ runs, sdLog, sdStep }: ExperimentHistory): number {
  const r = sdLog > 0 ? Math.min(0.98, Math.max(0, 1 - (sdStep / sdLog) ** 2)) : 0
  return (runs * (1 - r)) / (1 + r)
}

/**
 * The effect alongside a straight trend common to both sides, by least squares; null: time does not separate the two.
 */
function withoutTrend(
  runs: readonly ScaledRun[],
): { readonly estimate: number; readonly error: number; readonly df: number } | null {
  const times = runs.flatMap(({ startS }) => startS ?? [])
  const span = Math.max(...times) - Math.min(...times)
  if (times.length < runs.length || span === 0) return null
  const [meanTime, meanY] = [meanOf(times), meanOf(runs.map(({ y }) => y))]
  const heads = runs.map(({ side }) => Number(side === 'head'))
  const meanHead = meanOf(heads)
  const rows = runs.map(({ y }, at) => ({
    h: (heads[at] ?? 0) - meanHead,
    t: ((times[at] ?? 0) - meanTime) / span,
    y: y - meanY,
  }))
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0)
  const [hh, tt, ht] = [sum(({ h }) => h * h), sum(({ t }) => t * t), sum(({ h, t }) => h * t)]
  const [hy, ty] = [sum(({ h, y }) => h * y), sum(({ t, y }) => t * y)]
  const determinant = hh * tt - ht * ht
  if (determinant <= 1e-9 * hh * tt) return null
  const effect = (tt * hy - ht * ty) / determinant
  const slope = (hh * ty - ht * hy) / determinant
  const df = runs.length - 3
  const residual = sum(({ h, t, y }) => (y - effect * h - slope * t) ** 2)
  return { estimate: effect, error: Math.sqrt((residual / df) * (tt / determinant)), df }
}
