import { randomInt } from 'node:crypto'
import { alertMessage, channelOffMessage, testMessage, type AlertMessage } from '@/lib/rules/alert-message'
import { NotFoundError } from '@/lib/errors'
import type { Viewer } from '@/lib/viewer'
import { getAlert } from '@/prisma/queries/alerts/alerts'
import {
  claimDeliveries,
  createTestDelivery,
  endTry,
  saveMessage,
  type ClaimedDelivery,
  type DeliveryOutcome,
} from '@/prisma/queries/alerts/deliveries'
import { grant, type Granted } from '@/prisma/queries/projects/projects'
import { settings } from '../settings'
import { tryDelivery } from './try-delivery'

/** A try ends after 15 s; a lease older than this belongs to a process that has died. */
const leaseMs = 30_000
const maxPerChannel = 3
const maxAtOnce = 256

/** Messages on their way in this process, by channel and then by their id. */
export type OnTheirWay = Map<string, Map<string, Promise<void>>>

/**
 * Starts sending what is due, at most three messages per channel at once, so that a slow receiver delays no other.
 * Returns how many as soon as they are on their way. `failed` gets what could not be stored.
 */
export async function deliverDue(onTheirWay: OnTheirWay, failed: (error: unknown) => void): Promise<number> {
  const busy = Object.fromEntries([...onTheirWay].map(([channel, sending]) => [channel, sending.size]))
  const sent = [...onTheirWay.values()].flatMap((sending) => [...sending.keys()])
  if (sent.length >= maxAtOnce) return 0
  const now = new Date()
  const leaseUntil = new Date(now.getTime() + leaseMs)
  const claimed = await claimDeliveries({ now, leaseUntil, max: maxAtOnce - sent.length, maxPerChannel, busy, sent })
  for (const delivery of claimed) {
    const sending = onTheirWay.get(delivery.channelId) ?? new Map<string, Promise<void>>()
    onTheirWay.set(delivery.channelId, sending)
    const viewer: Viewer = { kind: 'system', projectId: delivery.projectId }
    const work: Promise<void> = deliver(viewer, delivery)
      .then(() => undefined, failed)
      .finally(() => {
        sending.delete(delivery.id)
        if (sending.size === 0) onTheirWay.delete(delivery.channelId)
      })
    sending.set(delivery.id, work)
  }
  return claimed.length
}

/** Sends a test to a channel at once, also to one that is off. Throws NotFoundError. */
export async function deliverTest(project: Granted<'administer'>, channelId: string): Promise<DeliveryOutcome> {
  const now = new Date()
  const lease = { now, leaseUntil: new Date(now.getTime() + leaseMs) }
  return deliver(project.viewer, await createTestDelivery(project, channelId, lease))
}

async function deliver(viewer: Viewer, delivery: ClaimedDelivery): Promise<DeliveryOutcome> {
  const { appUrl, retryScale, ...sending } = settings()
  const message = delivery.message ?? (await writeMessage(viewer, delivery, appUrl))
  if (message === null) return { kind: 'failed', statusCode: null, error: 'The alert was deleted.', isGone: false }
  const outcome = await tryDelivery(delivery, message, sending, new Date())
  const now = new Date()
  const { project, repositoryUrl } = delivery
  const context = { origin: appUrl, project, repositoryUrl, at: now.toISOString() }
  const channelOff: Parameters<typeof endTry>[3]['channelOff'] = (channel) => channelOffMessage(channel, context)
  const ended = { now, random: randomInt(1_000) / 1_000, scale: retryScale, channelOff }
  await endTry(viewer, delivery, outcome, ended).catch((error: unknown) => {
    // Deleted with its channel while it was being sent: the result no longer matters.
    if (!(error instanceof NotFoundError)) throw error
  })
  return outcome
}

/**
 * The message about the alert as it is now, stored for later tries; null: alert or project were deleted, and the row
 * with them.
 */
async function writeMessage(viewer: Viewer, delivery: ClaimedDelivery, origin: string): Promise<AlertMessage | null> {
  try {
    const { project, repositoryUrl, what, alertId } = delivery
    const context = { origin, project, repositoryUrl, at: delivery.createdAt.toISOString() }
    const message =
      what === 'test' || what === 'channel-off' || alertId === null
        ? testMessage(delivery.channelName, context)
        : alertMessage(await getAlert(await grant(viewer, { id: delivery.projectId }, 'read'), alertId), what, context)
    return await saveMessage(viewer, delivery, message)
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}
