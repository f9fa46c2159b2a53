import { groupBy } from '../group-by'
import { findMetric } from '../run/metrics'
import { median } from '../stats/robust'
import type { UtcIso } from '../run/run'
import { isLive, type Alert, type AlertBook } from './alert-book'
import type { AlertFinding } from './evaluate-profile'
import type { RulesEvaluation } from './evaluate-rules'
import type { EnvironmentShift } from '../environment/why-it-changed'
import type { EnvironmentEvent, RuleEvent } from './rule-events'
import { eventWords } from './rule-words'

/** What an alert of a shift of this environment began with: no commit. */
export const environmentCause = (environment: string): string => `environment ${environment}`

/** What an alert says of a shift. */
export function environmentEvent(environment: string, { time, ...shift }: EnvironmentShift): EnvironmentEvent {
  return { kind: 'environment', environment, ...shift, since: new Date(time * 1000).toISOString(), overSince: null }
}

/** The shift that an alert is about; null: it is about something else. */
export const environmentEventOf = ({ events }: { readonly events: readonly RuleEvent[] }): EnvironmentEvent | null =>
  events.find((event) => event.kind === 'environment') ?? null

/** The event by what its series show now, one change of each: their largest. Those without a finding are left out. */
function withCurrentFactors(event: EnvironmentEvent, findings: readonly AlertFinding[]): EnvironmentEvent {
  return withFactors(event, Object.values(factorsBySeries(findings)))
}

/** The event by the factors of its series; as it is if fewer than two are known. */
export function withFactors(event: EnvironmentEvent, factors: readonly number[]): EnvironmentEvent {
  if (factors.length < 2) return event
  return {
    ...event,
    factor: median(factors),
    leastFactor: Math.min(...factors),
    mostFactor: Math.max(...factors),
  }
}

/** By how much each series is slower, by id: by its largest change. 2: takes twice as long. */
export function factorsBySeries(findings: readonly AlertFinding[]): Readonly<Record<string, number>> {
  const bySeries = groupBy(findings, ({ seriesId }) => seriesId)
  return Object.fromEntries(
    [...bySeries].flatMap(([id, [lead]]) => (lead === undefined ? [] : slowerBy(lead).map((factor) => [id, factor]))),
  )
}

/** 2: takes twice as long, or does half as much. */
export function slowerBy({ metricId, effectRatio }: Pick<AlertFinding, 'metricId' | 'effectRatio'>): readonly number[] {
  const metric = findMetric(metricId)
  if (metric === null || metric.unit === 'ratio') return []
  return [metric.direction === 'higher-is-better' ? 1 / (1 + effectRatio) : 1 + effectRatio]
}

/** Whether a later shift brought the environment back: the opposite factor, up to 30 %. */
function isBackFrom(event: EnvironmentEvent, { time, factor }: EnvironmentShift): boolean {
  const [was, is] = [Math.log(event.factor), Math.log(factor)]
  return time * 1000 > Date.parse(event.since) && was * is < 0 && Math.abs(was + is) <= 0.3 * Math.abs(was) + 0.03
}

/**
 * The live alert of a shift of an environment, with what is known of it now. An alert that blamed a commit for what one
 * of its series did then becomes the environment's. Null: none.
 */
export function sameShift(
  book: AlertBook,
  event: EnvironmentEvent,
  areNear: (some: UtcIso, other: UtcIso) => boolean,
): Alert | null {
  const live = book.all().filter(isLive)
  const known = live.find((alert) => {
    const own = environmentEventOf(alert)
    return own?.environment === event.environment && areNear(own.since, event.since)
  })
  const blamed = live.filter(
    ({ kind, findings }) =>
      kind === 'change-point' &&
      findings.length > 0 &&
      findings.every(({ seriesId, since }) => event.seriesIds.includes(seriesId) && areNear(since, event.since)),
  )
  const [first, ...others] = known ? [known, ...blamed] : blamed
  if (first === undefined) return null
  let shown = withShift(book, first, event)
  for (const other of others) shown = book.merge(shown, other)
  return shown
}

function withShift(book: AlertBook, alert: Alert, event: EnvironmentEvent): Alert {
  const own = environmentEventOf(alert)
  const seriesIds = [...new Set([...(own?.seriesIds ?? []), ...event.seriesIds])]
  const renewed = own === null ? event : { ...own, seriesIds, hasControl: own.hasControl || event.hasControl }
  const cause = environmentCause(event.environment)
  const moved: Alert = { ...alert, kind: 'environment', cause, events: [renewed], isOngoing: true }
  book.put({ ...moved, updatedAt: book.clock.at })
  if (own === null && book.isKnown(alert))
    book.log(moved, 'moved', { who: 'Tailboard', note: `${eventWords(event)}: no commit is to blame.` })
  return moved
}

/** Alerts of shifts whose environment came back close. */
export function closeShiftsThatCameBack(book: AlertBook, { profile, changes }: RulesEvaluation): void {
  for (const { shift } of changes.shifts) {
    for (const alert of book.all().filter(isLive)) {
      const event = environmentEventOf(alert)
      if (event === null || event.environment !== profile.series.environment || !isBackFrom(event, shift)) continue
      closeShift(book, alert, { ...event, overSince: new Date(shift.time * 1000).toISOString() })
    }
  }
}

export function closeShift(book: AlertBook, alert: Alert, over: EnvironmentEvent): void {
  book.close({ ...alert, events: [over], isOngoing: false }, 'recovered')
}

/** These findings of an alert, and its environment's factors by them. */
export const withFactorsOf = (
  findings: readonly AlertFinding[],
  { events }: Alert,
): Pick<Alert, 'findings' | 'events'> => ({
  findings,
  events: events.map((one) => (one.kind === 'environment' ? withCurrentFactors(one, findings) : one)),
})
