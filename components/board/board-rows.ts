import { prepareStrip, stripRuns, type StripLevel, type StripPoint, type StripShift } from '@/components/charts/strip'
import type { Strip } from '@/components/charts/plot/rows/strip'
import type { Trend } from '@/lib/levels/trend'
import { columnUnit, formatCount, formatInColumn, formatNumber, formatPercent, missing } from '@/lib/format'
import type { BoardRun, BoardSeries, PastJudgements } from '@/lib/board/series'
import { heldLimits, limitsOfSeries, type HeldLimit, type RuleLimit } from '@/lib/rules/limits'
import type { EnvironmentEvent } from '@/lib/rules/rule-events'
import { shiftLine } from '@/lib/rules/rule-words'
import { expectedFact, figureFact, type Fact } from '@/lib/run/fact'
import { heldAgainst, type MetricJudgement } from '@/lib/run/judgement'
import { limitsOfMetric, namedLimits, type MetricLimit } from '@/lib/run/limits'
import { attemptsOfFigures, boundOf, findMetric, isLatency, type Metric } from '@/lib/run/metrics'
import type { JudgedRow } from '@/lib/run/judgement'
import { fewWords, restsOnFew } from '@/lib/stats/sampled-run'
import { standingOf, type Standing } from '@/lib/run/standing'

/** A figure of a row: as printed, its unit, its expected range, and whether the state is about it. */
export interface RowFigure {
  readonly text: string
  /** Empty: none. */
  readonly unit: string
  /** `51–80`; the reason if there is none; or empty. */
  readonly range: string
  /** Whether it has the colour of the state. */
  readonly isOff: boolean
  readonly title: string
  /** It rests on few samples. */
  readonly isFew?: true
  /** Null: it is missing. */
  readonly fact: Fact | null
  /** The expected range, if `range` shows it; null: it shows something else. */
  readonly expected: Fact | null
}

/** A series on the board. */
export interface BoardRow {
  readonly id: string
  readonly scenario: string
  /** Variant and environment, if it has them. */
  readonly rest: readonly string[]
  /** Null: no run takes part in it. */
  readonly runId: string | null
  readonly judged: JudgedRow | null
  /** While its level is changed; null: the state is the run's own. */
  readonly standing: Standing | null
  /** How its newest run compares with the limits of its series. */
  readonly limits: readonly HeldLimit[]
  /** Shown below the sentence: newer runs that do not take part. Empty: none. */
  readonly note: string
  readonly strip: Strip | null
  readonly lead: RowFigure
  readonly served: RowFigure
  readonly failed: RowFigure
}

/** Data of a row's series. */
export interface RowSource {
  readonly series: BoardSeries
  /** Null: no run takes part in it. */
  readonly run: BoardRun | null
  /** Of the load profile of that run; null: not stored. */
  readonly trend: Trend | null
}

/** Points of a trend in a strip, and where in the trend they begin. */
const shownPoints = (trend: Trend) => ({
  points: trend.points.slice(-stripRuns),
  from: Math.max(0, trend.points.length - stripRuns),
})

/** The last runs of levels that ended within the strips: their expected range is the band of their level. */
export const lastRunsOfLevels = (trends: readonly (Trend | null)[]): readonly string[] =>
  trends.flatMap((trend) => {
    if (trend === null) return []
    const { from } = shownPoints(trend)
    return trend.changes.flatMap(({ at, beforeRunId }) => (at > from ? [beforeRunId] : []))
  })

/**
 * Time from which each series is read for its strips: the point before them, as a point's time is that of its last
 * repeat.
 */
export function beginOfStrips(trends: readonly (Trend | null)[]): ReadonlyMap<string, string> {
  const begins = new Map<string, string>()
  for (const trend of trends) {
    if (trend === null) continue
    const { points, from } = shownPoints(trend)
    const begin = trend.points[from - 1]?.orderedAt ?? points[0]?.orderedAt
    const { id } = trend.profile.series
    const known = begins.get(id)
    if (begin !== undefined && (known === undefined || begin < known)) begins.set(id, begin)
  }
  return begins
}

/** The trend of the load profile whose newest run this is; else the one with the newest run. */
export function trendOfRun(trends: readonly Trend[], runId: string | null): Trend | null {
  const own = trends.find(({ points }) => runId !== null && points.at(-1)?.runIds.includes(runId))
  return own ?? trends[0] ?? null
}

/** The common environment of several series; null: they differ, or have none. */
export function sharedEnvironment(series: readonly BoardSeries[]): string | null {
  const [first] = series
  return first !== undefined && series.length > 1 && series.every((one) => one.environment === first.environment)
    ? first.environment
    : null
}

/** What rows leave out, and what they are held against. */
export interface Shown {
  /** The common environment; null: they differ. */
  readonly shared: string | null
  /** That the rules of the project set. */
  readonly limits: readonly RuleLimit[]
  /** When environments of the project moved. */
  readonly shifts: readonly EnvironmentEvent[]
}

