import { alertingMetrics } from '../run/metrics'
import {
  formatDuration,
  formatMetric,
  formatMoment,
  formatNumber,
  formatPercent,
  formatSet,
  plural,
  roundChange,
  roundNumber,
} from '../format'
import { findMetric } from '../run/metrics'
import type { DriftEvent, EnvironmentEvent, RuleEvent } from './rule-events'
import type { Rule, RuleDirection, RuleSettings } from './rules'

const kindNames: Readonly<Record<RuleSettings['kind'], string>> = {
  'change-point': 'Change of level',
  baseline: 'Against a baseline',
  limit: 'Limit',
  missing: 'Missing runs',
  'failed-import': 'Failed import',
}

/** The name of a kind of rule. */
export const ruleKindName = (kind: RuleSettings['kind']): string => kindNames[kind]

const metricLabel = (id: string): string => findMetric(id)?.label ?? id

/** Names such as p99 stay as they are. */
const startsWithName = (text: string): boolean => /^\p{L}\d/u.test(text)
const capital = (text: string): string => (startsWithName(text) ? text : text.charAt(0).toUpperCase() + text.slice(1))

/** Within a sentence, and in brackets: short if the label has brackets of its own. */
const defaultLabel = (id: string): string => {
  const metric = findMetric(id)
  const label = metric?.label.includes('(') ? metric.shortLabel : metricLabel(id)
  return startsWithName(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
}
/** Labels, as used within a sentence, of the metrics watched by a rule that names none. */
export const defaultMetricLabels = alertingMetrics.map(({ metricId }) => defaultLabel(metricId)).join(', ')

/** Where a rule's words are used: `short` does not list the default metrics. */
export type RuleWordsLength = 'short' | 'full'

function metricWords(metricIds: readonly string[], length: RuleWordsLength): string {
  if (metricIds.length > 0) return metricIds.map(metricLabel).join(', ')
  return length === 'short' ? 'any default metric' : `any default metric (${defaultMetricLabels})`
}

const directionWords: Readonly<Record<RuleDirection, string>> = {
  worse: 'gets worse',
  better: 'gets better',
  both: 'changes',
}

/** `24 hours`, `3 days`. */
function hoursWords(hours: number): string {
  return hours >= 48 && hours % 24 === 0 ? plural(hours / 24, 'day') : plural(hours, 'hour')
}

const inARow = (runs: number): string => (runs === 1 ? '' : `, ${runs} times in a row`)

/** What a rule watches for, as a sentence without its scope and full stop. */
export function ruleWords(settings: RuleSettings, length: RuleWordsLength = 'full'): string {
  switch (settings.kind) {
    case 'change-point': {
      const by = settings.leastEffectRatio === null ? '' : ` by ${formatPercent(settings.leastEffectRatio)} or more`
      const runs = settings.confirmRuns > 2 ? `, in ${settings.confirmRuns} or more runs` : ''
      const how = settings.sensitivity === 'balanced' ? '' : ` (${settings.sensitivity})`
      return `The level of ${metricWords(settings.metricIds, length)} ${directionWords[settings.direction]}${by}${runs}${how}`
    }
    case 'baseline': {
      const against =
        settings.runIds.length === 0 ? 'the baseline' : `the median of ${plural(settings.runIds.length, 'run')}`
      const side = settings.direction === 'both' ? 'away from' : `${settings.direction} than`
      const by = formatPercent(settings.leastEffectRatio)
      return `${capital(metricWords(settings.metricIds, length))} is ${by} or more ${side} ${against}${inARow(settings.confirmRuns)}`
    }
    case 'limit': {
      const metric = findMetric(settings.metricId)
      const limit = metric ? formatSet(settings.limit, metric.unit) : formatNumber(settings.limit)
      return `${capital(metricLabel(settings.metricId))} is ${settings.side} ${limit}${inARow(settings.confirmRuns)}`
    }
    case 'missing':
      return `No run for ${hoursWords(settings.hours)}`
    case 'failed-import':
      return 'An upload cannot be read'
  }
}

/** What a rule covers. `seriesName`: of the series it names, if known. */
export function scopeWords(rule: Pick<Rule, 'scenario' | 'seriesId'>, seriesName: string | null): string {
  if (rule.seriesId !== null) return seriesName ?? 'a deleted series'
  return rule.scenario ?? 'whole project'
}

/** A short description of an event: the headline of its alert. */
export function eventWords(event: RuleEvent): string {
  switch (event.kind) {
    case 'limit': {
      const { label, show, showSet } = metricOf(event.metricId)
      return `${label} ${show(event.value)}, ${event.side} the limit of ${showSet(event.expected)}`
    }
    case 'baseline': {
      const { label, show, isShare } = metricOf(event.metricId)
      return isShare || event.expected <= 0
        ? `${label} ${show(event.value)} vs ${show(event.expected)} in the baseline`
        : `${label} ${roundChange(event.value / event.expected - 1)} vs the baseline`
    }
    case 'drift': {
      return driftWords(event)
    }
    case 'environment':
      return `${event.environment} itself became ${slowerWords(event.factor)}`
    case 'missing':
      return `No run for ${hoursWords(event.hours)}`
    case 'failed-import':
      return event.count === 1
        ? `${event.uploadName} could not be read`
        : `${plural(event.count, 'upload')} could not be read, ${event.uploadName} last`
  }
}

type Crept = Pick<DriftEvent, 'metricId' | 'before' | 'after' | 'count'>

/** `p99 rose 14.2 % over 60 runs, no single step`. */
export function driftWords({ metricId, before, after, count }: Crept): string {
  const { label, isShare, show } = metricOf(metricId)
  const verb = after > before ? 'rose' : 'fell'
  const size =
    isShare || before <= 0
      ? `from ${show(before)} to ${show(after)}`
      : formatPercent(Number(Math.abs(after / before - 1).toPrecision(3)))
  return `${label} ${verb} ${size} over ${plural(count, 'run')}, no single step`
}

/** The two levels between which something crept. */
export function levelsWords({ metricId, before, after }: Crept): string {
  const { show } = metricOf(metricId)
  return `from ${show(before)} to ${show(after)}`
}

/** `, 1.9 % a week`; empty: it lasts less than a week, or began at 0. */
function paceWords({ before, after, since, newestAt }: DriftEvent): string {
  const weeks = newestAt === null ? 0 : (Date.parse(newestAt) - Date.parse(since)) / (7 * dayMs)
  if (weeks < 1 || before <= 0 || after <= 0) return ''
  const pace = Math.abs((after / before) ** (1 / weeks) - 1)
  return `, ${formatPercent(Number(pace.toPrecision(2)))} a week`
}

/** `2.9× slower`, `21 % slower`, `1.8× faster`. */
function slowerWords(factor: number): string {
  const [word, times] = factor < 1 ? ['faster', 1 / factor] : ['slower', factor]
  const share = Number(Math.abs(factor - 1).toPrecision(2))
  return times < 1.5 ? `${formatPercent(share)} ${word}` : `${timesWords(times)} ${word}`
}

const timesWords = (factor: number): string => `${roundNumber(factor)}×`

/** `m7i.large itself became 2.9× slower on 14 Nov 2026, 23:40`. */
export const shiftWords = (event: EnvironmentEvent): string => `${eventWords(event)} on ${formatMoment(event.since)}`

/** The same with what moved, on one line: `…; the control and 3 series moved together (2.6× to 3.2×)`. */
export const shiftLine = (event: EnvironmentEvent): string =>
  `${shiftWords(event)}; ${togetherWords(event).replace(/^T/, 't')}`

/**
 * What is known of an environment, without a full stop: that it moved and lasts so, that it is back, or that it never
 * moved. `shifts`: newest first.
 */
export function environmentSentence(name: string, [newest]: readonly EnvironmentEvent[]): string {
  if (newest === undefined) return `${name} has not moved so far`
  if (newest.overSince === null) return shiftWords(newest)
  const lasted = spanWords(Date.parse(newest.overSince) - Date.parse(newest.since))
  const moved = plural(measuredOf(newest), 'series', 'series')
  return `${name} is steady again; for ${lasted} it was ${slowerWords(newest.factor)}, and ${moved} moved together`
}

const dayMs = 86_400_000
const spanWords = (ms: number): string => (ms < 2 * dayMs ? formatDuration(ms) : plural(Math.round(ms / dayMs), 'day'))

/** Series that moved, without the control. */
const measuredOf = ({ seriesIds, hasControl }: EnvironmentEvent): number => seriesIds.length - Number(hasControl)

/** `The control and 3 series moved together (2.6× to 3.2×)`. */
function togetherWords(event: EnvironmentEvent): string {
  const { hasControl, leastFactor, mostFactor } = event
  const all = `${hasControl ? 'The control and ' : ''}${plural(measuredOf(event), 'series', 'series')} moved together`
  const [low, high] = [timesWords(leastFactor), timesWords(mostFactor)]
  return `${all} (${low === high ? low : `${low} to ${high}`})`
}

/** Everything known about an event, as a sentence. */
export function eventSentence(event: RuleEvent): string {
  switch (event.kind) {
    case 'limit':
    case 'baseline': {
      const { show } = metricOf(event.metricId)
      const than =
        event.kind === 'limit' ? 'the limit' : `the baseline (${plural(event.referenceRunIds.length, 'run')})`
      return `${capital(show(event.value))} in the newest of ${plural(event.count, 'run')} ${event.side} ${than} of ${show(event.expected)}.`
    }
    case 'drift':
      return `Slow drift: ${levelsWords(event)}${paceWords(event)}. No single run caused it.`
    case 'environment':
      return `${togetherWords(event)}: no commit is to blame. Later runs are judged against what the machine gives now.`
    case 'missing':
      return `A run was expected every ${hoursWords(event.hours)}.`
    case 'failed-import':
      return event.message
  }
}

function metricOf(id: string) {
  const metric = findMetric(id)
  return {
    label: metric?.shortLabel ?? id,
    show: (value: number) => (metric ? formatMetric(value, metric.unit) : formatNumber(value)),
    showSet: (value: number) => (metric ? formatSet(value, metric.unit) : formatNumber(value)),
    isShare: metric?.unit === 'ratio',
  }
}
