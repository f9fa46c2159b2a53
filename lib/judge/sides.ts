import { loadKeys, type ExperimentHistory, type ExperimentRun } from './experiment'
import { isBarredBy, type Guard, type RunGuard } from '../run/guard'
import { findRounds } from './rounds'
import { attemptsOfFigures, minEffectOf, type Metric } from '../run/metrics'
import type { ImportedRun } from '../run/run'
import type { RunRow } from '../history/stored-runs'
import { median } from '../stats/robust'

type RowFields =
  | 'id'
  | 'tool'
  | 'scenario'
  | 'variant'
  | 'environment'
  | 'labels'
  | 'load'
  | 'figures'
  | 'complete'
  | 'warnings'
  | 'guards'
  | 'startedAt'
  | 'uploadedAt'
  | 'uploadId'
  | 'indexInUpload'

/** What a comparison reads of a run: a list row; if the whole file was read, guards and failures know more. */
export type ComparedRun = Pick<RunRow, RowFields> & { readonly imported?: ImportedRun }

/** One run, or repeats of it. */
export type Side<Run> = readonly [Run, ...Run[]]

/** A metric's noise in the history of a side's series; null: unknown. */
export type NoiseOf<Run> = (side: Side<Run>, metric: Metric) => ExperimentHistory | null

/** A step between two sides that an alert reports, in its figures: statements about it repeat the alert. */
export interface ReportedStep {
  readonly verdict: 'better' | 'worse'
  readonly effectRatio: number
  readonly lowRatio: number
  readonly highRatio: number
  readonly p: number
}

/** What an alert reports of the step from one side to another; null: nothing. */
export type StepOf<Run> = (base: Side<Run>, side: Side<Run>, metric: Metric) => ReportedStep | null

/** Median of the runs of one side and the distance of the farthest. */
export interface SideFigure {
  /**
   * Median over the runs that have the figure; for a share of requests, that of all their requests. Null: none has it.
   */
  readonly value: number | null
  /** Largest distance of a run from that, relative to it: 0.03 is ± 3 %. Null below two runs or around 0. */
  readonly spreadRatio: number | null
  readonly count: number
}

type Figured = Pick<RunRow, 'figures'>

/** A metric of one side. A failed night is no outlier: shares of requests are of all requests of its runs. */
export const metricOfSide = (metric: Metric, side: readonly Figured[]): SideFigure =>
  sideFigureOf(
    side.map((run) => metric.read(run.figures)),
    side.length > 1 ? shareOfSide(metric, side) : null,
  )

function shareOfSide({ id }: Metric, side: readonly Figured[]): number | null {
  if (id !== 'error-ratio' && id !== 'success-ratio') return null
  const all = failuresOf(side)
  if (all === null) return null
  return id === 'error-ratio' ? all.ratio : 1 - all.ratio
}

/** How many of a side's requests failed, and how many there were. */
export interface SideFailures {
  readonly failed: number
  readonly attempts: number
  readonly ratio: number
}

/** Over the runs that know both; null: none does. */
export function failuresOf(side: readonly Figured[]): SideFailures | null {
  const known = side.flatMap(({ figures: { errorCount, errorRatio, requests } }) => {
    if (errorCount === null || errorRatio === null || requests === null) return []
    return [{ failed: errorCount, attempts: attemptsOfFigures({ errorCount, errorRatio, requests }) ?? requests }]
  })
  const sum = (of: (one: (typeof known)[number]) => number) => known.reduce((total, one) => total + of(one), 0)
  const [failed, attempts] = [sum((one) => one.failed), sum((one) => one.attempts)]
  return attempts === 0 ? null : { failed, attempts, ratio: failed / attempts }
}

/**
 * Sums up the figures of one side; null for runs without it. `whole`: the figure of all of them together; null:
 * unknown.
 */
export function sideFigureOf(values: readonly (number | null)[], whole: number | null = null): SideFigure {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return { value: null, spreadRatio: null, count: 0 }
  const middle = whole ?? median(known)
  const farthest = Math.max(...known.map((value) => Math.abs(value - middle)))
  const hasSpread = known.length > 1 && middle !== 0
  return { value: middle, spreadRatio: hasSpread ? farthest / Math.abs(middle) : null, count: known.length }
}

/** The guards that bar a verdict on this metric of the run; its figures stay. */
export const barringGuards = (run: ComparedRun, metric: Metric): readonly RunGuard[] =>
  run.guards.filter((guard) => isBarredBy(guard, metric.id))

/** A metric of two sides as judged by an experiment; shares as the failures behind them. */
export interface JudgedFigures {
  readonly runs: readonly ExperimentRun[]
  readonly direction: 'lower-is-better' | 'higher-is-better'
  /** Smallest relative change that matters. */
  readonly smallestRatio: number
  /** The guards that bar runs in this metric, by side; each code once. */
  readonly barred: readonly (readonly Guard[])[]
}

