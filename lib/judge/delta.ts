import { formatChange, formatMetric, missing, roundChange } from '../format'
import { comparedByDefault, defaultMetric, findMetric, type Metric, type RunFigures } from '../run/metrics'
import { tools } from '../run/tools'
import {
  judgeMetrics,
  type Experiment,
  type ExperimentHistory,
  type ExperimentMethod,
  type ExperimentRun,
  type ExperimentVerdict,
  type ExperimentWarning,
} from './experiment'
import { findRounds } from './rounds'
import { firstRounds, historyPilot, type Pilot } from './rounds-needed'
import { guardReason } from './guard-words'
import type { Guard } from '../run/guard'
import { sideMarks } from './side-marks'
import {
  figuresToJudge,
  pooledHistory,
  metricOfSide,
  type ComparedRun,
  type NoiseOf,
  type ReportedStep,
  type Side,
  type StepOf,
} from './sides'

/**
 * The verdict on a metric. better, worse: a difference is shown. same: shown to be within the margin. undecided:
 * neither, or no verdict is allowed (see `reason`). neutral: more is neither better nor worse. unknown: a value is
 * missing.
 */
export type Verdict = 'better' | 'worse' | 'same' | 'undecided' | 'neutral' | 'unknown'

/** A candidate's value beside the baseline's. Everything but `value` is null when either is missing. */
export interface Delta {
  /**
   * Base × (1 + effect) if repeats were judged, so that it agrees with the change shown beside it; else as
   * `SideFigure`.
   */
  readonly value: number | null
  /** ± of the candidate's runs, relative; null: one run. */
  readonly spreadRatio: number | null
  /** Runs of base and candidate that have the metric. */
  readonly counts: readonly [number, number]
  /**
   * candidate − baseline in the metric's unit: the effect on the baseline; for a share and around 0 the plain
   * difference.
   */
  readonly absolute: number | null
  /** The effect, relative: 0.1 is +10 %. From the same estimator as its interval. Also null when the baseline is 0. */
  readonly changeRatio: number | null
  /** Interval of `changeRatio`; null: none (a share, or nothing was judged), or that end is open. */
  readonly lowRatio: number | null
  readonly highRatio: number | null
  /** 1 + `changeRatio`. */
  readonly factor: number | null
  /** Largest relative change that counts as the same; null: not judged. */
  readonly marginRatio: number | null
  readonly method: ExperimentMethod
  /** Two-sided, not corrected for the other metrics. */
  readonly p: number | null
  readonly warnings: readonly ExperimentWarning[]
  /**
   * Identical code may differ by this much in the order of these runs, which was not drawn; null: drawn, or unknown.
   */
  readonly orderBoundRatio: number | null
  /** Number of judged rounds; 0: none. */
  readonly rounds: number
  /** Further rounds that would decide; null: decided, not judged, or more than 200. */
  readonly moreRounds: number | null
  /** What the next rounds are planned by; null: unknown. */
  readonly pilot: Pilot | null
  readonly verdict: Verdict
  /**
   * The direction of the figures while nothing is shown; null: a verdict, none is possible, or too little to mention.
   */
  readonly leaning: 'better' | 'worse' | null
  /** Why there can be no verdict, whatever the figures, as one sentence without a full stop; null: nothing bars one. */
  readonly reason: string | null
}

/**
 * Whether a difference is shown and does not matter: its estimate is in the zone. A change reported by an alert is as
 * large as its rule requires; for shares the zone is in points.
 */
export const isShownSmall = (
  {
    verdict,
    method,
    reason,
    factor,
    marginRatio,
  }: Pick<Delta, 'verdict' | 'method' | 'reason' | 'factor' | 'marginRatio'>,
  { unit }: Pick<Metric, 'unit'>,
): boolean =>
  (verdict === 'better' || verdict === 'worse') &&
  method !== 'level-change' &&
  unit !== 'ratio' &&
  marginRatio !== null &&
  factor !== null &&
  factorOf({ factor, reason }) < 1 + marginRatio

/** Which direction is shown, and matters: the only one that is called better or worse. One run a side shows none. */
export const shownDirection = (
  delta: Pick<Delta, 'factor' | 'reason' | 'method' | 'verdict' | 'marginRatio'>,
  { unit }: Pick<Metric, 'unit'>,
): 'better' | 'worse' | null =>
  (delta.verdict === 'better' || delta.verdict === 'worse') && !isShownSmall(delta, { unit }) ? delta.verdict : null

