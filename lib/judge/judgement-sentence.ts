import { minJudged, minOfLevel } from '../levels/level-check'
import {
  columnUnit,
  formatCompared,
  formatCount,
  formatDay,
  formatMetric,
  formatPercent,
  formatSet,
  plural,
  roundChange,
  roundChangeWords,
  withUnit,
} from '../format'
import { leadingGuard } from '../run/guard'
import { findMetric } from '../run/metrics'
import { guardSentence } from './guard-words'
import {
  heldAgainst,
  sinceWords,
  statedLevels,
  type BegunLevel,
  type BrokenLimit,
  type MetricJudgement,
  type RunJudgement,
  type StatedLevel,
} from '../run/judgement'

type Judged = Omit<RunJudgement, 'sentence'>

/** A judgement as one sentence without its state; `limit`, `begun`: the one that the state is about. */
export function judgementSentence(judged: Judged, limit: BrokenLimit | null, begun: BegunLevel | null = null): string {
  const guard = leadingGuard(judged.guards)
  const main = begun === null ? mainSentence(judged, limit) : begunWords(begun)
  if (guard === null) return `${main}.`
  const about = `${guardSentence(guard)}.`
  if (judged.state !== 'failing' && judged.state !== 'worse') return about
  // The sentence of a failing run already begins with its failed requests.
  return guard.code === 'errors' || guard.code === 'zero-success' ? `${main}.` : `${main}. ${about}`
}

function mainSentence(judged: Judged, limit: BrokenLimit | null): string {
  const { state, metricId, metrics } = judged
  const metric = metrics.find((one) => one.metricId === metricId) ?? null
  if (state === 'failing') return failureWords(judged, metric, limit)
  if (limit !== null) return limitWords(judged, limit)
  if (metric === null) return historyWords(metrics)
  return metric.change === null ? rangeWords(metric, state === 'unusual') : changedWords(metric)
}

/** `15.2 % of requests failed (31)`. */
export function failedWords(failedRatio: number | null, failedCount: number | null): string {
  const failed = failedRatio === null ? 'Requests failed' : `${formatPercent(failedRatio)} of requests failed`
  return failedCount === null || failedCount === 0 ? failed : `${failed} (${formatCount(failedCount)})`
}

function failureWords(
  { failedRatio, failedCount }: Judged,
  metric: MetricJudgement | null,
  limit: BrokenLimit | null,
): string {
  const failed = failedWords(failedRatio, failedCount)
  if (limit !== null)
    return `${failed}; the limit is ${formatSet(limit.expected, findMetric(limit.metricId)?.unit ?? 'ratio')}`
  const level = metric?.level ?? null
  return metric?.side === 'worse' && level !== null ? `${failed}; before ${formatPercent(level)}` : failed
}

function limitWords({ metrics }: Judged, { metricId, expected, side }: BrokenLimit): string {
  const metric = findMetric(metricId)
  const value = metrics.find((one) => one.metricId === metricId)?.value ?? null
  const unit = metric?.unit ?? 'count'
  return `${metric?.shortLabel ?? metricId} ${formatMetric(value, unit)} is ${side} the limit of ${formatSet(expected, unit)}`
}

function historyWords(metrics: readonly MetricJudgement[]): string {
  if (metrics.length === 0) return 'No figure that is judged'
  const before = Math.max(0, ...metrics.map((one) => one.before))
  if (before === 0) return 'First run of its series'
  return `${formatCount(Math.min(before, minJudged))} of ${minJudged} runs before it`
}

/** The verdict on one metric in a word or two; `reason`: why there is none. */
export function verdictWords({ state, side }: Pick<MetricJudgement, 'state' | 'side'>, reason: string | null): string {
  if (state === 'barred') return `not judged: ${reason ?? 'a guard refuses it'}`
  if (state === 'unusual') return side === 'neutral' || side === null ? 'unusual' : `unusual, ${side}`
  return state.replace('-', ' ')
}