/** Lays out a metric of two sides as an experiment; null: it has no direction, so there is nothing to judge. */
export function figuresToJudge(metric: Metric, base: Side<ComparedRun>, head: Side<ComparedRun>): JudgedFigures | null {
  if (metric.direction === 'neutral') return null
  const startOf = startsOf([...base, ...head])
  const isPair = base.length === 1 && head.length === 1
  const guards = [base, head].map((side) => side.map((run) => barringGuards(run, metric)))
  // A side that lost most of its runs is not what was tested.
  const isLeft = [base, head].map((side, which) => {
    const known = side.flatMap((run, at) => (metric.read(run.figures) === null ? [] : [guards[which]?.[at] ?? []]))
    return 2 * known.filter((ofRun) => ofRun.length === 0).length >= known.length
  })
  const share = metric.unit === 'ratio' ? shareScale(metric, [...base, ...head]) : null
  const runs = [base, head].flatMap((side, which) =>
    side.map((run, at): ExperimentRun => {
      const value = metric.read(run.figures)
      return {
        side: which === 0 ? 'base' : 'head',
        value: value === null || share === null ? value : share.read(value),
        // One run per side is a round however far apart they are: there is nothing else to compare.
        startS: isPair ? null : startOf(run),
        round: isPair ? '1' : (run.labels['round'] ?? null),
        load: loadOf(run),
        isValid: isLeft[which] === true && guards[which]?.[at]?.length === 0,
      }
    }),
  )
  return {
    runs,
    direction: share === null ? metric.direction : 'lower-is-better',
    smallestRatio: share?.smallestRatio ?? minEffectOf(metric.id),
    barred: guards.map((ofSide) => {
      const all = ofSide.flat()
      return all.filter(({ code }, at) => all.findIndex((one) => one.code === code) === at)
    }),
  }
}

/**
 * Shares as positive numbers whose relative change has a meaning: the failures plus half a request (0 of 100 is not 0
 * of a million). A doubling matters, or half a percentage point if that is less.
 */
function shareScale(metric: Metric, runs: readonly ComparedRun[]) {
  const isOfSuccess = metric.direction === 'higher-is-better'
  const requests = median(runs.map((run) => run.figures.requests ?? 0)) || 1_000
  const read = (share: number) => (isOfSuccess ? 1 - share : share) + 0.5 / requests
  const lowest = Math.min(...runs.map((run) => read(metric.read(run.figures) ?? 1)))
  return { read, smallestRatio: Math.min(minEffectOf('error-ratio'), 0.005 / lowest) }
}

/** The values of both sides in one round; the median if a side ran more than once. */
export interface RoundPair {
  readonly base: number
  readonly head: number
}

/** A metric round by round, in time order, as judged; null: the runs were not taken in turn, or it is a share. */
export function roundPairs(
  metric: Metric,
  base: Side<ComparedRun>,
  head: Side<ComparedRun>,
): readonly RoundPair[] | null {
  const figures = metric.unit === 'ratio' ? null : figuresToJudge(metric, base, head)
  const rounds =
    figures === null ? null : findRounds(figures.runs.filter((run) => run.isValid && run.value !== null)).rounds
  const pairs = (rounds ?? []).flatMap((runs): RoundPair[] => {
    const of = (side: 'base' | 'head') =>
      sideFigureOf(runs.flatMap((run) => (run.side === side ? run.value : []))).value
    const [one, other] = [of('base'), of('head')]
    return one === null || other === null ? [] : [{ base: one, head: other }]
  })
  return pairs.length < 2 ? null : pairs
}

/** When runs began, in seconds; null: unknown. The place of a run in its file is not a time. */
function startsOf(runs: readonly ComparedRun[]): (run: ComparedRun) => number | null {
  const uploads = new Map<string, number>()
  for (const { uploadId } of runs) uploads.set(uploadId, (uploads.get(uploadId) ?? 0) + 1)
  return ({ startedAt, uploadedAt, uploadId, indexInUpload, figures }) => {
    if (startedAt !== null) return Date.parse(startedAt) / 1_000
    // A run sent alone arrives when it ends.
    const isAlone = indexInUpload === 0 && uploads.get(uploadId) === 1
    return isAlone ? (Date.parse(uploadedAt) - (figures.durationMs ?? 0)) / 1_000 : null
  }
}

function loadOf({ load }: ComparedRun): Readonly<Partial<Record<(typeof loadKeys)[number], number>>> {
  if (load.kind === 'open') return load.ratePerSecond === null ? {} : { ratePerSecond: load.ratePerSecond }
  return load.kind !== 'closed' || load.connections === null ? {} : { connections: load.connections }
}

const largerOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)

/** The noise of both sides together; if one is unknown the other counts for both. */
export function pooledHistory(
  base: ExperimentHistory | null,
  head: ExperimentHistory | null,
): ExperimentHistory | null {
  if (base === null || head === null) return base ?? head
  const middle = (a: number, b: number) => Math.sqrt((a * a + b * b) / 2)
  return {
    runs: Math.min(base.runs, head.runs),
    sdLog: middle(base.sdLog, head.sdLog),
    sdStep: middle(base.sdStep, head.sdStep),
    maxStepLog: largerOf(base.maxStepLog, head.maxStepLog),
  }
}
