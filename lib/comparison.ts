import type { RunFigures } from './figures'
import { formatChange, formatMetric } from './format'
import { defaultMetricIds, findMetric, type Metric } from './metrics'
import type { RunRow } from './stored'

export type Verdict = 'better' | 'worse' | 'same' | 'neutral' | 'unknown'

/** A candidate's value beside the baseline's. Everything but `value` is null when either is missing. */
export interface Delta {
  readonly value: number | null
  /** candidate − baseline, in the metric's unit. */
  readonly absolute: number | null
  /** Relative: 0.1 is +10 %. Null also when the baseline is 0. */
  readonly changeRatio: number | null
  /** candidate / baseline. */
  readonly factor: number | null
  readonly verdict: Verdict
  /** Why there is no verdict; null when there is one. */
  readonly reason: string | null
}

export interface ComparisonRow {
  readonly metric: Metric
  readonly baseValue: number | null
  /** Why the baseline has no value; null when it has. */
  readonly baseReason: string | null
  readonly deltas: readonly Delta[]
}

export interface Comparison<Run extends ComparedRun = RunRow> {
  readonly baseline: Run
  readonly candidates: readonly Run[]
  /** In the order of the metrics; those that no run has are left out. */
  readonly rows: readonly ComparisonRow[]
  /** What differs most, in one sentence. */
  readonly sentence: string
  /** Why it may mean nothing, in one sentence. */
  readonly caution: string
}

/** What a comparison needs of a run. */
export type ComparedRun = Pick<RunRow, 'id' | 'tool' | 'scenario' | 'variant' | 'environment' | 'figures'>

/** Changes smaller than this read as the same: one run a side cannot tell them from noise. Shares (ratios) are exempt. */
export const sameBelowRatio = 0.005

/** Compares each candidate with the baseline, metric by metric. `metricIds` null: the usual ones. Never throws. */
export function compareRuns<Run extends ComparedRun>(
  baseline: Run,
  candidates: readonly Run[],
  metricIds: readonly string[] | null = null,
): Comparison<Run> {
  const chosen = (metricIds ?? defaultMetricIds).flatMap((id) => findMetric(id) ?? [])
  const all = [baseline, ...candidates]
  const rows = chosen
    .filter((metric) => all.some((run) => metric.read(run.figures) !== null))
    .map((metric) => ({
      metric,
      baseValue: metric.read(baseline.figures),
      baseReason: metric.read(baseline.figures) === null ? missingReason(metric, baseline) : null,
      deltas: candidates.map((candidate) => deltaOf(metric, baseline, candidate)),
    }))
  return {
    baseline,
    candidates,
    rows,
    sentence: sentenceOf(rows, baseline, candidates),
    caution: cautionOf([baseline, ...candidates]),
  }
}

/** The verdict on a change of a metric, by its direction. */
export function verdictOf(metric: Metric, base: number, value: number): Verdict {
  if (base === value) return 'same'
  if (metric.direction === 'neutral') return 'neutral'
  return value > base === (metric.direction === 'higher-is-better') ? 'better' : 'worse'
}

function deltaOf(metric: Metric, baseline: ComparedRun, candidate: ComparedRun): Delta {
  const base = metric.read(baseline.figures)
  const value = metric.read(candidate.figures)
  if (base === null || value === null) {
    const reason =
      value === null ? missingReason(metric, candidate) : `the base has none: ${missingReason(metric, baseline)}`
    return { value, absolute: null, changeRatio: null, factor: null, verdict: 'unknown', reason }
  }
  return {
    value,
    absolute: value - base,
    changeRatio: base === 0 ? null : value / base - 1,
    factor: base === 0 ? null : value / base,
    verdict: verdictOf(metric, base, value),
    reason: null,
  }
}

/** Whether a change is large enough to speak of; every change of a share is: 99.98 and 99.5 % success are worlds apart. */
export function isSpeakable(metric: Metric, base: number, value: number): boolean {
  return metric.unit === 'ratio' || base === 0 || Math.abs(value / base - 1) >= sameBelowRatio
}