/**
 * Which direction a sentence may rest on: the one that is shown, or the leaning of single runs by more than two runs of
 * one thing may differ; for shares any leaning counts. Null: neither.
 */
export function sayableOf(
  delta: Pick<Delta, 'factor' | 'reason' | 'method' | 'verdict' | 'leaning' | 'marginRatio'>,
  { unit }: Pick<Metric, 'unit'>,
): 'better' | 'worse' | null {
  if (delta.verdict === 'better' || delta.verdict === 'worse') return shownDirection(delta, { unit })
  if (delta.method !== 'none' || delta.leaning === null) return null
  return unit !== 'ratio' && mayBeNoise(delta) ? null : delta.leaning
}

/** A metric of all sides. */
export interface ComparisonRow {
  readonly metric: Metric
  /** See `SideFigure`. */
  readonly baseValue: number | null
  /** ± of the base's runs, relative; null: one run. */
  readonly baseSpreadRatio: number | null
  /** Why the baseline has no value; null: it has one. */
  readonly baseReason: string | null
  readonly deltas: readonly Delta[]
}

/** Differences smaller than this have no direction: such figures are called equal. Shares (ratios) are exempt. */
export const equalBelowRatio = 0.005
/** Shares closer than this are equal. */
const equalBelowShare = 1e-5

/** Two runs of one thing may differ by this factor if nothing is known of their noise. */
export const plausibleFactor = 1.5

/** The ratio of the larger to the smaller of two figures; 1 if no verdict is allowed. */
export const factorOf = ({ factor, reason }: Pick<Delta, 'factor' | 'reason'>): number =>
  factor === null || factor <= 0 || reason !== null ? 1 : Math.max(factor, 1 / factor)

/** Whether figures of single runs with unknown noise differ by less than two runs of one thing may. */
export const mayBeNoise = (delta: Pick<Delta, 'factor' | 'reason' | 'method'>): boolean =>
  delta.method === 'none' && factorOf(delta) <= plausibleFactor

/** Level of the verdicts: share of experiments without a difference in which one may be reported. */
export const verdictAlpha = 0.05

interface Judgement {
  readonly verdict: ExperimentVerdict
  readonly marginRatio: number
  readonly barred: readonly (readonly Guard[])[]
  readonly history: ExperimentHistory | null
}

/** What is known besides the figures; `candidates`: how many are judged against this base. */
interface DeltaContext<Run> {
  readonly noiseOf: NoiseOf<Run>
  readonly stepOf?: StepOf<Run>
  readonly candidates: number
}

/** A candidate's metrics judged against the base's, by metric id. */
export function deltasOf<Run extends ComparedRun>(
  base: Side<Run>,
  side: Side<Run>,
  shown: readonly Metric[],
  { noiseOf, stepOf = () => null, candidates }: DeltaContext<Run>,
): ReadonlyMap<string, Delta> {
  const judged = judgeSides(base, side, shown, noiseOf, verdictAlpha / Math.max(1, candidates))
  return new Map(
    shown.map((metric) => {
      const own = asReported(judged.get(metric.id) ?? null, stepOf(base, side, metric), base, side)
      return [metric.id, deltaOf(metric, base, side, own)]
    }),
  )
}

/**
 * Judges the metrics of two sides as one family: those that comparisons show by default, corrected for multiple testing
 * except the first; metrics chosen in addition separately, so that choosing one changes no other's verdict.
 */
