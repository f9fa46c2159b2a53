import { InvalidInputError, NotFoundError } from '../../../lib/errors'
import type { Alert } from '../../../lib/rules/alert-book'
import { assignByHand, commentByHand, moveByHand } from '../../../lib/rules/alert-lifecycle'
import type { AlertFinding } from '../../../lib/rules/evaluate-profile'
import {
  alertMoves,
  reportedStates,
  seriesIdsOf,
  unattendedStates,
  type AlertMove,
  type AlertRow,
  type AlertState,
  type StoredAlert,
} from '../../../lib/rules/stored-alerts'
import { clipText, storableText } from '../../../lib/text'
import { nameOf, type Viewer } from '../../../lib/viewer'
import { database } from '../../db'
import { alertSelect, findingsSchema, toAlertRow, watchedSchema } from '../../rows/alert-rows'
import { isId } from '../../rows/ids'
import { requireProject, visibleProjects, type Db, type Granted } from '../../statements/access'
import { clockOf, lockAlerts, readAlerts, writeAlerts } from '../../statements/alert-changes'
import { judgeAgain } from '../../statements/judgements'
import { seriesSelect } from '../../statements/series-points'

const maxAlerts = 500
const maxNoteLength = 2_000

/** A project's alerts in these states, newest first, at most 500. */
export async function listAlerts(
  project: Granted<'read'>,
  states: readonly AlertState[],
): Promise<readonly AlertRow[]> {
  const found = await database().alert.findMany({
    where: { projectId: project.id, state: { in: [...states] } },
    orderBy: [{ openedAt: 'desc' }, { id: 'desc' }],
    take: maxAlerts,
    select: alertSelect,
  })
  return found.map(toAlertRow)
}

/** Alerts that need attention of all projects that the viewer may see, newest first, at most `limit` (100). */
export async function listOpenAlerts(viewer: Viewer, limit: number): Promise<readonly AlertRow[]> {
  const found = await database().alert.findMany({
    where: { state: { in: [...unattendedStates] }, project: visibleProjects(viewer) },
    orderBy: [{ openedAt: 'desc' }, { id: 'desc' }],
    take: Math.min(Math.max(1, Math.trunc(limit)), 100),
    select: alertSelect,
  })
  return found.map(toAlertRow)
}

/**
 * What alerts report of the levels of series, including closed alerts, except where nothing had happened.
 */
export async function listFindings(
  project: Granted<'read'>,
  seriesIds: readonly string[],
): Promise<readonly AlertFinding[]> {
  const watches = await database().seriesWatch.findMany({
    where: { projectId: project.id, seriesId: { in: [...seriesIds] } },
    select: { watched: true },
  })
  const named = watches.flatMap(({ watched }) => watchedSchema.parse(watched).flatMap(({ alertId }) => alertId ?? []))
  if (named.length === 0) return []
  const ids = { id: { in: [...new Set(named)] } }
  const found = await database().alert.findMany({
    where: { projectId: project.id, OR: [ids, { merged: { some: ids } }], state: { in: [...reportedStates] } },
    orderBy: [{ openedAt: 'desc' }, { id: 'desc' }],
    select: { findings: true },
  })
  return found.flatMap(({ findings }) => findingsSchema.parse(findings))
}

/** An alert with its history; if it merged into an earlier one, that one. Throws NotFoundError. */
export async function getAlert(project: Granted<'read'>, alertId: string): Promise<StoredAlert> {
  const find = (id: string) => database().alert.findFirst({ where: { id, projectId: project.id }, select: alertSelect })
  const asked = isId(alertId) ? await find(alertId) : null
  const found = asked?.mergedIntoId ? await find(asked.mergedIntoId) : asked
  if (found === null) throw new NotFoundError('Alert')
  const steps = await database().alertStep.findMany({
    where: { alertId: found.id },
    orderBy: [{ at: 'asc' }, { id: 'asc' }],
  })
  const alert = toAlertRow(found)
  const ids = [...new Set(seriesIdsOf(alert))]
  const series = await database().series.findMany({ where: { id: { in: ids } }, select: seriesSelect })
  return {
    ...alert,
    steps: steps.map(({ what, who, note, at }) => ({ what, who, note, at: at.toISOString() })),
    seriesOf: Object.fromEntries(series.map((one) => [one.id, { ...one, projectSlug: project.slug }])),
  }
}

