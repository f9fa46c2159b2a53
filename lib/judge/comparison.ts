import { changeWords, formatChange, formatMetric } from '../format'
import { findMetric, metricsOf, type Metric, type RunFigures } from '../run/metrics'
import { alpha, minRuns, runsNeeded, shiftOf, sideFigureOf, type Shift } from './repeats'
import type { RunRow } from '../run/stored'
import { tools } from '../run/tools'
import { joinWords } from '../text'

export type Verdict = 'better' | 'worse' | 'same' | 'neutral' | 'unknown'

/** A candidate's value beside the baseline's. Everything but `value` is null when either is missing. */
export interface Delta {
  /** Median over the candidate's runs. */
  readonly value: number | null
  /** ± of the candidate's runs, relative; null: one run. */
  readonly spreadRatio: number | null
  /** Runs of base and candidate that have the metric. */
  readonly counts: readonly [number, number]
  /** candidate − baseline, in the metric's unit: of repeats the Hodges–Lehmann estimate, else the plain difference. */
  readonly absolute: number | null
  /** Relative: 0.1 is +10 %. Null also when the baseline is 0. */
  readonly changeRatio: number | null
  /** candidate / baseline. */
  readonly factor: number | null
  /** How sure the change is, where a side has repeats; null: one run each. */
  readonly shift: Shift | null
  /** What two single runs of series with this history differ by in 19 of 20 cases, relative; null: not known. */
  readonly noiseRatio: number | null
  /**
   * shown: the difference is beyond noise. not-shown: it may be noise (`~`). too-few: no number of such runs could show it.
   * single: one run each, nothing is known of the noise.
   */
  readonly evidence: 'shown' | 'not-shown' | 'too-few' | 'single'
  readonly verdict: Verdict
  /** Why there is no verdict; null when there is one. */
  readonly reason: string | null
}

export interface ComparisonRow {
  readonly metric: Metric
  /** Median over the base's runs. */
  readonly baseValue: number | null
  /** ± of the base's runs, relative; null: one run. */
  readonly baseSpreadRatio: number | null
  /** Why the baseline has no value; null when it has. */
  readonly baseReason: string | null
  readonly deltas: readonly Delta[]
}

export interface Comparison<Run extends ComparedRun = RunRow> {
  /** The first run of each side. */
  readonly baseline: Run
  readonly candidates: readonly Run[]
  /** All runs, side by side, the base first. */
  readonly sides: readonly Side<Run>[]
  /** In the order of the metrics; those that no run has are left out. */
  readonly rows: readonly ComparisonRow[]
  /** What differs most, in one sentence. */
  readonly sentence: string
  /** Why it may mean nothing, in one sentence. */
  readonly caution: string
}

/** What a comparison needs of a run. */
export type ComparedRun = Pick<RunRow, 'id' | 'tool' | 'scenario' | 'variant' | 'environment' | 'figures'>

/** Changes smaller than this read as the same: with one run a side they cannot be distinguished from noise. Shares (ratios) are exempt. */
export const sameBelowRatio = 0.005

/** One run, or repeats of it. */
export type Side<Run> = readonly [Run, ...Run[]]

/** Noise of a single run of a side by metric: the standard deviation of its log, from the side's history; null: not known. */
export type NoiseOf<Run> = (side: Side<Run>, metric: Metric) => number | null

interface Options<Run> {
  /** Null: the default ones. */
  readonly metricIds?: readonly string[] | null
  readonly noiseOf?: NoiseOf<Run>
}

/** Compares sides of repeated runs: the run is the unit, however many requests it made. Never throws. */
export function compareSides<Run extends ComparedRun>(
  base: Side<Run>,
  others: readonly Side<Run>[],
  { metricIds = null, noiseOf = () => null }: Options<Run> = {},
): Comparison<Run> {
  const sides = [base, ...others]
  const chosen = metricIds === null ? metricsOf('comparison') : metricIds.flatMap((id) => findMetric(id) ?? [])
  const rows = chosen
    .filter((metric) => sides.flat().some((run) => metric.read(run.figures) !== null))
    .map((metric) => {
      const figure = sideFigureOf(base.map((run) => metric.read(run.figures)))
      return {
        metric,
        baseValue: figure.value,
        baseSpreadRatio: figure.spreadRatio,
        baseReason: figure.value === null ? missingReason(metric, base[0]) : null,
        deltas: others.map((side) => deltaOf(metric, base, side, noiseOf)),
      }
    })
  const candidates = others.map((side) => side[0])
  return {
    baseline: base[0],
    candidates,
    sides,
    rows,
    sentence: sentenceOf(rows, base[0], candidates),
    caution: cautionOf(rows, sides),
  }
}