function judgeSides<Run extends ComparedRun>(
  base: Side<Run>,
  side: Side<Run>,
  shown: readonly Metric[],
  noiseOf: NoiseOf<Run>,
  level: number,
): ReadonlyMap<string, Judgement> {
  const defaults = comparedByDefault([...base, ...side]).flatMap((id) => findMetric(id) ?? [])
  const plan = planOf([...base, ...side])
  // A drawn order of few rounds sometimes looks regular; its label states that it was drawn.
  const isDrawn = [...base, ...side].every(({ labels }) => labels['order'] === 'drawn')
  const each = (metrics: readonly Metric[]) =>
    metrics.flatMap((metric) => {
      const figures = figuresToJudge(metric, base, side)
      if (figures === null) return []
      const known = pooledHistory(noiseOf(base, metric), noiseOf(side, metric))
      const { direction, smallestRatio, runs } = figures
      const { history, instrument } = orderKnowledge(runs, known, isDrawn)
      const experiment: Experiment = {
        direction,
        smallestRatio,
        alpha: level,
        history,
        plan,
        instrument,
        resolution: null,
        runs,
      }
      return [{ metric, figures, history, experiment }]
    })
  const family = each(defaults)
  const extra = each(shown.filter((metric) => !defaults.includes(metric)))
  const canJudge = ({ experiment }: (typeof family)[number]) =>
    (['base', 'head'] as const).every((which) =>
      experiment.runs.some((run) => run.side === which && run.isValid && run.value !== null),
    )
  const able = family.filter(canJudge)
  const primary = able.find(({ metric }) => metric === defaultMetric) ?? able[0] ?? null
  const others = family.filter((one) => one !== primary)
  const of = (list: typeof family) => list.map(({ experiment }) => experiment)
  const found = judgeMetrics(primary?.experiment ?? null, of(others))
  const beside = extra.length === 0 ? [] : judgeMetrics(null, of([...others, ...extra])).others.slice(others.length)
  const all = [...(primary === null ? [] : [primary]), ...others, ...extra]
  const verdicts = [...(found.primary === null ? [] : [found.primary]), ...found.others, ...beside]
  return new Map(
    all.flatMap(({ metric, figures, history }, at) => {
      const verdict = verdicts[at]
      const { smallestRatio: marginRatio, barred } = figures
      return verdict === undefined ? [] : [[metric.id, { verdict, marginRatio, barred, history }] as const]
    }),
  )
}

/**
 * What is known about an order that was not drawn. Blocks are bounded by the largest step of the history; if that is
 * unknown, nothing is, and the default holds. Rounds in a fixed order have no record to compare with: no A/A runs are
 * kept.
 */
function orderKnowledge(
  runs: readonly ExperimentRun[],
  history: ExperimentHistory | null,
  isDrawn: boolean,
): Pick<Experiment, 'history' | 'instrument'> {
  const judged = runs.filter((run) => run.isValid && run.value !== null)
  if (findRounds(judged).rounds !== null) return { history, instrument: isDrawn ? null : { aa: null } }
  return { history: history?.maxStepLog === null ? null : history, instrument: null }
}

/**
 * Segments of one history follow each other: as an experiment they could hardly show anything. If the detector, which
 * knows all of that history, found the step between them, its alert gives the verdict.
 */
function asReported(
  judged: Judgement | null,
  step: ReportedStep | null,
  base: Side<ComparedRun>,
  side: Side<ComparedRun>,
): Judgement | null {
  if (judged === null || step === null || reasonOf(judged, base, side) !== null) return judged
  const shown = { warnings: [], orderBoundRatio: null, moreRounds: null, rounds: 0, method: 'level-change' } as const
  return { ...judged, verdict: { ...judged.verdict, ...step, ...shown } }
}

/**
 * How many rounds were planned, if rounds are labelled: `rounds=12`, else 8. Runs of several uploads may have been
 * evaluated before the last one arrived.
 */
function planOf(runs: readonly ComparedRun[]): Experiment['plan'] {
  if (runs.length < 3 || runs.some((run) => run.labels['round'] === undefined)) return null
  const planned = Math.max(...runs.map((run) => Number(run.labels['rounds'] ?? firstRounds)))
  const rounds = Number.isInteger(planned) && planned >= 1 ? planned : firstRounds
  return { rounds, evaluation: new Set(runs.map((run) => run.uploadId)).size > 1 ? 2 : 1 }
}

const nothing = {
  absolute: null,
  changeRatio: null,
  lowRatio: null,
  highRatio: null,
  factor: null,
  marginRatio: null,
  method: 'none',
  p: null,
  warnings: [],
  orderBoundRatio: null,
  rounds: 0,
  moreRounds: null,
  pilot: null,
  leaning: null,
} as const

