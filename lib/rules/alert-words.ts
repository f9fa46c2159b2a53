import type { AlertFinding } from './evaluate-profile'
import {
  columnUnit,
  commitWords,
  formatChange,
  formatCount,
  formatDay,
  formatInColumn,
  formatMetric,
  formatPercent,
  plural,
  roundChange,
  roundChangeWords,
} from '../format'
import { isExcused, type ChangeOrigin } from '../levels/change'
import type { JudgedState } from '../run/judged-states'
import { findMetric } from '../run/metrics'
import { environmentEventOf } from './environment-alert'
import { eventSentence, eventWords, shiftWords } from './rule-words'
import type { UtcIso } from '../run/run'
import { liveStates, type AlertRow, type AlertState } from './stored-alerts'
import type { SeriesSummary } from '../history/stored-series'

/** `p99 40 % higher` or, for shares, `Error rate from 0.1 % to 2 %`. */
export function findingWords(finding: AlertFinding): string {
  const metric = findMetric(finding.metricId)
  const label = metric?.shortLabel ?? finding.metricId
  if (metric?.unit === 'ratio') {
    return `${metric.label} from ${formatPercent(finding.before)} to ${formatPercent(finding.after)}`
  }
  return `${label} ${roundChangeWords(finding.effectRatio)}`
}

/** Scenario, variant and environment of a series on one line. */
export function seriesWords(series: Pick<SeriesSummary, 'scenario' | 'variant' | 'environment'> | null): string {
  if (series === null) return 'a deleted series'
  return [series.scenario, series.variant, series.environment].filter((name) => name !== null).join(' · ')
}

/** What an alert is about: its environment, else its series. Null: neither, or the series was deleted. */
export function alertSubject(
  alert: Pick<AlertRow, 'events' | 'series'>,
): Pick<SeriesSummary, 'scenario' | 'variant' | 'environment'> | null {
  const shift = environmentEventOf(alert)
  return shift === null ? alert.series : { scenario: shift.environment, variant: null, environment: null }
}

/** The headline of an alert: what, how much, where. */
export function alertTitle(alert: Pick<AlertRow, 'findings' | 'events' | 'series'>): string {
  const shift = environmentEventOf(alert)
  if (shift !== null) return eventWords(shift)
  const [first, ...others] = [...alert.findings.map(findingWords), ...alert.events.map(eventWords)]
  const where = alert.series === null ? null : seriesWords(alert.series)
  if (first === undefined) return where ?? 'Deleted runs'
  const rest = others.length === 0 ? '' : `, and ${plural(others.length, 'more change')}`
  return where === null ? `${first}${rest}` : `${first}${rest}: ${where}`
}

/** What an alert began with: `commit 8de2d48`. Null: unknown, or the level crept and no single run began it. */
export function causeOf({ cause, findings, events }: Pick<AlertRow, 'cause' | 'findings' | 'events'>): string | null {
  if (environmentEventOf({ events }) !== null || findings[0]?.origin === 'unexplained') return null
  const crept = findings.length === 0 && events.every((event) => event.kind === 'drift')
  return crept ? null : cause
}

/** The commit that an alert began with; null: another cause, or none. */
export function commitOf(alert: Pick<AlertRow, 'cause' | 'findings' | 'events'>): string | null {
  const cause = causeOf(alert)
  return cause?.startsWith('commit ') ? cause.slice('commit '.length) : null
}

/** When the first of its changes began: the time of a run or an upload. Null: none of them exists any more. */
export function sinceOf({ findings, events }: Pick<AlertRow, 'findings' | 'events'>): UtcIso | null {
  return [...findings, ...events].map(({ since }) => since).reduce<UtcIso | null>((a, b) => (a && a < b ? a : b), null)
}

/** Link text for the runs before and since a change: `Compare before and since 8de2d48 (10 + 10)`. */
export const compareLevelsWords = (name: string, sides: readonly (readonly string[])[]): string =>
  `Compare before and since ${name} (${sides.map((side) => side.length).join(' + ')})`

type Told = Pick<AlertRow, 'cause' | 'findings' | 'events'>