/** The verdict on a change of a metric, by its direction. */
export function verdictOf(metric: Metric, base: number, value: number): Verdict {
  if (base === value) return 'same'
  if (metric.direction === 'neutral') return 'neutral'
  return value > base === (metric.direction === 'higher-is-better') ? 'better' : 'worse'
}

function deltaOf<Run extends ComparedRun>(
  metric: Metric,
  base: Side<Run>,
  side: Side<Run>,
  noiseOf: NoiseOf<Run>,
): Delta {
  const [before, after] = [base, side].map((runs) => runs.flatMap((run) => metric.read(run.figures) ?? []))
  const [from, to] = [sideFigureOf(before ?? []), sideFigureOf(after ?? [])]
  const known = { value: to.value, spreadRatio: to.spreadRatio, counts: [from.count, to.count] } as const
  if (from.value === null || to.value === null) {
    const reason =
      to.value === null ? missingReason(metric, side[0]) : `none in the baseline: ${missingReason(metric, base[0])}`
    const nothing = { absolute: null, changeRatio: null, factor: null, shift: null, noiseRatio: null } as const
    return { ...known, ...nothing, evidence: 'single', verdict: 'unknown', reason }
  }
  const shift = from.count + to.count > 2 ? shiftOf(before ?? [], after ?? []) : null
  const absolute = shift?.estimate ?? to.value - from.value
  const noiseRatio = shift === null ? pairNoise(noiseOf(base, metric), noiseOf(side, metric)) : null
  return {
    ...known,
    absolute,
    changeRatio: from.value === 0 ? null : absolute / from.value,
    factor: from.value === 0 ? null : 1 + absolute / from.value,
    shift,
    noiseRatio,
    evidence: evidenceOf(shift, known.counts, from.value === 0 ? null : to.value / from.value, noiseRatio),
    verdict: verdictOf(metric, from.value, from.value + absolute),
    reason: null,
  }
}

function evidenceOf(
  shift: Shift | null,
  [m, k]: readonly [number, number],
  factor: number | null,
  noiseRatio: number | null,
): Delta['evidence'] {
  if (shift !== null) {
    if (shift.p < alpha) return 'shown'
    return runsNeeded(m, k).some((more) => more > 0) ? 'too-few' : 'not-shown'
  }
  if (noiseRatio === null || factor === null || factor <= 0) return 'single'
  return Math.max(factor, 1 / factor) - 1 > noiseRatio ? 'shown' : 'not-shown'
}

/** How far two single runs lie apart by noise alone, 95 %: the noisier series counts for both where one is unknown. */
function pairNoise(base: number | null, head: number | null): number | null {
  if (base === null && head === null) return null
  return Math.expm1(1.96 * Math.hypot(base ?? head ?? 0, head ?? base ?? 0))
}

/** Whether a change is large enough to speak of; every change of a share is: 99.98 and 99.5 % success are worlds apart. */
export function isSpeakable(metric: Metric, base: number, value: number): boolean {
  return metric.unit === 'ratio' || base === 0 || Math.abs(value / base - 1) >= sameBelowRatio
}

/** Why a run has no value of a metric, as far as its tool prints it. */
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
  if (delta.absolute === null) return '–'
  const text = formatMetric(Math.abs(delta.absolute), metric.unit)
  return delta.absolute === 0 ? text : `${delta.absolute < 0 ? '\u2212' : '+'}${text}`
}

/** Ids of the metrics that a first sentence is about, the most important first. */
const headlineIds = metricsOf('headline').map(({ id }) => id)

/** What differs most between a base and its candidates, in one sentence without a full stop. */
function sentenceOf(rows: readonly ComparisonRow[], baseline: ComparedRun, candidates: readonly ComparedRun[]): string {
  const [only] = candidates
  if (!only) return 'Nothing to compare with yet: add a second run'
  if (candidates.length > 1) return rangeOf(rows, [baseline, ...candidates])
  const changes = headlineIds.flatMap((id) => {
    const row = rows.find((one) => one.metric.id === id)
    const delta = row?.deltas[0]
    return row && delta?.changeRatio != null && delta.evidence !== 'not-shown' && Math.abs(delta.changeRatio) >= 0.005
      ? [{ row, ratio: delta.changeRatio }]
      : []
  })
  // Of a single invocation mean, min and max are one figure: it is said once.
  const seen = new Set<number>()
  const news = changes.filter(({ ratio }) => !seen.has(ratio) && seen.add(ratio))
  if (news.length === 0) {
    const isNoise = rows.some((row) => row.deltas[0]?.evidence === 'not-shown')
    const threshold = isNoise ? 'beyond noise' : 'by half a percent or more'
    return `No figure of ${nameOf(only, baseline)} differs ${threshold}`
  }
  const words = news.slice(0, 2).map(({ row, ratio }) => `${row.metric.shortLabel} is ${changeWords(ratio)}`)
  return `${words.join(' and ')} on ${nameOf(only, baseline)}`
}