function deltaOf(metric: Metric, base: Side<ComparedRun>, side: Side<ComparedRun>, judged: Judgement | null): Delta {
  const [from, to] = [base, side].map((runs) => metricOfSide(metric, runs))
  const counts = [from?.count ?? 0, to?.count ?? 0] as const
  const [baseValue, value] = [from?.value ?? null, to?.value ?? null]
  const known = { value, spreadRatio: to?.spreadRatio ?? null, counts }
  if (baseValue === null || value === null) {
    const reason =
      value === null ? missingReason(metric, side[0]) : `none in the baseline: ${missingReason(metric, base[0])}`
    return { ...known, ...nothing, verdict: 'unknown', reason }
  }
  const effect = effectOf(metric, baseValue, value, counts, judged)
  const direction = leaningOf(metric, baseValue, effect.value)
  if (judged === null) return { ...known, ...nothing, ...effect, verdict: 'neutral', reason: null }
  const { verdict, marginRatio } = judged
  const reason = reasonOf(judged, base, side)
  const isShare = metric.unit === 'ratio'
  return {
    ...known,
    ...effect,
    lowRatio: isShare || reason !== null ? null : verdict.lowRatio,
    highRatio: isShare || reason !== null ? null : verdict.highRatio,
    marginRatio,
    method: reason === null ? verdict.method : 'none',
    p: verdict.p,
    warnings: verdict.warnings,
    orderBoundRatio: verdict.orderBoundRatio,
    rounds: verdict.rounds,
    moreRounds: reason === null && verdict.verdict === 'undecided' ? verdict.moreRounds : null,
    pilot: pilotOf(judged, counts),
    verdict: reason === null ? verdict.verdict : 'undecided',
    leaning: reason === null && verdict.verdict === 'undecided' ? direction : null,
    reason,
  }
}

function effectOf(
  metric: Metric,
  baseValue: number,
  value: number,
  [m, k]: readonly [number, number],
  judged: Judgement | null,
) {
  const estimate = judged?.verdict.effectRatio ?? null
  if (metric.unit === 'ratio' || (m === 1 && k === 1) || estimate === null || baseValue === 0) {
    const absolute = value - baseValue
    if (baseValue === 0) return { value, absolute, changeRatio: null, factor: null }
    return { value, absolute, changeRatio: absolute / baseValue, factor: value / baseValue }
  }
  // Medians of the sides are not a pair: an outlier moves one of them, and their quotient is not the effect.
  const factor = 1 + estimate
  return { value: factor * baseValue, absolute: estimate * baseValue, changeRatio: estimate, factor }
}

function pilotOf({ verdict, history }: Judgement, [m, k]: readonly [number, number]): Delta['pilot'] {
  const { deviation, rounds, alphaToCome: alpha } = verdict
  const df = rounds > 0 ? rounds - 1 : m + k - 2
  if (deviation !== null && df > 0) return { deviation, df, alpha }
  return history === null ? null : historyPilot(history, alpha)
}

/** Why no verdict on a metric is allowed, whatever its figures are; null: one is. */
function reasonOf({ barred, verdict }: Judgement, base: Side<ComparedRun>, side: Side<ComparedRun>): string | null {
  if (verdict.method === 'none' && barred.some((guards) => guards.length > 0)) {
    const isOfCandidate = (barred[1]?.length ?? 0) > 0
    const guards = barred[isOfCandidate ? 1 : 0]
    const words = (guards ?? []).map(guardReason).join('; ')
    return isOfCandidate ? words : `base: ${words}`
  }
  if (!verdict.warnings.includes('unequal-load')) return null
  const [one, other] = [base, side].map(([run]) => loadWords(run))
  return `different loads, ${one ?? ''} and ${other ?? ''}`
}

function loadWords({ load }: ComparedRun): string {
  if (load.kind === 'open') return load.ratePerSecond === null ? 'an open loop' : `${load.ratePerSecond}/s`
  if (load.kind === 'observed') return 'observed load'
  if (load.kind === 'unstated') return 'a load that is not stated'
  return load.connections === null ? 'a closed loop' : `${load.connections} connections`
}

/** The direction in which a value leans from another; null: too little to mention, or neither direction is better. */
export function leaningOf(metric: Metric, base: number, value: number): 'better' | 'worse' | null {
  if (metric.direction === 'neutral' || !isSpeakable(metric, base, value)) return null
  return value > base === (metric.direction === 'higher-is-better') ? 'better' : 'worse'
}

/**
 * Whether the difference is worth mentioning. For shares a thousandth of a percent is: 99.98 and 99.5 % success are
 * worlds apart, and 3 of a billion requests are negligible.
 */
export function isSpeakable(metric: Metric, base: number, value: number): boolean {
  if (base === value) return false
  if (metric.unit === 'ratio') return Math.abs(value - base) >= equalBelowShare
  return base === 0 || Math.abs(value / base - 1) >= equalBelowRatio
}