/** Why a run has no value of a metric, as far as its tool tells. */
export function missingReason(
  metric: Metric,
  run: Pick<ComparedRun, 'tool'> & { readonly figures: RunFigures },
): string {
  const { tool, figures } = run
  if (tool === 'hey' && metric.id.startsWith('p') && metric.unit === 'ms') {
    const few = figures.requests !== null && figures.requests < 100
    return few
      ? `hey prints no ${metric.shortLabel} for ${figures.requests} requests`
      : `hey does not print ${metric.shortLabel}`
  }
  if (tool === 'wrk' && metric.id === 'p95') return 'wrk prints 50, 75, 90 and 99 % only'
  return `${tool === 'lambda' ? 'the Lambda figures do not hold it' : `${tool} did not print it`}`
}

/** Metrics that a first sentence talks about, most telling first. */
const telling = ['p99', 'requests-per-second', 'mean', 'p50', 'max', 'success-ratio', 'billed', 'init']

function sentenceOf(rows: readonly ComparisonRow[], baseline: ComparedRun, candidates: readonly ComparedRun[]): string {
  const [only] = candidates
  if (!only) return 'Nothing to compare with yet: add a second run'
  if (candidates.length > 1) return rangeOf(rows, [baseline, ...candidates])
  const changes = telling.flatMap((id) => {
    const row = rows.find((one) => one.metric.id === id)
    const delta = row?.deltas[0]
    return row && delta?.changeRatio != null && Math.abs(delta.changeRatio) >= 0.005
      ? [{ row, ratio: delta.changeRatio }]
      : []
  })
  // Of a single invocation mean, fastest and slowest are one figure: it is said once.
  const seen = new Set<number>()
  const news = changes.filter(({ ratio }) => !seen.has(ratio) && seen.add(ratio))
  if (news.length === 0) return `No figure of ${nameOf(only, baseline)} differs by half a per cent or more`
  const words = news.slice(0, 2).map(({ row, ratio }) => {
    const size = formatChange(Math.abs(ratio)).replace('+', '')
    return `${row.metric.shortLabel} is ${size} ${ratio > 0 ? 'higher' : 'lower'}`
  })
  return `${words.join(' and ')} on ${nameOf(only, baseline)}`
}

/** What tells a run from another in words. */
function nameOf(run: ComparedRun, other: ComparedRun): string {
  if (run.variant !== null && run.variant !== other.variant) return run.variant
  if (run.environment !== null && run.environment !== other.environment) return run.environment
  return run.scenario !== other.scenario ? run.scenario : (run.variant ?? run.environment ?? 'the second run')
}

/** Of several runs: from where to where the most telling figure that all have reaches. */
function rangeOf(rows: readonly ComparisonRow[], runs: readonly ComparedRun[]): string {
  for (const id of telling) {
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
    return `${row.metric.shortLabel} reaches from ${text(lowest.value)} (${low}) to ${text(highest.value)} (${high})`
  }
  return `${runs.length} runs side by side; changes are against the base`
}

function cautionOf(runs: readonly ComparedRun[]): string {
  if (runs.length < 2) return ''
  if (runs.every((run) => run.figures.requests === 1)) {
    return 'One invocation per side (n = 1): this may be noise. Repeat each, best a hundred times, before you believe it'
  }
  return 'One run per side: this may be noise. Repeat both to know how much runs differ by themselves'
}

/** A delta's absolute change with its unit and sign: `+3.4 ms`. */
export function formatAbsolute(delta: Delta, metric: Metric): string {
  if (delta.absolute === null) return '–'
  const text = formatMetric(Math.abs(delta.absolute), metric.unit)
  return delta.absolute === 0 ? text : `${delta.absolute < 0 ? '\u2212' : '+'}${text}`
}