/** Prepares a row. */
export function prepareRow(
  { series, run, trend }: RowSource,
  metric: Metric,
  past: PastJudgements,
  { shared, limits, shifts }: Shown,
): BoardRow {
  const { id, scenario, variant, environment, later } = series
  const judged = run?.judged ?? null
  const judgedOf = (metricId: string) => run?.judgement?.metrics.find((one) => one.metricId === metricId) ?? null
  const state = judged?.state ?? null
  const isOff = (judgement: MetricJudgement | null) => isValueOff(judgement) && state !== 'as-expected'
  const lead = judgedOf(metric.id)
  return {
    id,
    scenario,
    rest: [variant, environment === shared ? null : environment].filter((one) => one !== null),
    runId: run?.id ?? null,
    judged,
    standing: standingOf(run?.judgement ?? null),
    limits: run === null ? [] : heldLimits(limits, run),
    note: noteOf(later, run),
    strip:
      run === null || trend === null
        ? null
        : stripOf(run, trend, metric, past, {
            limits: limitsOfSeries(limits, run),
            shifts: shifts.flatMap((one) =>
              one.environment === environment ? [{ ...one, words: shiftLine(one) }] : [],
            ),
          }),
    lead: { ...figureOf(run, metric, lead), isOff: isOff(lead) },
    served: servedOf(run, judgedOf('requests-per-second'), isOff),
    failed: failedOf(run, judgedOf('error-ratio')),
  }
}

function noteOf(later: BoardSeries['later'], run: BoardRun | null): string {
  if (later === null) return ''
  const what = later.isCandidate ? 'a candidate' : 'an invalid or incomplete run'
  return run === null ? `Only ${what}: it is no part of the series.` : `Newer: ${what}, which is no part of the series.`
}

/** The strip of the last runs of a series: `run` is the newest. */
export function stripOf(
  run: BoardRun,
  trend: Trend,
  metric: Metric,
  past: PastJudgements,
  { limits, shifts = [] }: { readonly limits: readonly MetricLimit[]; readonly shifts?: readonly StripShift[] },
): Strip | null {
  const { points, from } = shownPoints(trend)
  const levels = levelsOf(run, trend, metric, past).map((level) => ({ ...level, from: level.from - from }))
  const own = points.map(({ value, runIds, orderedAt, labels }): StripPoint => ({
    value,
    isOutside: runIds.some((id) => past.outside.has(id)),
    run: { orderedAt, commit: labels['commit'] ?? null, runs: runIds.length },
  }))
  // The stored trend may be older than the newest run.
  const isThere = points.at(-1)?.runIds.includes(run.id) === true
  const newest = { orderedAt: run.orderedAt, commit: run.labels['commit'] ?? null, runs: 1 }
  const all = isThere ? own : [...own, { value: metric.read(run.figures), isOutside: false, run: newest }]
  const measured = all.map(({ value }) => ({ tool: run.tool, ms: isLatency(metric) ? value : null }))
  return prepareStrip({
    metricName: metric.shortLabel,
    unit: metric.unit,
    points: all,
    levels,
    state: run.judged?.state ?? null,
    limits: limitsOfMetric(namedLimits(limits, measured), metric),
    shifts,
  })
}

/**
 * Levels with the expected ranges of their runs: a past level's from its last run, the current one's from the newest.
 */
function levelsOf(run: BoardRun, trend: Trend, metric: Metric, past: PastJudgements): readonly StripLevel[] {
  const { changes } = trend
  const before = changes.map((change, at): StripLevel => {
    const judged = past.expected.get(change.beforeRunId) ?? null
    return { from: changes[at - 1]?.at ?? 0, value: change.before, ...boundsOf(judged) }
  })
  const current = currentRange(run, metric)
  if (current === null && changes.length === 0) return []
  return [...before, { from: changes.at(-1)?.at ?? 0, value: null, low: null, high: null, ...current }]
}

const boundsOf = (judged: MetricJudgement | null) => ({
  low: judged?.expectedLow ?? null,
  high: judged?.expectedHigh ?? null,
})

interface Range {
  readonly value: number | null
  readonly low: number
  readonly high: number
}

/** The expected range of the current level: the same as on the newest run's page. Null: too few runs. */
function currentRange(run: BoardRun, metric: Metric): Range | null {
  const judged = run.judgement?.metrics.find(({ metricId }) => metricId === metric.id) ?? null
  const held = judged === null ? null : heldAgainst(judged)
  return held === null || held.of === 'before' ? null : { value: held.level, low: held.low, high: held.high }
}

/** Whether a value is coloured: it needs attention, and is outside of the range printed beside it. */
export function isValueOff(judged: MetricJudgement | null): boolean {
  if (judged === null || heldAgainst(judged)?.isOutside === false) return false
  return judged.state === 'unusual' || judged.state === 'worse'
}

/** The range printed beside a value; that of the level before if the new one has too few runs. Empty: none. */
export function rangeOfValue(judged: MetricJudgement | null, show: (value: number) => string): string {
  const held = judged === null ? null : heldAgainst(judged)
  if (held === null) return ''
  return `${held.of === 'before' ? 'before ' : ''}${show(held.low)}–${show(held.high)}`
}