/** The word of a change of one run each that two runs of one thing may show, too. */
export const doubtWord = 'may be noise'

/**
 * The verdict in a word, the same everywhere. differs: better or worse by less than matters. For one run per side with
 * unknown noise: may be noise, or only how many runs there are if two runs of one thing would hardly differ that much.
 * equal: such figures are within half a percent.
 */
export function verdictWord(delta: Delta, metric: Metric): string {
  const { verdict, absolute, value, leaning, reason, method } = delta
  if (verdict === 'unknown' || absolute === null || value === null) return missing
  if (reason !== null) return 'no verdict'
  if (verdict === 'neutral') {
    if (!isSpeakable(metric, value - absolute, value)) return 'equal'
    return absolute > 0 ? 'more' : 'less'
  }
  if (isShownSmall(delta, metric)) return 'differs'
  if (verdict !== 'undecided' || method !== 'none') return verdict
  if (leaning === null) return 'equal'
  return sayableOf(delta, metric) === null ? doubtWord : runsWords(delta)
}

/** `n = 1` of two single runs, else `n = 4 + 5`. */
export const runsWords = ({ counts: [base, candidate] }: Pick<Delta, 'counts'>): string =>
  base + candidate > 2 ? `n = ${base} + ${candidate}` : 'n = 1'

/** What a verdict would require, without a full stop; null: there is one, or nothing would help. */
export function decidingWords({
  verdict,
  reason,
  method,
  moreRounds,
  warnings,
  orderBoundRatio,
}: Delta): string | null {
  if (verdict !== 'undecided' || reason !== null || method === 'none') return null
  const isOrderInDoubt = warnings.includes('unproven') || orderBoundRatio !== null
  if (isOrderInDoubt && moreRounds === null) return 'rounds in a drawn order would decide'
  if (moreRounds === null) return '200 more rounds would not decide'
  return `${formatMetric(moreRounds, 'count')} more ${moreRounds === 1 ? 'round' : 'rounds'} would decide`
}

/** The interval of the effect in a column; null: none. */
export const intervalWords = (delta: Delta): string | null => reachWords(delta, formatChange)

/** The same in a sentence, as rounded as the effect beside it unless its ends would be one number. */
export function roundInterval(delta: Delta): string | null {
  const { lowRatio, highRatio } = delta
  const isLost = lowRatio !== null && highRatio !== null && roundChange(lowRatio) === roundChange(highRatio)
  return reachWords(delta, isLost ? formatChange : roundChange)
}

function reachWords({ lowRatio, highRatio }: Delta, show: (ratio: number) => string): string | null {
  if (lowRatio === null) return highRatio === null ? null : `up to ${show(highRatio)}`
  return highRatio === null ? `${show(lowRatio)} or more` : `${show(lowRatio)} to ${show(highRatio)}`
}

/** Why a run has no value of a metric, as far as its tool determines it. */
export function missingReason(
  metric: Metric,
  run: Pick<ComparedRun, 'tool'> & { readonly figures: RunFigures },
): string {
  const [, percentile] = /^p(\d+(?:\.\d+)?)$/.exec(metric.shortLabel) ?? []
  return tools[run.tool].missing({
    label: metric.shortLabel,
    percentile: percentile === undefined ? null : Number(percentile),
    requests: run.figures.requests,
  })
}

/** A delta's absolute change with its unit and sign: `+3.4 ms`. */
export function formatAbsolute(delta: Delta, metric: Metric): string {
  if (delta.absolute === null) return missing
  const text = formatMetric(Math.abs(delta.absolute), metric.unit)
  return delta.absolute === 0 ? text : `${delta.absolute < 0 ? '\u2212' : '+'}${text}`
}

/**
 * What distinguishes a side from another, in words: a name that only it has, else its commits, rounds, dates or times.
 */
export function nameOf(side: Side<ComparedRun>, beside: Side<ComparedRun>): string {
  const [run, other] = [side[0], beside[0]]
  if (run.variant !== null && run.variant !== other.variant) return run.variant
  if (run.environment !== null && run.environment !== other.environment) return run.environment
  if (run.scenario !== other.scenario) return run.scenario
  const own = run.variant ?? run.environment
  // The other one has a name that this one lacks.
  if (run.variant !== other.variant || run.environment !== other.environment) return own ?? 'the other'
  return sideMarks([side, beside])?.[0] ?? (side.length > 1 ? 'the second side' : 'the second run')
}