/** An alert as a sentence without its series and full stop: `p99 is 18 % higher since 8de2d48`. */
export function alertSentence(alert: Told): string {
  const shift = environmentEventOf(alert)
  if (shift !== null) return shiftWords(shift)
  const [lead] = alert.findings
  const [event] = alert.events
  if (lead === undefined) return event === undefined ? 'Its runs were deleted' : eventWords(event)
  const metric = findMetric(lead.metricId)
  const commit = commitOf(alert)
  const since = `since ${commit === null ? formatDay(lead.since) : commitWords(commit)}`
  const undecided = lead.origin === 'commit-or-machine' ? ': the commit or the machine' : ''
  if (metric?.unit === 'ratio') return `${findingWords(lead)} ${since}`
  return `${metric?.shortLabel ?? lead.metricId} is ${roundChangeWords(lead.effectRatio)} ${since}${undecided}`
}

/**
 * The basis of an alert's sentence: levels, interval and runs of its largest change, and what moved with it. Empty: no
 * change of level.
 */
export function alertBasis({ findings, events }: Pick<AlertRow, 'findings' | 'events'>): string {
  const shift = environmentEventOf({ events })
  if (shift !== null) return eventSentence(shift)
  const [lead, ...others] = findings
  if (lead === undefined) return ''
  const unit = findMetric(lead.metricId)?.unit ?? 'count'
  const column = columnUnit(unit, [lead.before, lead.after])
  const from = formatInColumn(lead.before, unit, column)
  const to =
    unit === 'ratio' ? formatMetric(lead.after, unit) : `${formatInColumn(lead.after, unit, column)} ${column.label}`
  const interval = `95 % interval ${roundChange(lead.effectLowRatio)} to ${roundChange(lead.effectHighRatio)}, `
  const runs = `${plural(lead.runsBefore, 'run')} before and ${formatCount(lead.runsAfter)} since`
  const levels = `From ${from} to ${to.trim()}, ${unit === 'ratio' ? '' : interval}${runs}.`
  const isSame = (one: AlertFinding) => one.seriesId === lead.seriesId && one.profile === lead.profile
  const beside = listWords(
    others.filter(isSame).map(({ metricId }) => lower(findMetric(metricId)?.shortLabel ?? metricId)),
  )
  const elsewhere = new Set(others.filter((one) => !isSame(one)).map(({ seriesId }) => seriesId)).size
  return [
    levels,
    beside === '' ? '' : `${capital(beside)} moved at the same place: one change, one alert.`,
    elsewhere === 0 ? '' : `${plural(elsewhere, 'more series', 'more series')} changed with it.`,
    originSentence(lead),
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** What is known of a change that its commit may not have brought. Empty: nothing speaks against the commit. */
function originSentence({ origin, cause }: AlertFinding): string {
  if (origin === 'unexplained') return 'The same commit ran before and after: it is not the code.'
  const commit = cause?.startsWith('commit ') ? commitWords(cause.slice('commit '.length)) : 'it'
  return origin === 'commit-or-machine'
    ? `No other run on this machine decides it: run the commit before ${commit} again today.`
    : ''
}

/** Names such as p99 and 2xx/s stay as they are. */
const isName = (text: string): boolean => /^.\d/u.test(text)
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
const capital = (text: string): string => (isName(text) ? text : text.charAt(0).toUpperCase() + text.slice(1))

const listWords = (all: readonly string[]): string =>
  all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`

/** A chip: the state that gives its shape and colour, and its word. */
export interface AlertMark {
  readonly state: JudgedState
  readonly words: string
}

/** The chip of an alert: what it reports while live, its outcome once closed. */
export function alertMark(alert: Told & Pick<AlertRow, 'state'>): AlertMark {
  if (!liveStates.includes(alert.state)) return { state: 'as-expected', words: closedWord(alert) }
  const [lead] = alert.findings
  const [event] = alert.events
  const isOfEnvironment = environmentEventOf(alert) !== null
  if (lead !== undefined && !isOfEnvironment) return changeMark(lead.metricId, lead.effectRatio > 0)
  if (event === undefined) return { state: 'no-history', words: 'No runs' }
  switch (event.kind) {
    case 'drift':
      return changeMark(event.metricId, event.after > event.before)
    case 'limit':
      return findMetric(event.metricId)?.unit === 'ratio'
        ? { state: 'failing', words: 'Failing' }
        : changeMark(event.metricId, event.side === 'above')
    case 'baseline':
      return changeMark(event.metricId, event.side === 'above')
    case 'environment':
      return { state: 'unusual', words: 'Environment' }
    case 'missing':
      return { state: 'unusual', words: 'No run' }
    case 'failed-import':
      return { state: 'invalid', words: 'Unreadable' }
  }
}

/** The chip's word for one of an alert's changes: of an environment's, none is for the worse. */
export function findingMark(
  alert: Pick<AlertRow, 'events'>,
  { metricId, before, after, origin }: Pick<AlertFinding, 'metricId' | 'before' | 'after' | 'origin'>,
): AlertMark {
  return changeMark(metricId, after > before, environmentEventOf(alert) === null ? origin : 'environment')
}

/** The chip's word for a change of a metric; `origin`: what brought it, null: its commit. */
export function changeMark(metricId: string, isHigher: boolean, origin: ChangeOrigin | null = null): AlertMark {
  const direction = findMetric(metricId)?.direction ?? 'neutral'
  if (direction === 'neutral' || isExcused(origin)) return { state: 'unusual', words: 'Changed' }
  return isHigher === (direction === 'higher-is-better')
    ? { state: 'better', words: 'Better' }
    : { state: 'worse', words: 'Worse' }
}

/** A level that crept did not come back when its drift ended. */
function closedWord({ state, events, findings }: Told & Pick<AlertRow, 'state'>): string {
  const isDrift = findings.length === 0 && events[0]?.kind === 'drift'
  return state === 'recovered' && isDrift ? 'Ended' : (closedWords[state] ?? 'Closed')
}

const closedWords: Readonly<Partial<Record<AlertState, string>>> = {
  expected: 'Expected',
  'false-alarm': 'False alarm',
  resolved: 'Fixed',
  recovered: 'Recovered',
  withdrawn: 'Auto-closed',
  merged: 'Merged',
}

/** How certain a finding is, as a sentence with its figures. */
export function sureWords(finding: AlertFinding): string {
  const metric = findMetric(finding.metricId)
  const levels = `From ${formatMetric(finding.before, metric?.unit ?? 'count')} to ${formatMetric(finding.after, metric?.unit ?? 'count')}`
  const interval = `${formatChange(finding.effectLowRatio)} to ${formatChange(finding.effectHighRatio)}`
  const runs = `${plural(finding.runsAfter, 'run')} since ${formatDay(finding.since)} vs ${plural(finding.runsBefore, 'run')} before`
  const noise = `run-to-run noise ±${formatPercent(Number(finding.noise.toPrecision(2)))}`
  return metric?.unit === 'ratio'
    ? `${levels}; ${runs}.`
    : `${levels}, ${formatChange(finding.effectRatio)} (95 % interval ${interval}); ${runs}; ${noise}.`
}

const stateWords: Readonly<Record<AlertState, string>> = {
  open: 'open',
  acknowledged: 'acknowledged',
  expected: 'expected: new level in use',
  'false-alarm': 'a false alarm',
  resolved: 'fixed',
  recovered: 'recovered',
  withdrawn: 'auto-closed',
  merged: 'part of an earlier alert',
}

/** A state in words that complete "This alert is …". */
export const stateWord = (state: AlertState): string => stateWords[state]

const stepWords: Readonly<Record<string, string>> = {
  opened: 'Raised',
  acknowledged: 'Acknowledged',
  expected: 'Expected: new level in use',
  'false-alarm': 'Marked as a false alarm',
  resolved: 'Fixed',
  reopened: 'Reopened',
  moved: 'Moved',
  recovered: 'Recovered',
  withdrawn: 'Auto-closed: not detected in the last 3 evaluations',
  ended: 'Auto-closed: no longer watched by a rule',
  'found-again': 'Detected again in later runs',
  commented: 'Comment',
  assigned: 'Assigned',
  unassigned: 'Assignment removed',
  merged: 'Merged into an earlier alert',
  'took-over': 'Another alert of the same change merged into this one',
}

/** A step of an alert's history in words. */
export const stepWord = (what: string): string => stepWords[what] ?? what
