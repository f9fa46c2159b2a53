import { ConflictError } from '../errors'
import { formatDay } from '../format'
import type { LoadProfile } from '../history/series'
import { repeats } from '../levels/points'
import type { UtcIso } from '../run/run'
import {
  AlertBook,
  isLive,
  isSameProfile,
  withFound,
  type Alert,
  type AlertChanges,
  type AlertClock,
  type AlertNews,
  type AlertsState,
} from './alert-book'
import {
  closeShift,
  closeShiftsThatCameBack,
  environmentCause,
  environmentEvent,
  environmentEventOf,
  sameShift,
  withFactorsOf,
} from './environment-alert'
import type { AlertFinding, EndedChange, WatchedChange } from './evaluate-profile'
import type { LastingEvent, RulesEvaluation } from './evaluate-rules'
import { eventKey, type DriftEvent, type RuleEvent } from './rule-events'
import { liveStates, type AlertKind, type AlertMove, type AlertState } from './stored-alerts'

/**
 * The life of an alert: the only place that decides what raises it, what joins it, and what ends it. Pure: each
 * function takes the known alerts and new findings, and returns what changes; the caller stores that, and never runs
 * two of them at the same time in one project.
 */

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
    turnIntoDrifts(book, evaluation)
    const named = evaluation.changes.watched.map((known) => {
      const raised = known.creep === null ? alertOf.get(keyOf(known)) : undefined
      const alertId = known.alertId ?? raised ?? null
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
  const isNear = places.areNear.bind(places)
  for (const finding of changes.fresh) {
    const shifted = changes.shifts.find((one) => keyOf(one) === keyOf(finding))
    const event = shifted && environmentEvent(profile.series.environment ?? '', shifted.shift)
    const same = event ? sameShift(book, event, isNear) : sameEvent(book, places, finding, changes.drifts)
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
    sameShift(book, environmentEvent(profile.series.environment ?? '', one.shift), isNear)
  }
  return alertOf
}

/** Alerts of these kinds report changes of level. */
const levelKinds: readonly AlertKind[] = ['change-point', 'drift', 'environment']

/** The alert of the event that a fresh change belongs to; unattended ones first, the newest of them. */
function sameEvent(
  book: AlertBook,
  places: Places,
  finding: AlertFinding,
  drifts: readonly DriftEvent[],
): Alert | null {
  const all = book.all().filter(({ kind }) => levelKinds.includes(kind))
  const live = all.filter(isLive).findLast((alert) => {
    if (alert.cause !== null && alert.cause === finding.cause) return true
    // A step beyond the trend of a drift that goes on is another event.
    const isExplained = (event: RuleEvent) =>
      !drifts.some((one) => isDriftOf(one, finding)) && isDriftOf(event, finding)
    return alert.events.some(isExplained) || places.areSame(alert, finding)
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

/**
 * An alert of a step that turned out to be part of a drift becomes the drift's, which no commit caused; several become
 * one.
 */
function turnIntoDrifts(book: AlertBook, { changes, events }: RulesEvaluation): void {
  if (changes.drifts.length === 0) return
  const parts = new Set(changes.watched.flatMap((one) => (one.origin === 'drift' ? keyOf(one) : [])))
  for (const { id } of book.all()) {
    const alert = book.find(id)
    if (alert === null || !isLive(alert) || alert.kind === 'environment') continue
    const isPart = (one: AlertFinding) => {
      // Its own metric need not creep as clearly as another one.
      if (parts.has(keyOf(one))) return true
      const drift = changes.drifts.find((other) => isDriftOf(other, one))
      if (drift === undefined) return false
      const isFound = (other: AlertFinding) => isSameProfile(one, other) && one.metricId === other.metricId
      const found = changes.updated.some((other) => book.standingId(other.alertId) === id && isFound(other.finding))
      return !found && !changes.fresh.some(isFound) && one.since >= drift.since
    }
    const findings = alert.findings.filter((one) => !isPart(one))
    if (findings.length < alert.findings.length) withDrifts(book, { ...alert, findings }, events)
  }
}

/** An alert without the changes that are part of a drift: the drift's, if none is left. */
function withDrifts(book: AlertBook, alert: Alert, events: RulesEvaluation['events']): void {
  const drifts = events.flatMap(({ event, ruleId }) =>
    event.kind === 'drift' && (alert.ruleId ?? ruleId) === ruleId ? event : [],
  )
  const at = { updatedAt: book.clock.at }
  if (alert.findings.length > 0 || drifts.length === 0) return book.put({ ...alert, ...at })
  const rest = alert.events.filter((event) => !drifts.some((one) => eventKey(one) === eventKey(event)))
  const crept: Alert = { ...alert, ...at, kind: 'drift', cause: null, events: [...rest, ...drifts], isOngoing: true }
  book.put(crept)
  if (book.isKnown(alert) && alert.kind !== 'drift')
    book.log(crept, 'moved', { who: 'Tailboard', note: 'A slow drift: no single run caused it.' })
  const older = book.all().find((one) => one.id !== crept.id && isLive(one) && isDriftIn(one, drifts))
  if (older !== undefined) book.merge(...inOrder(older, crept))
}

const inOrder = (one: Alert, other: Alert): [Alert, Alert] =>
  one.openedAt <= other.openedAt ? [one, other] : [other, one]

/** Whether an alert reports a drift of the same profile. */
const isDriftIn = ({ kind, events }: Alert, drifts: readonly DriftEvent[]): boolean =>
  kind === 'drift' &&
  events.some(
    (one) =>
      one.kind === 'drift' &&
      one.overSince === null &&
      drifts.some(({ seriesId, profile }) => one.seriesId === seriesId && one.profile === profile),
  )

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
    if (isLive(alert) && !isOngoing && alert.findings.length === 0) closeEvents(book, next)
    else book.put(isLive(alert) ? { ...next, updatedAt: at } : next)
  }
  for (const one of lasting) {
    if (one.isMuted || known.has(lastingKey(one.ruleId, one.event))) continue
    // A drift that a person closed takes further metrics silently.
    const same = book.all().find((alert) => (isLive(alert) || one.event.kind === 'drift') && isJoinedBy(alert, one))
    if (same) book.put({ ...same, events: [...withoutKey(same.events, one.event), one.event], updatedAt: at })
    const { event, ruleId, cause, seriesId, raisedRunId, raisedRunAt, sensitivity } = one
    const about = { kind: event.kind, ruleId, seriesId, cause, sensitivity, raisedRunId, raisedRunAt }
    const alert = same ?? book.raise({ ...about, findings: [], events: [event] })
    book.tell({ alertId: alert.id, what: same ? 'grew' : 'raised', finding: null, event })
  }
}

/** A level that crept is another one since: its drift ended, it did not recover. */
function closeEvents(book: AlertBook, alert: Alert): void {
  if (alert.kind !== 'drift') return book.close(alert, 'recovered')
  book.close(alert, 'recovered', 'ended', 'The drift ended: later runs show no trend.')
}

/** A level that creeps again within an alert is the one that it reports. */
const withoutKey = (events: readonly RuleEvent[], event: RuleEvent): readonly RuleEvent[] =>
  event.kind === 'drift' ? events.filter((one) => eventKey(one) !== eventKey(event)) : events

const lastingKey = (ruleId: string, event: RuleEvent): string => `${ruleId} ${eventKey(event)}`

/** Events of one rule with the same cause are one alert, and so are all drifts of one profile. */
function isJoinedBy(alert: Alert, { ruleId, cause, event }: LastingEvent): boolean {
  if (!alert.isOngoing || alert.ruleId !== ruleId) return false
  return event.kind === 'drift' ? isDriftIn(alert, [event]) : cause !== null && alert.cause === cause
}

/** Whether two events are equal, regardless of the field order that the database returns. */
function isEqual(event: RuleEvent, other: RuleEvent | undefined): boolean {
  const sorted = (one: RuleEvent) => JSON.stringify(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
  return other !== undefined && sorted(event) === sorted(other)
}