const labelOf = (metricId: string): string => findMetric(metricId)?.shortLabel ?? metricId

function rangeWords(
  { metricId, value, expectedLow, expectedHigh, before }: MetricJudgement,
  isUnusual: boolean,
): string {
  const show = (figure: number | null) => formatMetric(figure, findMetric(metricId)?.unit ?? 'count')
  const range = `${labelOf(metricId)} ${show(value)}, expected ${show(expectedLow)} to ${show(expectedHigh)}`
  return isUnusual ? `${range}: repeat the run` : `${range} by ${plural(before, 'run')} before`
}

/** For the first runs of an accepted level: how many more are needed before a run is compared with it. */
function begunWords({ metricId, value, since, cause, before }: BegunLevel): string {
  const commit = cause?.startsWith('commit ') ? cause : null
  const shown = formatMetric(value, findMetric(metricId)?.unit ?? 'count')
  const level = `of the level since ${commit ?? formatDay(since)}`
  const place = before === 0 ? `first run ${level}` : `${before} of ${minOfLevel} runs ${level} before it`
  return `${labelOf(metricId)} ${shown}: ${place}`
}

function changedWords(judged: MetricJudgement): string {
  const { metricId, value, level, effectRatio, effectLowRatio, effectHighRatio, change } = judged
  // An upload has no name that readers know.
  const commit = change?.cause?.startsWith('commit ') ? change.cause : null
  const since = change === null ? '' : ` since ${commit ?? formatDay(change.since)}`
  const show = (figure: number | null) => formatMetric(figure, findMetric(metricId)?.unit ?? 'count')
  if (effectRatio === null) return `${labelOf(metricId)} ${show(value)}, before ${show(level)}${since}`
  const interval = `95 % interval ${roundChange(effectLowRatio)} to ${roundChange(effectHighRatio)}`
  return `${labelOf(metricId)} ${roundChangeWords(effectRatio)}${since} (${interval})${thereWords(judged)}`
}

/**
 * How the run itself compares with the level since a change: level and run are two subjects. Empty: too few runs of it.
 */
function thereWords(judged: MetricJudgement): string {
  const held = heldAgainst(judged)
  if (held?.of !== 'since') return ''
  const show = (figure: number) => formatMetric(figure, findMetric(judged.metricId)?.unit ?? 'count')
  if (!held.isOutside) return '; this run is as expected there'
  return `; this run, ${show(judged.value)}, is outside of the ${show(held.low)} to ${show(held.high)} expected there`
}

/**
 * What the verdict on a metric rests on: its levels, their expected ranges and how many runs are behind them. Empty: no
 * level is stated.
 */
export function basisWords(judged: MetricJudgement): string {
  const { metricId, value, level, effectRatio, change } = judged
  const unit = findMetric(metricId)?.unit ?? 'count'
  const show = (figure: number) => formatMetric(figure, unit)
  const range = ({ low, high, runs }: StatedLevel) => `${show(low)} to ${show(high)} by ${plural(runs, 'run')}`
  const [older, newer] = statedLevels(judged)
  if (older === undefined) return ''
  const label = labelOf(metricId)
  if (change === null) return `The level of ${label} is ${show(older.level)}, by ${plural(older.runs, 'run')} before`
  const since = sinceWords(change)
  const ranges = `Expected before: ${range(older)}; ${newer === undefined ? 'too few runs since' : `since: ${range(newer)}`}`
  if (level === null || effectRatio === null) return `${label} ${show(value)}. ${ranges}`
  const column = columnUnit(unit, [level])
  const [base = '', now = ''] = formatCompared([level, level * (1 + effectRatio)], [null, effectRatio], unit, column)
  const moved = effectRatio > 0 ? 'rose' : 'fell'
  return `${label} ${show(value)}. Its level ${moved} from ${base} to ${withUnit(now, column)} at ${since}. ${ranges}`
}
