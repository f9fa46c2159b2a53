import { formatDate } from '../../lib/format'
import { isOldNews, messageOfStep } from '../../lib/rules/stored-channels'
import type { Prisma } from '../generated/client'
import type { Db } from './access'
import { newId } from './ids'

/** A message waits this long, in ms, for the other metrics and series that the same commit touched. */
const gatheringMs = 2_000

/**
 * Writes what happened to an alert and, when it is something to tell, the messages to the project's channels: in the
 * caller's transaction, so that no alert is without them and none is sent for an alert that was not kept. Of what old
 * runs show nothing is sent, and the step says so.
 */
export async function addStep(
  db: Db,
  step: Omit<Prisma.AlertStepUncheckedCreateInput, 'id' | 'at'> & { readonly at: Date },
): Promise<void> {
  const { projectId, alertId, at } = step
  const id = newId()
  const what = messageOfStep(step.what)
  const channels =
    what === null ? [] : await db.channel.findMany({ where: { projectId, isEnabled: true }, select: { id: true } })
  const oldRunAt = channels.length === 0 ? null : await startOfOldRun(db, alertId)
  const note =
    oldRunAt && `No notification sent: the run that raised it began on ${formatDate(oldRunAt.toISOString())}.`
  await db.alertStep.create({ data: { id, ...step, ...(note === null ? {} : { note }) } })
  if (what === null || note !== null) return
  const shared = { projectId, alertId, stepId: id, what, messageId: `msg_${id}`, status: 'waiting' }
  const nextTryAt = new Date(at.getTime() + gatheringMs)
  await db.delivery.createMany({
    data: channels.map((channel) => ({ id: newId(), channelId: channel.id, ...shared, nextTryAt, createdAt: at })),
  })
}

/** When the run began that raised an alert, if that was long before; else null. */
async function startOfOldRun(db: Db, alertId: string): Promise<Date | null> {
  const select = { openedAt: true, raisedRunId: true }
  const { openedAt, raisedRunId } = await db.alert.findUniqueOrThrow({ where: { id: alertId }, select })
  const run = raisedRunId && (await db.run.findUnique({ where: { id: raisedRunId }, select: { orderedAt: true } }))
  return run && isOldNews(openedAt, run.orderedAt) ? run.orderedAt : null
}