const noFacts = { fact: null, expected: null } as const

function factsOf(
  run: BoardRun,
  metric: Metric,
  value: number,
  judged: MetricJudgement | null,
): Pick<RowFigure, 'fact' | 'expected'> {
  const held = judged === null ? null : heldAgainst(judged)
  const expected = held === null ? null : expectedFact(run.id, metric, held)
  return { fact: figureFact(run.id, metric, value), expected }
}

function figureOf(run: BoardRun | null, metric: Metric, judged: MetricJudgement | null): Omit<RowFigure, 'isOff'> {
  const value = run === null ? null : metric.read(run.figures)
  if (run === null || value === null) return { text: missing, unit: '', range: '', title: '', ...noFacts }
  const unit = columnUnit(metric.unit, [value])
  const show = (figure: number) => formatInColumn(figure, metric.unit, unit)
  const isFew = restsOnFew(metric, [run])
  const title = `${value} ${unit.factor === 1 ? unit.label : metric.unit}`.trim()
  return {
    text: boundOf(run, metric, value) + show(value),
    unit: metric.unit === 'per-second' ? '' : unit.label,
    range: rangeOfValue(judged, show) || noRangeWords(judged),
    title: isFew ? `${title}. ${fewWords(run)}` : title,
    ...(isFew ? { isFew } : {}),
    ...factsOf(run, metric, value, judged),
  }
}

/** Why there is no range; nothing if the metric is not judged at all. */
const noRangeWords = (judged: MetricJudgement | null): string =>
  judged === null ? '' : judged.state === 'barred' ? 'not judged' : 'no range yet'

function servedOf(
  run: BoardRun | null,
  judged: MetricJudgement | null,
  isOff: (judged: MetricJudgement | null) => boolean,
): RowFigure {
  const figures = run?.figures
  const value = figures?.throughputPerSecond ?? figures?.requestsPerSecond ?? null
  const metric = findMetric(figures?.throughputPerSecond == null ? 'requests-per-second' : 'throughput')
  if (run === null || value === null || metric === null)
    return { text: missing, unit: '', range: '', isOff: false, title: '', ...noFacts }
  // The range is for all requests a second: if fewer were served, it does not apply to those.
  const isAll =
    figures?.requestsPerSecond !== null && Math.abs(value / (figures?.requestsPerSecond ?? value) - 1) < 0.005
  const range = isAll ? rangeOfValue(judged, formatNumber) : ''
  return {
    text: formatNumber(value),
    unit: '',
    range,
    isOff: isOff(judged) && isAll,
    title: `${value}/s`,
    // The range is another metric's, so this fact has none.
    fact: figureFact(run.id, metric, value),
    expected: null,
  }
}

function failedOf(run: BoardRun | null, judged: MetricJudgement | null): RowFigure {
  const { errorCount = null, errorRatio = null } = run?.figures ?? {}
  const ratio = findMetric('error-ratio')
  const attempts = run === null ? null : attemptsOfFigures(run.figures)
  if (run === null || ratio === null || (errorCount === null && errorRatio === null))
    return { text: missing, unit: '', range: '', isOff: false, title: 'The tool printed no failures', ...noFacts }
  const { range, expected } = failedRange(run, ratio, judged)
  if (errorCount === 0 || errorRatio === 0)
    return { text: '0', unit: '', range, isOff: false, title: '', fact: null, expected }
  const of = errorCount === null || attempts === null ? '' : `${formatCount(errorCount)} of ${formatCount(attempts)}`
  return {
    text: errorRatio === null ? formatCount(errorCount) : formatPercent(errorRatio),
    unit: '',
    range: range || of,
    isOff: run.judged?.state === 'failing',
    title: of,
    fact: errorRatio === null ? null : figureFact(run.id, ratio, errorRatio),
    expected,
  }
}

/** The expected share of failures, as printed; empty: nothing is expected yet. */
function failedRange(
  run: BoardRun,
  ratio: Metric,
  judged: MetricJudgement | null,
): Pick<RowFigure, 'range' | 'expected'> {
  const held = judged === null ? null : heldAgainst(judged)
  if (held === null) return { range: '', expected: null }
  return { range: rangeOfValue(judged, formatPercent), expected: expectedFact(run.id, ratio, held) }
}

/** The name of the strip's metric where a column is narrow. */
export const leadLabel = (metric: Metric): string => (metric.unit === 'per-second' ? 'Served/s' : metric.shortLabel)

/** The metric of the strip and its column: the requested one, else the first that most runs have. */
export function boardMetric(asked: Metric | null, choices: readonly Metric[], runs: readonly BoardRun[]): Metric {
  const count = (metric: Metric) => runs.filter(({ figures }) => metric.read(figures) !== null).length
  const most = choices.find((metric) => 2 * count(metric) >= runs.length) ?? choices[0]
  const [fallback] = choices
  const found = asked ?? most ?? fallback ?? findMetric('p99')
  if (found === null || found === undefined) throw new Error('no metric leads')
  return found
}
