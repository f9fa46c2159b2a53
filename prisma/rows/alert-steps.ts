import { messageOfStep } from '../../lib/stored-channels'
import type { Prisma } from '../generated/client'
import type { Db } from './access'
import { newId } from './ids'

/** A message waits this long, in ms, for the other metrics and series that the same commit touched. */
const gatheringMs = 2_000

/**
 * Writes what happened to an alert and, when it is something to tell, the messages to the project's channels: in the
 * caller's transaction, so that no alert is without them and none is sent for an alert that was not kept.
 */
export async function addStep(
  db: Db,
  step: Omit<Prisma.AlertStepUncheckedCreateInput, 'id' | 'at'> & { readonly at: Date },
): Promise<void> {
  const id = newId()
  await db.alertStep.create({ data: { id, ...step } })
  const what = messageOfStep(step.what)
  if (what === null) return
  const { projectId, alertId, at } = step
  const channels = await db.channel.findMany({ where: { projectId, isEnabled: true }, select: { id: true } })
  const shared = { projectId, alertId, stepId: id, what, messageId: `msg_${id}`, status: 'waiting' }
  const nextTryAt = new Date(at.getTime() + gatheringMs)
  await db.delivery.createMany({
    data: channels.map((channel) => ({ id: newId(), channelId: channel.id, ...shared, nextTryAt, createdAt: at })),
  })
}
