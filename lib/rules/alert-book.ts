import { formatDay } from '../format'
import { detectorVersion, type Sensitivity } from '../levels/sensitivity'
import type { UtcIso } from '../run/run'
import type { AlertFinding } from './evaluate-profile'
import { eventKey, type RuleEvent } from './rule-events'
import { liveStates, type AlertKind, type AlertMove, type AlertState } from './stored-alerts'
import type { AlertMessageKind } from './stored-channels'

/** An alert, with everything that its life depends on. */
export interface Alert {
  readonly id: string
  readonly kind: AlertKind
  readonly state: AlertState
  readonly ruleId: string | null
  readonly seriesId: string | null
  readonly cause: string | null
  /** Changes of level, largest first. */
  readonly findings: readonly AlertFinding[]
  readonly events: readonly RuleEvent[]
  /** One of its events is ongoing: however the alert was closed, that event raises no other one. */
  readonly isOngoing: boolean
  readonly sensitivity: Sensitivity
  readonly detectorVersion: string
  /** The newest run when it was raised, and when that run began; null: raised by no run, or the run is gone. */
  readonly raisedRunId: string | null
  readonly raisedRunAt: UtcIso | null
  readonly openedAt: UtcIso
  readonly updatedAt: UtcIso
  readonly closedAt: UtcIso | null
  /** The assigned account; null: none. */
  readonly assigneeId: string | null
  /** The earlier alert that its changes turned out to belong to and were moved to. Null: not merged. */
  readonly mergedIntoId: string | null
}

/** What may happen to an alert and is recorded in its history. */
export type AlertStepKind =
  | Exclude<AlertMove, 'open'>
  | 'opened'
  | 'reopened'
  | 'moved'
  | 'recovered'
  | 'withdrawn'
  | 'found-again'
  | 'ended'
  | 'merged'
  | 'took-over'
  | 'commented'
  | 'assigned'
  | 'unassigned'

/** A new step of an alert's history, and the message that it sends; null: none. */
export interface NewAlertStep {
  readonly alertId: string
  readonly what: AlertStepKind
  readonly who: string
  readonly note: string
  readonly message: AlertMessageKind | null
}

/** The state before a change. */
export interface AlertsState {
  /** At least: every ongoing alert of the project, those in question, and what these merged into; in any order. */
  readonly alerts: readonly Alert[]
  /** At least one channel of the project is on, so messages would be sent. */
  readonly hasChannel: boolean
}

/** The current time and the source of ids for new alerts. */
export interface AlertClock {
  readonly at: UtcIso
  newId(): string
}

/** What the caller must store, all or nothing. */
export interface AlertChanges {
  readonly raised: readonly Alert[]
  /** Known alerts that changed, in their new state. */
  readonly changed: readonly Alert[]
  /** In the order in which they were made. */
  readonly steps: readonly NewAlertStep[]
}

/** A finding or an event that raised an alert or joined one. */
export interface AlertNews {
  readonly alertId: string
  readonly what: 'raised' | 'grew'
  readonly finding: AlertFinding | null
  readonly event: RuleEvent | null
}

export const isLive = ({ state }: Alert): boolean => liveStates.includes(state)

/** The message that a step of an alert sends; null: none. Steps made by hand send none. */
function messageOfStep(what: AlertStepKind): AlertMessageKind | null {
  return what === 'opened' || what === 'recovered' ? what : null
}

/**
 * A finding this many days after its run sends no message any more: an old history is being loaded.
 */
const oldNewsDays = 7

/** Whether an alert reports something old, by the start of the run that raised it: no message is sent for that. */
function isOldNews({ openedAt }: Alert, ranAt: UtcIso): boolean {
  return Date.parse(openedAt) - Date.parse(ranAt) > oldNewsDays * 86_400_000
}

/** Alerts under change, each in its current state. */
export class AlertBook {
  readonly clock: AlertClock
  readonly #hasChannel: boolean
  readonly #alerts: Map<string, Alert>
  readonly #known: ReadonlySet<string>
  readonly #touched = new Set<string>()
  readonly #mergedInto = new Map<string, string>()
  #steps: NewAlertStep[] = []
  #news: readonly AlertNews[] = []

  constructor({ alerts, hasChannel }: AlertsState, clock: AlertClock) {
    this.clock = clock
    this.#hasChannel = hasChannel
    const oldestFirst = [...alerts].sort((a, b) => (a.openedAt < b.openedAt ? -1 : a.openedAt > b.openedAt ? 1 : 0))
    this.#alerts = new Map(oldestFirst.map((alert) => [alert.id, alert]))
    this.#known = new Set(this.#alerts.keys())
  }

