import { detectorVersion, type Sensitivity } from '../levels/sensitivity'
import { ConflictError } from '../errors'
import { formatDay } from '../format'
import type { UtcIso } from '../run/run'
import type { LoadProfile } from '../history/series'
import { repeats } from '../levels/points'
import {
  environmentCause,
  environmentEvent,
  environmentEventOf,
  isBackFrom,
  withCurrentFactors,
} from './environment-alert'
import type { AlertFinding, EndedChange, WatchedChange } from './evaluate-profile'
import type { LastingEvent, RulesEvaluation } from './evaluate-rules'
import { eventKey, type EnvironmentEvent, type RuleEvent } from './rule-events'
import { eventWords } from './rule-words'
import { liveStates, type AlertKind, type AlertMove, type AlertState } from './stored-alerts'
import type { AlertMessageKind } from './stored-channels'

/**
 * The life of an alert: the only place that decides what raises it, what joins it, and what ends it. Pure: each
 * function takes the known alerts and new findings, and returns what changes; the caller stores that, and never runs
 * two of them at the same time in one project.
 */

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

/** The result of an evaluation: changed alerts, and the new state of each profile. */
export interface EvaluationChanges extends AlertChanges {
  readonly watched: readonly { readonly evaluation: RulesEvaluation; readonly watched: readonly WatchedChange[] }[]
  readonly news: readonly AlertNews[]
}

/** Changes of one profile within this many experiments are one event, however certain their places are. */
const sameEventRuns = 5

/**
 * Applies evaluations of a series' profiles. `state.alerts` has every ongoing alert of the project, those that the
 * profiles watch (`alertIdsOf`) and, when a change is fresh, every live one. A fresh change joins a live alert of the
 * same commit, of the same place in the profile, or of a drift that it explains, whenever that was raised; else it
 * raises one. Where a person expected a level, its other metrics join silently. Live alerts whose changes turn out to
 * be in one place merge into the oldest of them. An alert whose changes and events are over recovers; one whose changes
 * are no longer found is withdrawn, and reopens if any metric finds one of them again. What a person closed stays
 * closed. The cause follows the most certain place among the changes.
 */
export function applyEvaluations(
  state: AlertsState,
  seriesId: string,
  evaluations: readonly RulesEvaluation[],
  clock: AlertClock,
): EvaluationChanges {
  const book = new AlertBook(state, clock)
  const watched = evaluations.map((one) => {
    const evaluation = withStandingAlerts(book, one)
    closeShiftsThatCameBack(book, evaluation)
    const alertOf = raiseFindings(book, evaluation)
    followFindings(book, evaluation, alertOf)
    mergeAlerts(book, evaluation, alertOf)
    const named = evaluation.changes.watched.map((known) => {
      const alertId = known.alertId ?? alertOf.get(keyOf(known)) ?? null
      return { ...known, alertId: alertId && book.standingId(alertId) }
    })
    return { evaluation, watched: named }
  })
  const lasting = evaluations.flatMap((one) => one.events)
  applyEvents(book, lasting, (event) => 'seriesId' in event && event.seriesId === seriesId)
  return { ...book.changes(), watched, news: book.news }
}

/** An evaluation that refers to standing alerts in place of those that have merged since their changes were seen. */
function withStandingAlerts(book: AlertBook, evaluation: RulesEvaluation): RulesEvaluation {
  const { watched, updated, ended } = evaluation.changes
  const standing = <T extends { readonly alertId: string | null }>(one: T): T => {
    return { ...one, alertId: one.alertId && book.standingId(one.alertId) }
  }
  const renewed = updated.map((one) => ({ ...one, alertId: book.standingId(one.alertId) }))
  const changes = {
    ...evaluation.changes,
    watched: watched.map(standing),
    updated: renewed,
    ended: ended.map((one) => ({ ...one, alertId: book.standingId(one.alertId) })),
  }
  return { ...evaluation, changes }
}

