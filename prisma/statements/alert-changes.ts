import type { Alert, AlertChanges, AlertClock, AlertsState } from '../../lib/rules/alert-book'
import type { Prisma } from '../generated/client'
import { alertRecordSelect, toAlert, toAlertColumns } from '../rows/alert-rows'
import { newId } from '../rows/ids'
import type { Db } from './access'

/** How long a message waits, in ms, for other metrics and series that the same commit affected. */
const gatheringMs = 2_000

/** The clock for changes made now. */
export const clockOf = (now: Date): AlertClock => ({ at: now.toISOString(), newId })

/**
 * One writer of a project's alerts at a time, until the end of the transaction: the next one sees what this one raises.
 */
export async function lockAlerts(tx: Db, projectId: string): Promise<void> {
  // FOR UPDATE would block uploads: each row that names the project shares its key.
  await tx.$executeRaw`SELECT 1 FROM project WHERE id = ${projectId} FOR NO KEY UPDATE`
}

/**
 * The alerts of a project that meet a condition, and those they merged into, in the form that
 * lib/rules/alert-lifecycle.ts takes. Lock them first.
 */
export async function readAlerts(tx: Db, projectId: string, where: Prisma.AlertWhereInput): Promise<AlertsState> {
  const read = (condition: Prisma.AlertWhereInput) =>
    tx.alert.findMany({
      where: { AND: [{ projectId }, condition] },
      orderBy: [{ openedAt: 'asc' }, { id: 'asc' }],
      select: alertRecordSelect,
    })
  const found = await read(where)
  const known = new Set(found.map(({ id }) => id))
  const standing = found.flatMap(({ mergedIntoId: id }) => (id === null || known.has(id) ? [] : id))
  if (standing.length > 0) found.push(...(await read({ id: { in: standing } })))
  const runIds = [...new Set(found.flatMap((one) => one.raisedRunId ?? []))]
  const runs =
    runIds.length === 0
      ? []
      : await tx.run.findMany({ where: { id: { in: runIds } }, select: { id: true, orderedAt: true } })
  const startOf = new Map(runs.map((run) => [run.id, run.orderedAt.toISOString()]))
  return {
    alerts: found.map((one): Alert => ({ ...toAlert(one), raisedRunAt: startOf.get(one.raisedRunId ?? '') ?? null })),
    hasChannel:
      (await tx.$executeRaw`SELECT 1 FROM channel WHERE project_id = ${projectId} AND is_enabled LIMIT 1`) > 0,
  }
}

/**
 * Stores the changes to a project's alerts, and the messages of their steps for its channels, in the caller's
 * transaction: no alert is without its messages, and no message is sent for an alert that was not stored.
 */
export async function writeAlerts(tx: Db, projectId: string, changes: AlertChanges, now: Date): Promise<void> {
  const { raised, changed, steps } = changes
  for (const alert of raised) {
    const { id, ruleId, seriesId, raisedRunId, sensitivity, detectorVersion, openedAt } = alert
    const fixed = { id, projectId, ruleId, seriesId, raisedRunId, openedAt }
    await tx.alert.create({
      data: { ...fixed, parameters: { sensitivity, detectorVersion }, ...toAlertColumns(alert) },
    })
  }
  for (const alert of changed) await tx.alert.update({ where: { id: alert.id }, data: toAlertColumns(alert) })
  for (const { id, mergedIntoId } of changed) {
    if (mergedIntoId === null) continue
    // A merged alert names the alert that it is finally part of, however often that changes.
    await tx.alert.updateMany({ where: { mergedIntoId: id }, data: { mergedIntoId } })
    // The alert that it merged into sends what this one would still send.
    await tx.delivery.deleteMany({ where: { alertId: id, status: 'waiting' } })
  }
  const withIds = steps.map((step) => ({ ...step, id: newId() }))
  await tx.alertStep.createMany({
    data: withIds.map(({ message: _message, ...step }) => ({ ...step, projectId, at: now })),
  })
  const sent = withIds.filter((step) => step.message !== null)
  if (sent.length === 0) return
  const channels = await tx.channel.findMany({ where: { projectId, isEnabled: true }, select: { id: true } })
  const nextTryAt = new Date(now.getTime() + gatheringMs)
  await tx.delivery.createMany({
    data: sent.flatMap(({ id: stepId, alertId, message }) => {
      const shared = { projectId, alertId, stepId, what: message ?? '', messageId: `msg_${stepId}`, status: 'waiting' }
      return channels.map((channel) => ({ id: newId(), channelId: channel.id, ...shared, nextTryAt, createdAt: now }))
    }),
  })
}
