import { columnUnit, formatChange, formatInColumn, formatMetric, missing, plural, roundNumber } from '@/lib/format'
import { environmentEventOf } from '@/lib/rules/environment-alert'
import { alertSentence, seriesWords } from '@/lib/rules/alert-words'
import { liveStates, type AlertRow, type AlertState } from '@/lib/rules/stored-alerts'
import { findMetric } from '@/lib/run/metrics'

/** Views of the list. */
export const alertViews = ['all', 'open', 'acknowledged', 'closed'] as const
export type AlertsView = (typeof alertViews)[number]

/** The query of the list's address. */
export interface AlertsQuery {
  readonly view: AlertsView
  /** Part of scenario, variant, environment or cause; empty: all. */
  readonly text: string
  /** Only those assigned to the viewer. */
  readonly isMine: boolean
}

type Params = Readonly<Record<string, string | readonly string[] | undefined>>

/** Reads `?state=open&q=checkout&mine=1`; ignores what it does not know. */
export function readAlertsQuery(params: Params): AlertsQuery {
  const first = (key: string) => [params[key] ?? []].flat()[0] ?? ''
  const view = alertViews.find((one) => one === first('state')) ?? 'all'
  return { view, text: first('q').trim().slice(0, 200), isMine: first('mine') === '1' }
}

/** The address of a list. */
export function alertsHref(path: string, { view, text, isMine }: AlertsQuery): string {
  const params = new URLSearchParams([
    ...(view === 'all' ? [] : [['state', view]]),
    ...(text === '' ? [] : [['q', text]]),
    ...(isMine ? [['mine', '1']] : []),
  ])
  return params.size === 0 ? path : `${path}?${params}`
}

const viewOf = (state: AlertState): AlertsView =>
  state === 'open' ? 'open' : liveStates.includes(state) ? 'acknowledged' : 'closed'

/** How many alerts each view has. */
export function countViews(alerts: readonly AlertRow[]): Readonly<Record<AlertsView, number>> {
  const counts = { all: alerts.length, open: 0, acknowledged: 0, closed: 0 }
  for (const { state } of alerts) counts[viewOf(state)] += 1
  return counts
}

/** The selected alerts: open ones first, each part in its given order. `accountId`: the viewer's; null: none. */
export function shownAlerts(
  alerts: readonly AlertRow[],
  { view, text, isMine }: AlertsQuery,
  accountId: string | null,
): readonly AlertRow[] {
  const wanted = text.toLowerCase()
  const words = (alert: AlertRow) =>
    [seriesWords(alert.series), alert.cause ?? '', alertSentence(alert)].join(' ').toLowerCase()
  const found = alerts.filter(
    (alert) =>
      (view === 'all' || viewOf(alert.state) === view) &&
      (!isMine || alert.assignee?.id === accountId) &&
      words(alert).includes(wanted),
  )
  const rank = ({ state }: AlertRow) => alertViews.indexOf(viewOf(state))
  return [...found].sort((a, b) => rank(a) - rank(b))
}

/** The size of an alert's largest change, and its levels; `–` where it has none. */
export function sizeOf({ findings, events }: Pick<AlertRow, 'findings' | 'events'>): {
  readonly change: string
  readonly levels: string
} {
  const [lead] = findings
  const [event] = events
  const shift = environmentEventOf({ events })
  if (shift !== null) {
    const levels = `in ${plural(shift.seriesIds.length, 'series', 'series')}`
    return { change: `×${roundNumber(shift.factor)}`, levels }
  }
  if (lead !== undefined) {
    const unit = findMetric(lead.metricId)?.unit ?? 'count'
    const column = columnUnit(unit, [lead.before, lead.after])
    const show = (value: number) => formatInColumn(value, unit, column)
    if (unit === 'ratio')
      return { change: formatMetric(lead.after, unit), levels: `before ${formatMetric(lead.before, unit)}` }
    const levels = `${show(lead.before)} to ${show(lead.after)}${column.label === '' ? '' : `\u00a0${column.label}`}`
    return { change: formatChange(lead.effectRatio), levels }
  }
  if (event?.kind === 'drift') return { change: formatChange(event.effectRatio), levels: 'slow drift' }
  if (event?.kind === 'limit' || event?.kind === 'baseline') {
    const unit = findMetric(event.metricId)?.unit ?? 'count'
    const than = event.kind === 'limit' ? 'limit' : 'baseline'
    return { change: formatMetric(event.value, unit), levels: `${than} ${formatMetric(event.expected, unit)}` }
  }
  return { change: missing, levels: '' }
}
