import { detectorVersion } from '../../lib/detect/sensitivity'
import type { LastingEvent } from '../../lib/rules/judge-line'
import { eventKey, type RuleEvent } from '../../lib/rules/rule-events'
import { liveStates } from '../../lib/rules/stored-alerts'
import type { Db } from './access'
import { addStep } from './alert-steps'
import { newId } from './ids'
import { jsonColumn } from './json-columns'
import { eventsSchema } from './rule-rows'

/** What became of an alert through an event. */
export interface EventNews {
  readonly alertId: string
  readonly what: 'opened' | 'grew' | 'recovered'
}

/**
 * Follows events in one transaction: raises one alert for each that is new, renews those that last and ends the others
 * among `isMine`. However an alert was closed, its event raises no other one until it was over. The caller holds the
 * project's lock.
 */
export async function followEvents(
  db: Db,
  projectId: string,
  lasting: readonly LastingEvent[],
  isMine: (event: RuleEvent, ruleId: string) => boolean,
  now: Date,
): Promise<readonly EventNews[]> {
  const known = await db.alert.findMany({
    where: { projectId, isOngoing: true },
    orderBy: { openedAt: 'asc' },
    select: { id: true, ruleId: true, state: true, cause: true, events: true, findings: true },
  })
  const news: EventNews[] = []
  const nowByKey = new Map(lasting.map((one) => [`${one.ruleId} ${eventKey(one.event)}`, one.event]))
  const told = new Set<string>()
  const live: { id: string; ruleId: string; cause: string | null; events: readonly RuleEvent[] }[] = []
  for (const alert of known) {
    const ruleId = alert.ruleId ?? ''
    const before = eventsSchema.parse(alert.events)
    const events = before.map((event): RuleEvent => {
      if (event.overSince !== null || !isMine(event, ruleId)) return event
      const key = `${ruleId} ${eventKey(event)}`
      const found = nowByKey.get(key)
      if (found === undefined) return { ...event, overSince: now.toISOString() }
      told.add(key)
      // Read as stored events are, so that what is the same looks the same.
      return eventsSchema.parse([found])[0] ?? event
    })
    const isOngoing = events.some((event) => event.overSince === null)
    const isLive = liveStates.some((state) => state === alert.state)
    if (isLive && isOngoing) live.push({ id: alert.id, ruleId, cause: alert.cause, events })
    if (JSON.stringify(events) === JSON.stringify(before)) continue
    // A change of level that was found since keeps it open.
    const hasFindings = Array.isArray(alert.findings) && alert.findings.length > 0
    const ends = isLive && !isOngoing && !hasFindings
    const end = ends ? { state: 'recovered', closedAt: now } : {}
    const touched = isLive ? { updatedAt: now } : {}
    await db.alert.update({
      where: { id: alert.id },
      data: { events: jsonColumn(events), isOngoing, ...touched, ...end },
    })
    if (!ends) continue
    await addStep(db, { alertId: alert.id, projectId, what: 'recovered', who: 'Tailboard', at: now })
    news.push({ alertId: alert.id, what: 'recovered' })
  }
  for (const one of lasting) {
    if (one.isMuted || told.has(`${one.ruleId} ${eventKey(one.event)}`)) continue
    const same = live.find((alert) => alert.ruleId === one.ruleId && alert.cause === one.cause && one.cause !== null)
    if (same) {
      same.events = [...same.events, one.event]
      await db.alert.update({ where: { id: same.id }, data: { events: jsonColumn(same.events), updatedAt: now } })
      news.push({ alertId: same.id, what: 'grew' })
      continue
    }
    const { ruleId, cause, seriesId, raisedRunId, sensitivity } = one
    const alertId = newId()
    const events = [one.event]
    const fixed = { id: alertId, projectId, kind: one.event.kind, state: 'open', ruleId, cause, seriesId, raisedRunId }
    const parameters = jsonColumn({ sensitivity, detectorVersion })
    const times = { openedAt: now, updatedAt: now }
    await db.alert.create({
      data: { ...fixed, ...times, findings: [], events: jsonColumn(events), parameters, isOngoing: true },
    })
    await addStep(db, { alertId, projectId, what: 'opened', who: 'Tailboard', at: now })
    live.push({ id: alertId, ruleId, cause, events })
    news.push({ alertId, what: 'opened' })
  }
  return news
}