/**
 * Changes the state of an alert: acknowledged, expected (the new level is accepted; runs at it alert no more),
 * false-alarm, resolved, or open again; if it merged into an earlier one, that one's. Throws NotFoundError,
 * InvalidInputError, ConflictError when it is in that state already.
 */
export async function moveAlert(
  granted: Granted<'edit'>,
  input: {
    readonly alertId: string
    readonly to: AlertMove
    readonly note?: string | undefined
  },
  now: Date,
): Promise<StoredAlert> {
  const { alertId, to } = input
  if (!alertMoves.includes(to)) throw new InvalidInputError('Invalid state for an alert.', { field: 'to' })
  await database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'edit')
    const alert = await takeAlert(tx, project.id, alertId)
    const note = clipText(storableText(input.note ?? ''), maxNoteLength)
    await writeAlerts(tx, project.id, moveByHand(alert, to, { who: nameOf(granted.viewer), note }, clockOf(now)), now)
    // The judgements of the runs of its changes follow.
    await judgeAgain(
      tx,
      alert.findings.map(({ seriesId }) => seriesId),
    )
  })
  return getAlert(granted, alertId)
}

/**
 * Adds a comment to the history of an alert, whose state stays; if it merged into an earlier one, to that one's. Throws
 * NotFoundError, InvalidInputError for an empty comment.
 */
export async function commentAlert(
  granted: Granted<'edit'>,
  input: { readonly alertId: string; readonly text: string },
  now: Date,
): Promise<StoredAlert> {
  const note = clipText(storableText(input.text).trim(), maxNoteLength)
  if (note === '') throw new InvalidInputError('A comment cannot be empty.', { field: 'text' })
  await database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'edit')
    const alert = await takeAlert(tx, project.id, input.alertId)
    await writeAlerts(tx, project.id, commentByHand(alert, { who: nameOf(granted.viewer), note }, clockOf(now)), now)
  })
  return getAlert(granted, input.alertId)
}

/**
 * Assigns an alert to a member of its project or to an owner; null: to no one. If it merged into an earlier one,
 * assigns that one. Throws NotFoundError, InvalidInputError when the account may not see the project, ConflictError.
 */
export async function assignAlert(
  granted: Granted<'edit'>,
  input: { readonly alertId: string; readonly accountId: string | null },
  now: Date,
): Promise<StoredAlert> {
  const { alertId, accountId } = input
  await database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'edit')
    const alert = await takeAlert(tx, project.id, alertId)
    const assignee = accountId === null ? null : await getAssignee(tx, project.id, accountId)
    await writeAlerts(tx, project.id, assignByHand(alert, assignee, nameOf(granted.viewer), clockOf(now)), now)
  })
  return getAlert(granted, alertId)
}

/** An enabled account that may see the project. Throws InvalidInputError. */
async function getAssignee(tx: Db, projectId: string, id: string) {
  const mayKnow = { OR: [{ isOwner: true }, { memberships: { some: { projectId } } }] }
  const found = isId(id)
    ? await tx.account.findFirst({ where: { id, disabledAt: null, ...mayKnow }, select: { id: true, name: true } })
    : null
  if (found !== null) return found
  throw new InvalidInputError('An alert can be assigned only to a member of its project.', { field: 'account' })
}

/** The alert that this id leads to, with the project's alerts locked. Throws NotFoundError. */
async function takeAlert(tx: Db, projectId: string, alertId: string): Promise<Alert> {
  if (!isId(alertId)) throw new NotFoundError('Alert')
  await lockAlerts(tx, projectId)
  const { alerts } = await readAlerts(tx, projectId, { id: alertId })
  const alert = alerts.find(({ mergedIntoId }) => mergedIntoId === null)
  if (alert === undefined) throw new NotFoundError('Alert')
  return alert
}
