import type { AlertFinding } from './evaluate-profile'
import { formatChange, formatDate, formatMetric, formatPercent, plural, roundChangeWords } from '../format'
import { findMetric } from '../run/metrics'
import { eventWords } from './rule-words'
import type { UtcIso } from '../run/run'
import type { AlertRow, AlertState } from './stored-alerts'
import type { SeriesSummary } from '../run/stored'

/** `p99 40 % higher` or, of shares, `Error rate from 0.1 % to 2 %`. */
export function findingWords(finding: AlertFinding): string {
  const metric = findMetric(finding.metricId)
  const label = metric?.shortLabel ?? finding.metricId
  if (metric?.unit === 'ratio') {
    return `${metric.label} from ${formatPercent(finding.before)} to ${formatPercent(finding.after)}`
  }
  return `${label} ${roundChangeWords(finding.effectRatio)}`
}

/** Scenario, variant and environment of a series in one line. */
export function seriesWords(series: Pick<SeriesSummary, 'scenario' | 'variant' | 'environment'> | null): string {
  if (series === null) return 'a deleted series'
  return [series.scenario, series.variant, series.environment].filter((name) => name !== null).join(' · ')
}

/** The headline of an alert: what, how much, where. */
export function alertTitle(alert: Pick<AlertRow, 'findings' | 'events' | 'series'>): string {
  const [first, ...others] = [...alert.findings.map(findingWords), ...alert.events.map(eventWords)]
  const where = alert.series === null ? null : seriesWords(alert.series)
  if (first === undefined) return where ?? 'Deleted runs'
  const rest = others.length === 0 ? '' : `, and ${plural(others.length, 'more change')}`
  return where === null ? `${first}${rest}` : `${first}${rest}: ${where}`
}

/** The commit that an alert began with; null: unknown, or the level crept and no run began it. */
export function commitOf({ cause, findings, events }: Pick<AlertRow, 'cause' | 'findings' | 'events'>): string | null {
  const crept = findings.length === 0 && events.every((event) => event.kind === 'drift')
  return crept || !cause?.startsWith('commit ') ? null : cause.slice('commit '.length)
}

/** When the first of its changes began: the time of a run or an upload. Null: nothing is left of it. */
export function sinceOf({ findings, events }: Pick<AlertRow, 'findings' | 'events'>): UtcIso | null {
  return [...findings, ...events].map(({ since }) => since).reduce<UtcIso | null>((a, b) => (a && a < b ? a : b), null)
}

/** How sure a finding is, in a sentence with its figures. */
export function sureWords(finding: AlertFinding): string {
  const metric = findMetric(finding.metricId)
  const levels = `From ${formatMetric(finding.before, metric?.unit ?? 'count')} to ${formatMetric(finding.after, metric?.unit ?? 'count')}`
  const interval = `${formatChange(finding.effectLowRatio)} to ${formatChange(finding.effectHighRatio)}`
  const runs = `${plural(finding.runsAfter, 'run')} since ${formatDate(finding.since)} vs ${plural(finding.runsBefore, 'run')} before`
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

/** A state in words that finish "This alert is …". */
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
  merged: 'Merged into an earlier alert',
  'took-over': 'Another alert of the same change merged into this one',
}

/** A step of an alert's history in words. */
export const stepWord = (what: string): string => stepWords[what] ?? what