/** What distinguishes a run from another, in words. */
function nameOf(run: ComparedRun, other: ComparedRun): string {
  if (run.variant !== null && run.variant !== other.variant) return run.variant
  if (run.environment !== null && run.environment !== other.environment) return run.environment
  return run.scenario !== other.scenario ? run.scenario : (run.variant ?? run.environment ?? 'the second run')
}

/** Of several runs: from where to where the first figure of the headline that all have reaches. */
function rangeOf(rows: readonly ComparisonRow[], runs: readonly ComparedRun[]): string {
  for (const id of headlineIds) {
    const row = rows.find((one) => one.metric.id === id)
    if (!row) continue
    const values = [row.baseValue, ...row.deltas.map((delta) => delta.value)]
    const known = values.flatMap((value, at) => (value === null ? [] : [{ value, run: runs[at] }]))
    known.sort((a, b) => a.value - b.value)
    const [lowest] = known
    const highest = known.at(-1)
    if (known.length < runs.length || !lowest?.run || !highest?.run || highest.value < lowest.value * 1.005) continue
    const text = (value: number) => formatMetric(value, row.metric.unit)
    const [low, high] = [nameOf(lowest.run, highest.run), nameOf(highest.run, lowest.run)]
    const [from, to] = [text(lowest.value), text(highest.value)]
    const reach = low === high ? `${from} to ${to}` : `${from} (${low}) to ${to} (${high})`
    return `${row.metric.shortLabel} ranges from ${reach}`
  }
  return `${runs.length} runs side by side; changes are relative to the baseline`
}

/**
 * How sure that is, in one sentence: by the repeats, by the noise of earlier runs, or not at all, with how many more runs
 * would show. Empty for a lone side.
 */
function cautionOf(rows: readonly ComparisonRow[], sides: readonly Side<ComparedRun>[]): string {
  const [base, ...others] = sides
  if (!base || others.length === 0) return ''
  if (sides.every((side) => side.length === 1)) return cautionOfSingles(rows, sides)
  const judged = rows.flatMap((row) => row.deltas.map((delta) => ({ metric: row.metric, delta })))
  const shown = judged.filter(({ delta }) => delta.evidence === 'shown')
  const counts = sides.map((side) => side.length).join(' + ')
  if (shown.length === 0 && judged.some(({ delta }) => delta.evidence === 'too-few' || delta.evidence === 'single')) {
    return `${counts} runs are too few to rule out noise: ${minRuns} ${sides.length > 2 ? 'of each' : 'per side'} needed`
  }
  const names = [...new Set(shown.map(({ metric }) => metric.shortLabel))]
  if (names.length === 0) return `${counts} runs: no difference beyond run-to-run noise`
  const verb = names.length === 1 ? 'differs' : 'differ'
  return `${counts} runs: ${joinWords(names, 'and')} ${verb} beyond run-to-run noise (p < 0.05)`
}

function cautionOfSingles(rows: readonly ComparisonRow[], sides: readonly Side<ComparedRun>[]): string {
  const count = sides.length
  const judged = rows.flatMap((row) => row.deltas.map((delta) => ({ row, delta })))
  const withNoise = judged.find(({ row, delta }) => delta.noiseRatio !== null && headlineIds.includes(row.metric.id))
  if (withNoise && count === 2) {
    const { row, delta } = withNoise
    const reach = formatChange(delta.noiseRatio).replace('+', '')
    const beyond = delta.evidence === 'shown' ? 'this is more' : 'this may be noise'
    return `One run per side; ${row.metric.shortLabel} of two such runs differs by up to ${reach} from noise alone:  ${beyond}`
  }
  if (sides.every(([run]) => run.figures.requests === 1)) {
    const each = count === 2 ? 'One invocation per side' : `One invocation of each of the ${numberWord(count)}`
    return `${each} (n = 1): this may be noise. Repeat each, ideally a hundred times, before relying on it`
  }
  const [more] = runsNeeded(1, 1)
  return count === 2
    ? `One run per side, so this may be noise: ${moreRuns(more)} per side needed`
    : `One run of each of the ${numberWord(count)}, so this may be noise: ${moreRuns(more)} of each needed`
}

const moreRuns = (count: number) => `${count} more ${count === 1 ? 'run' : 'runs'}`

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const numberWord = (count: number) => words[count] ?? String(count)