/** The alerts that evaluations of profiles refer to: those they change, and those that state what became of a level. */
export function alertIdsOf(evaluations: readonly RulesEvaluation[]): readonly string[] {
  const named = evaluations.flatMap(({ changes: { watched, updated, ended } }) => [
    ...watched.flatMap((one) => one.alertId ?? []),
    ...[...updated, ...ended].map((one) => one.alertId),
  ])
  return [...new Set(named)]
}

/**
 * Applies the ongoing events of a kind: each new one raises an alert or joins the one of its rule and cause, known ones
 * are renewed, all others are over. `state.alerts` has every ongoing alert of the project.
 */
export function applyProjectEvents(
  state: AlertsState,
  kind: 'missing' | 'failed-import',
  lasting: readonly LastingEvent[],
  clock: AlertClock,
): AlertChanges {
  const book = new AlertBook(state, clock)
  applyEvents(book, lasting, (event) => event.kind === kind)
  return book.changes()
}

/** Moves an alert on behalf of a person. Throws ConflictError when it is in that state already. */
export function moveByHand(
  alert: Alert,
  to: AlertMove,
  { who, note }: { readonly who: string; readonly note: string },
  clock: AlertClock,
): AlertChanges {
  if (alert.state === to) throw new ConflictError(`The alert is already ${to}.`)
  const book = new AlertBook({ alerts: [alert], hasChannel: false }, clock)
  const moved = { ...alert, state: to, updatedAt: clock.at, closedAt: liveStates.includes(to) ? null : clock.at }
  book.put(moved)
  book.log(moved, to === 'open' ? 'reopened' : to, { who, note })
  return book.changes()
}

/** Adds a person's comment to an alert in any state; nothing else changes. */
export function commentByHand(
  alert: Alert,
  said: { readonly who: string; readonly note: string },
  clock: AlertClock,
): AlertChanges {
  const book = new AlertBook({ alerts: [alert], hasChannel: false }, clock)
  book.log(alert, 'commented', said)
  return book.changes()
}

/** Assigns an alert in any state to a person, or with null to none. Throws ConflictError when already assigned so. */
export function assignByHand(
  alert: Alert,
  assignee: { readonly id: string; readonly name: string } | null,
  who: string,
  clock: AlertClock,
): AlertChanges {
  if (alert.assigneeId === (assignee?.id ?? null))
    throw new ConflictError(
      assignee === null ? 'The alert is not assigned.' : `The alert is already assigned to ${assignee.name}.`,
    )
  const book = new AlertBook({ alerts: [alert], hasChannel: false }, clock)
  const given = { ...alert, assigneeId: assignee?.id ?? null, updatedAt: clock.at }
  book.put(given)
  const note = assignee === null ? '' : `To ${assignee.name}`
  book.log(given, assignee === null ? 'unassigned' : 'assigned', { who, note })
  return book.changes()
}

/** Ends a rule's ongoing alerts when it is no longer evaluated, so that they do not stay open forever. */
export function endAlertsOfRule(state: AlertsState, ruleId: string, note: string, clock: AlertClock): AlertChanges {
  const book = new AlertBook(state, clock)
  for (const alert of state.alerts.filter((one) => one.isOngoing && one.ruleId === ruleId)) {
    if (!isLive(alert)) book.put({ ...alert, isOngoing: false })
    else book.close({ ...alert, isOngoing: false }, 'withdrawn', 'ended', note)
  }
  return book.changes()
}