  /** Oldest first. */
  all(): readonly Alert[] {
    return [...this.#alerts.values()]
  }

  find(id: string): Alert | null {
    return this.#alerts.get(id) ?? null
  }

  /** The alert that reports this one's changes: itself, or the one it merged into. */
  standingId(id: string): string {
    let standing = id
    for (;;) {
      const into = this.#mergedInto.get(standing) ?? this.find(standing)?.mergedIntoId ?? null
      if (into === null) return standing
      standing = into
    }
  }

  /** Moves the younger alert's findings to the older one. One that this evaluation raised is dropped without trace. */
  merge(older: Alert, younger: Alert): Alert {
    const { at } = this.clock
    const grown = {
      ...older,
      findings: withFound([], [...younger.findings, ...older.findings]),
      events: [...older.events, ...younger.events.filter((event) => !isDriftIn(older.events, event))],
      isOngoing: older.isOngoing || younger.isOngoing,
      assigneeId: older.assigneeId ?? younger.assigneeId,
      updatedAt: at,
    }
    this.put(grown)
    this.#mergedInto.set(younger.id, older.id)
    if (!this.isKnown(younger)) {
      this.#forget(younger, older)
      return grown
    }
    const over = { findings: [], events: [], isOngoing: false, updatedAt: at, closedAt: at }
    this.put({ ...younger, ...over, state: 'merged', mergedIntoId: older.id })
    const of = (alert: Alert) => `the alert of ${formatDay(alert.openedAt)}`
    this.log(younger, 'merged', { who: 'Tailboard', note: `It reports the same change as ${of(older)}.` })
    this.log(older, 'took-over', { who: 'Tailboard', note: `What was ${of(younger)} is part of this one.` })
    return grown
  }

  #forget({ id }: Alert, older: Alert): void {
    this.#alerts.delete(id)
    this.#touched.delete(id)
    this.#steps = this.#steps.filter((step) => step.alertId !== id)
    this.#news = this.#news.map((one) => (one.alertId === id ? { ...one, alertId: older.id, what: 'grew' } : one))
  }

  tell(news: AlertNews): void {
    this.#news = [...this.#news, news]
  }

  get news(): readonly AlertNews[] {
    return this.#news
  }

  /** Whether it existed before this change. */
  isKnown({ id }: Alert): boolean {
    return this.#known.has(id)
  }

  put(alert: Alert): void {
    this.#alerts.set(alert.id, alert)
    this.#touched.add(alert.id)
  }

  raise(found: Pick<Alert, 'kind' | 'ruleId' | 'seriesId' | 'cause' | 'findings' | 'events'> & Provenance): Alert {
    const { at } = this.clock
    const times = { openedAt: at, updatedAt: at, closedAt: null, mergedIntoId: null, assigneeId: null }
    const isOngoing = found.events.length > 0
    const alert: Alert = { ...found, id: this.clock.newId(), state: 'open', isOngoing, detectorVersion, ...times }
    this.put(alert)
    this.log(alert, 'opened')
    return alert
  }

  close(alert: Alert, state: 'recovered' | 'withdrawn', what: AlertStepKind = state, note = ''): void {
    const { at } = this.clock
    this.put({ ...alert, state, updatedAt: at, closedAt: at })
    this.log(alert, what, { who: 'Tailboard', note })
  }

  /** Findings in old runs send no message, and the step states so. */
  log(alert: Alert, what: AlertStepKind, said = { who: 'Tailboard', note: '' }): void {
    const message = messageOfStep(what)
    const ranAt = alert.raisedRunAt
    const isOld = message !== null && this.#hasChannel && ranAt !== null && isOldNews(alert, ranAt)
    const note = isOld ? `No notification sent: the run that raised it began on ${formatDay(ranAt)}.` : said.note
    this.#steps.push({ alertId: alert.id, what, who: said.who, note, message: isOld ? null : message })
  }

  changes(): AlertChanges {
    const touched = this.all().filter(({ id }) => this.#touched.has(id))
    const raised = touched.filter(({ id }) => !this.#known.has(id))
    return { raised, changed: touched.filter(({ id }) => this.#known.has(id)), steps: this.#steps }
  }
}

/** Of two alerts of one drift, both know it. */
const isDriftIn = (events: readonly RuleEvent[], event: RuleEvent): boolean =>
  event.kind === 'drift' && events.some((one) => eventKey(one) === eventKey(event))

type Provenance = Pick<Alert, 'sensitivity' | 'raisedRunId' | 'raisedRunAt'>

/**
 * The findings plus those that an evaluation found; a known one of the same metric and profile is renewed; of two
 * changes of one metric the larger one counts. Largest first.
 */
export function withFound(findings: readonly AlertFinding[], found: readonly AlertFinding[]): readonly AlertFinding[] {
  const isOf = (one: AlertFinding) => (other: AlertFinding) =>
    one.metricId === other.metricId && isSameProfile(one, other)
  const renewed = found.filter((one, at) => {
    const others = found.filter((other, index) => index !== at && isOf(one)(other))
    return others.every(
      (other) => one.weight > other.weight || (one.weight === other.weight && one.since < other.since),
    )
  })
  const rest = findings.filter((one) => !renewed.some(isOf(one)))
  return [...rest, ...renewed].sort((a, b) => b.weight - a.weight)
}

export const isSameProfile = (one: AlertFinding, other: AlertFinding): boolean =>
  one.seriesId === other.seriesId && one.profile === other.profile
