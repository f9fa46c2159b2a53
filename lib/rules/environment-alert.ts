import { groupBy } from '../group-by'
import { findMetric } from '../run/metrics'
import { median } from '../stats/robust'
import type { AlertFinding } from './evaluate-profile'
import type { EnvironmentShift } from '../environment/why-it-changed'
import type { EnvironmentEvent, RuleEvent } from './rule-events'

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
export function withCurrentFactors(event: EnvironmentEvent, findings: readonly AlertFinding[]): EnvironmentEvent {
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
export function isBackFrom(event: EnvironmentEvent, { time, factor }: EnvironmentShift): boolean {
  const [was, is] = [Math.log(event.factor), Math.log(factor)]
  return time * 1000 > Date.parse(event.since) && was * is < 0 && Math.abs(was + is) <= 0.3 * Math.abs(was) + 0.03
}