const isLive = ({ state }: Alert): boolean => liveStates.includes(state)

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
class AlertBook {
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
      events: [...older.events, ...younger.events],
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

type Provenance = Pick<Alert, 'sensitivity' | 'raisedRunId' | 'raisedRunAt'>

const keyOf = (change: Pick<AlertFinding, 'metricId' | 'afterRunId'>): string =>
  `${change.metricId} ${change.afterRunId}`

/**
 * Raises alerts for fresh changes of a profile, or joins them to known ones. Returns each change's alert, by `keyOf`.
 */
function raiseFindings(book: AlertBook, evaluation: RulesEvaluation): ReadonlyMap<string, string> {
  const { profile, changes, watchers } = evaluation
  const alertOf = new Map<string, string>()
  const newest = profile.points.at(-1)
  const places = new Places(evaluation)
  for (const finding of changes.fresh) {
    const shifted = changes.shifts.find((one) => keyOf(one) === keyOf(finding))
    const event = shifted && environmentEvent(profile.series.environment ?? '', shifted.shift)
    const same = event ? sameShift(book, places, event) : sameEvent(book, places, finding)
    if (same) join(book, same, finding)
    const watcher = watchers[finding.metricId]
    const alert =
      same ??
      book.raise({
        kind: event ? 'environment' : 'change-point',
        ruleId: watcher?.ruleId ?? null,
        seriesId: profile.series.id,
        cause: event ? environmentCause(event.environment) : finding.cause,
        findings: [finding],
        events: event ? [event] : [],
        sensitivity: watcher?.sensitivity ?? 'balanced',
        raisedRunId: newest?.runId ?? null,
        raisedRunAt: newest?.orderedAt ?? null,
      })
    alertOf.set(keyOf(finding), alert.id)
    book.tell({ alertId: alert.id, what: same ? 'grew' : 'raised', finding, event: event ?? null })
  }
  for (const one of changes.shifts) {
    if (one.shift.factor <= 1 || alertOf.has(keyOf(one))) continue
    // Of a control, or of a change that an alert reports already.
    sameShift(book, places, environmentEvent(profile.series.environment ?? '', one.shift))
  }
  return alertOf
}

/**
 * The live alert of a shift of an environment, with what is known of it now. An alert that blamed a commit for what one
 * of its series did then becomes the environment's. Null: none.
 */
function sameShift(book: AlertBook, places: Places, event: EnvironmentEvent): Alert | null {
  const live = book.all().filter(isLive)
  const known = live.find((alert) => {
    const own = environmentEventOf(alert)
    return own?.environment === event.environment && places.areNear(own.since, event.since)
  })
  const blamed = live.filter(
    ({ kind, findings }) =>
      kind === 'change-point' &&
      findings.length > 0 &&
      findings.every(({ seriesId, since }) => event.seriesIds.includes(seriesId) && places.areNear(since, event.since)),
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
function closeShiftsThatCameBack(book: AlertBook, { profile, changes }: RulesEvaluation): void {
  for (const { shift } of changes.shifts) {
    for (const alert of book.all().filter(isLive)) {
      const event = environmentEventOf(alert)
      if (event === null || event.environment !== profile.series.environment || !isBackFrom(event, shift)) continue
      closeShift(book, alert, { ...event, overSince: new Date(shift.time * 1000).toISOString() })
    }
  }
}

function closeShift(book: AlertBook, alert: Alert, over: EnvironmentEvent): void {
  book.close({ ...alert, events: [over], isOngoing: false }, 'recovered')
}

/** Alerts of these kinds report changes of level. */
const levelKinds: readonly AlertKind[] = ['change-point', 'drift', 'environment']

/** The alert of the event that a fresh change belongs to; unattended ones first, the newest of them. */
function sameEvent(book: AlertBook, places: Places, finding: AlertFinding): Alert | null {
  const all = book.all().filter(({ kind }) => levelKinds.includes(kind))
  const live = all.filter(isLive).findLast((alert) => {
    if (alert.cause !== null && alert.cause === finding.cause) return true
    return alert.events.some((event) => isDriftOf(event, finding)) || places.areSame(alert, finding)
  })
  const joinable = (state: AlertState) =>
    all.findLast((alert) => alert.state === state && !places.isFound(alert, finding) && places.areSame(alert, finding))
  return live ?? joinable('expected') ?? joinable('withdrawn') ?? null
}

/** A finding of its event reopens a withdrawn alert; an expected alert takes it silently. */
function join(book: AlertBook, alert: Alert, finding: AlertFinding): void {
  const grown = { ...alert, findings: withFound(alert.findings, [finding]), updatedAt: book.clock.at }
  if (alert.state !== 'withdrawn') return book.put(grown)
  const found: Alert = { ...grown, state: 'open', closedAt: null }
  book.put(found)
  book.log(found, 'found-again')
}

/** Places of changes in a profile, counted in experiments: repeats of one are one place. */
class Places {
  readonly #evaluation: RulesEvaluation
  readonly #placeOf = new Map<string, number>()

  constructor(evaluation: RulesEvaluation) {
    this.#evaluation = evaluation
    let place = -1
    let last: LoadProfile['points'][number] | null = null
    for (const point of evaluation.profile.points) {
      if (last === null || !repeats(last, point)) place += 1
      this.#placeOf.set(point.runId, place)
      last = point
    }
  }

  /** Whether one of an alert's changes is in the same place as this one, within the uncertainty of either place. */
  areSame(alert: Alert, finding: AlertFinding): boolean {
    const own = alert.findings.filter((one) => isSameProfile(one, finding))
    const followed = this.#evaluation.changes.watched.filter((one) => one.alertId === alert.id)
    // A second change of the same metric is a separate one unless it is close by.
    const reach = this.isFound(alert, finding) ? 0 : finding.reach
    return [...own, ...followed].some((one) => {
      const limit = Math.max(sameEventRuns, reach, reach === 0 ? 0 : one.reach)
      return Math.abs(this.#at(one.afterRunId) - this.#at(finding.afterRunId)) <= limit
    })
  }

  /**
   * Whether any of these changes is in the place of one of the others. Two of one metric are separate unless close by.
   */
  meet(some: readonly AlertFinding[], others: readonly AlertFinding[]): boolean {
    const hasReach = !some.some((one) => others.some((other) => other.metricId === one.metricId))
    return some.some((one) =>
      others.some((other) => {
        const limit = hasReach ? Math.max(sameEventRuns, one.reach, other.reach) : sameEventRuns
        return Math.abs(this.#at(one.afterRunId) - this.#at(other.afterRunId)) <= limit
      }),
    )
  }

  /** Whether an alert's change of the same metric is found in addition to this one. */
  isFound(alert: Alert, finding: AlertFinding): boolean {
    return this.#evaluation.changes.updated.some(
      (one) => one.alertId === alert.id && one.finding.metricId === finding.metricId,
    )
  }

  /** Whether two times are in the same place of the profile. */
  areNear(some: UtcIso, other: UtcIso): boolean {
    const placeOf = (at: UtcIso) => {
      const { points } = this.#evaluation.profile
      return this.#at((points.find(({ orderedAt }) => orderedAt >= at) ?? points.at(-1))?.runId ?? '')
    }
    return Math.abs(placeOf(some) - placeOf(other)) <= sameEventRuns
  }

  /** NaN, which is near nothing, if the run is no longer among those evaluated. */
  #at(runId: string): number {
    return this.#placeOf.get(runId) ?? Number.NaN
  }
}

/** A change that an evaluation found, and the alert that reports it. */
interface FoundChange {
  readonly alertId: string
  readonly finding: AlertFinding
}

/** Changes that an evaluation found and that alerts report, the fresh ones by `keyOf`. */
function foundChanges({ changes }: RulesEvaluation, alertOf: ReadonlyMap<string, string>): readonly FoundChange[] {
  const fresh = changes.fresh.map((finding) => ({ alertId: alertOf.get(keyOf(finding)) ?? '', finding }))
  return [...changes.updated, ...fresh]
}

/**
 * Merges two live alerts whose changes are now in one place, within the uncertainty of either: places may converge long
 * after both were raised, as more is known. A place that moves away again does not separate them.
 */
function mergeAlerts(book: AlertBook, evaluation: RulesEvaluation, alertOf: ReadonlyMap<string, string>): void {
  const places = new Places(evaluation)
  const found = foundChanges(evaluation, alertOf)
  const foundOf = ({ id }: Alert) => found.flatMap((one) => (book.standingId(one.alertId) === id ? one.finding : []))
  const areOne = (older: Alert, younger: Alert) =>
    canShareEvents(older, younger) &&
    ((older.cause !== null && older.cause === younger.cause) || places.meet(foundOf(older), foundOf(younger)))
  for (;;) {
    const live = book.all().filter((alert) => isLive(alert) && foundOf(alert).length > 0)
    const pairs = live.flatMap((older, at) => live.slice(at + 1).map((younger) => [older, younger] as const))
    const pair = pairs.find(([older, younger]) => areOne(older, younger))
    if (pair === undefined) return
    followCause(book, book.merge(...pair))
  }
}

/** Events are followed by the rule that raised their alert. */
function canShareEvents(older: Alert, younger: Alert): boolean {
  if (older.kind === 'environment' || younger.kind === 'environment') return false
  return older.ruleId === younger.ruleId || younger.events.every((event) => event.overSince !== null)
}

/** A creeping level in which a step can be located by now. */
function isDriftOf(event: RuleEvent, { metricId, seriesId, profile }: AlertFinding): boolean {
  if (event.kind !== 'drift' || event.overSince !== null) return false
  return event.metricId === metricId && event.seriesId === seriesId && event.profile === profile
}

const isSameProfile = (one: AlertFinding, other: AlertFinding): boolean =>
  one.seriesId === other.seriesId && one.profile === other.profile

/**
 * The findings plus those that an evaluation found; a known one of the same metric and profile is renewed; of two
 * changes of one metric the larger one counts. Largest first.
 */
function withFound(findings: readonly AlertFinding[], found: readonly AlertFinding[]): readonly AlertFinding[] {
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

/** The finding with the most certain place: the largest step over its noise. Null: none states where it began. */
function surestPlace(findings: readonly AlertFinding[]): AlertFinding | null {
  const sureness = ({ effectRatio, noise }: AlertFinding) => Math.abs(Math.log1p(effectRatio)) / noise
  const placed = findings.filter(({ cause }) => cause !== null)
  return placed.reduce<AlertFinding | null>((a, b) => (a === null || sureness(b) > sureness(a) ? b : a), null)
}

/** Updates known alerts of a profile: renewed while live, moved, found again, recovered, withdrawn. */
function followFindings(book: AlertBook, evaluation: RulesEvaluation, alertOf: ReadonlyMap<string, string>): void {
  const { changes } = evaluation
  const { at } = book.clock
  const found = foundChanges(evaluation, alertOf)
  for (const alertId of new Set(found.map((one) => one.alertId))) {
    const alert = book.find(alertId)
    if (alert === null || !(isLive(alert) || alert.state === 'withdrawn')) continue
    const own = found.flatMap((one) => (one.alertId === alertId ? one.finding : []))
    const findings = withFound(alert.findings, own)
    const renewed = { ...alert, ...withFactorsOf(findings, alert), updatedAt: at }
    const live: Alert = isLive(alert) ? renewed : { ...renewed, state: 'open', closedAt: null }
    book.put(live)
    if (!isLive(alert)) book.log(live, 'found-again')
    followCause(book, live)
  }
  for (const ended of changes.ended) endFinding(book, evaluation, ended)
}

/**
 * Takes a change that is over out of its alert, and closes the alert with its last one, or once its commit is undone.
 * An environment is back once none of its series shows a change.
 */
function endFinding(book: AlertBook, { profile }: RulesEvaluation, { alertId, metricId, how }: EndedChange): void {
  const alert = book.find(alertId)
  if (alert === null || !isLive(alert)) return
  const { series, name } = profile
  const isOwn = (one: AlertFinding) => one.metricId === metricId && one.seriesId === series.id && one.profile === name
  const findings = alert.findings.filter((one) => !isOwn(one))
  const shift = environmentEventOf(alert)
  // What undoes the change of one series does not undo its environment's.
  if (how === 'recovered' && shift === null) book.close(alert, how)
  else if (findings.length > 0 || (alert.isOngoing && shift === null))
    book.put({ ...alert, ...withFactorsOf(findings, alert), updatedAt: book.clock.at })
  else if (shift === null) book.close(alert, how)
  else closeShift(book, alert, { ...shift, overSince: profile.points.at(-1)?.orderedAt ?? book.clock.at })
}

/** These findings of an alert, and its environment's factors by them. */
const withFactorsOf = (findings: readonly AlertFinding[], { events }: Alert): Pick<Alert, 'findings' | 'events'> => ({
  findings,
  events: events.map((one) => (one.kind === 'environment' ? withCurrentFactors(one, findings) : one)),
})

/**
 * Sets an alert's cause to that of the most certain place among its changes; a cause known before is logged as moved.
 */
function followCause(book: AlertBook, alert: Alert): void {
  const surest = surestPlace(alert.findings)
  if (alert.kind === 'environment') return
  if (surest === null || surest.cause === alert.cause) return
  const moved = { ...alert, cause: surest.cause }
  book.put(moved)
  const isOfCommit = surest.cause?.startsWith('commit ') === true
  const where = isOfCommit ? surest.cause : `the run of ${formatDay(surest.since)}`
  if (book.isKnown(alert)) book.log(moved, 'moved', { who: 'Tailboard', note: `Now placed at ${where}.` })
}

/**
 * Renews ongoing events, ends the others among `isCovered` and raises alerts for new ones. However an alert was closed,
 * its event raises no other one until it is over.
 */
function applyEvents(
  book: AlertBook,
  lasting: readonly LastingEvent[],
  isCovered: (event: RuleEvent) => boolean,
): void {
  const { at } = book.clock
  const nowOf = new Map(lasting.map((one) => [lastingKey(one.ruleId, one.event), one.event]))
  const known = new Set<string>()
  for (const alert of book.all().filter((one) => one.isOngoing)) {
    const events = alert.events.map((event): RuleEvent => {
      if (event.overSince !== null || !isCovered(event)) return event
      const key = lastingKey(alert.ruleId ?? '', event)
      const now = nowOf.get(key)
      if (now === undefined) return { ...event, overSince: at }
      known.add(key)
      return now
    })
    if (events.every((event, index) => isEqual(event, alert.events[index]))) continue
    const isOngoing = events.some((event) => event.overSince === null)
    const next = { ...alert, events, isOngoing }
    // A change of level found since then keeps it open.
    if (isLive(alert) && !isOngoing && alert.findings.length === 0) book.close(next, 'recovered')
    else book.put(isLive(alert) ? { ...next, updatedAt: at } : next)
  }
  for (const one of lasting) {
    if (one.isMuted || known.has(lastingKey(one.ruleId, one.event))) continue
    const same = book.all().find((alert) => isLive(alert) && isJoinedBy(alert, one))
    if (same) book.put({ ...same, events: [...same.events, one.event], updatedAt: at })
    const { event, ruleId, cause, seriesId, raisedRunId, raisedRunAt, sensitivity } = one
    const about = { kind: event.kind, ruleId, seriesId, cause, sensitivity, raisedRunId, raisedRunAt }
    const alert = same ?? book.raise({ ...about, findings: [], events: [event] })
    book.tell({ alertId: alert.id, what: same ? 'grew' : 'raised', finding: null, event })
  }
}

const lastingKey = (ruleId: string, event: RuleEvent): string => `${ruleId} ${eventKey(event)}`

/** Events of one rule with the same cause are one alert. */
function isJoinedBy(alert: Alert, { ruleId, cause }: LastingEvent): boolean {
  return alert.isOngoing && alert.ruleId === ruleId && cause !== null && alert.cause === cause
}

/** Whether two events are equal, regardless of the field order that the database returns. */
function isEqual(event: RuleEvent, other: RuleEvent | undefined): boolean {
  const sorted = (one: RuleEvent) => JSON.stringify(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
  return other !== undefined && sorted(event) === sorted(other)
}
