import { z } from 'zod'
import { ConflictError, NotFoundError } from '../../../lib/errors'
import type { AlertMessage, channelOffMessage } from '../../../lib/rules/alert-message'
import { failingLifeMs, retryDelayMs } from '../../../lib/rules/retries'
import { channelKinds, messageKinds, type DeliveryRow } from '../../../lib/rules/stored-channels'
import type { Viewer } from '../../../lib/viewer'
import { database } from '../../db'
import { deliverySelect, toDeliveryRow } from '../../rows/channel-rows'
import { isId, newId } from '../../rows/ids'
import { jsonColumn } from '../../rows/json-columns'
import { requireProject, visibleProjects, type Db, type Granted } from '../../statements/access'
import { closeDeliveries } from '../../statements/close-deliveries'

const maxDeliveries = 200

/** A project's newest messages and their outcome, newest first, at most 200. */
export async function listDeliveries(project: Granted<'read'>): Promise<readonly DeliveryRow[]> {
  const found = await database().delivery.findMany({
    where: { projectId: project.id },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: maxDeliveries,
    select: deliverySelect,
  })
  return found.map(toDeliveryRow)
}

/**
 * Sends a message again with the same id: at once, and if necessary through the whole table of retries. Throws
 * NotFoundError, ConflictError when the channel is off or the message is on its way.
 */
export async function replayDelivery(
  project: Granted<'administer'>,
  deliveryId: string,
  now: Date,
): Promise<DeliveryRow> {
  const where = { id: deliveryId, projectId: project.id }
  const found = isId(deliveryId)
    ? await database().delivery.findFirst({ where, select: { channel: { select: { isEnabled: true } } } })
    : null
  if (found === null) throw new NotFoundError('Delivery')
  if (!found.channel.isEnabled) throw new ConflictError('The channel is disabled.', 'Enable it first.')
  const { count } = await database().delivery.updateMany({
    where: { ...where, status: { not: 'waiting' } },
    data: { status: 'waiting', attempts: 0, nextTryAt: now, deliveredAt: null },
  })
  if (count === 0) throw new ConflictError('This message is already queued.')
  return toDeliveryRow(await database().delivery.findFirstOrThrow({ where, select: deliverySelect }))
}

/** A message to send now, and its channel's address. `message` is null before the first try. */
export interface ClaimedDelivery {
  readonly id: string
  readonly projectId: string
  readonly channelId: string
  readonly kind: (typeof channelKinds)[number]
  readonly channelName: string
  readonly project: { readonly slug: string; readonly name: string }
  readonly repositoryUrl: string | null
  readonly target: string
  readonly secret: string | null
  readonly alertId: string | null
  readonly what: (typeof messageKinds)[number]
  readonly messageId: string
  readonly message: AlertMessage | null
  readonly createdAt: Date
  /** Whether its channel failed since its last success. */
  readonly isFailing: boolean
}

// Only saveMessage writes it.
const messageSchema = z.custom<AlertMessage>((value) => typeof value === 'object' && value !== null)

const claimedSchema = z.array(
  z.object({
    id: z.string(),
    projectId: z.string(),
    channelId: z.string(),
    kind: z.enum(channelKinds),
    channelName: z.string(),
    project: z.object({ slug: z.string(), name: z.string() }),
    repositoryUrl: z.string().nullable(),
    target: z.string(),
    secret: z.string().nullable(),
    alertId: z.string().nullable(),
    what: z.enum(messageKinds),
    messageId: z.string(),
    message: messageSchema.nullable(),
    createdAt: z.date(),
    isFailing: z.boolean(),
  }),
)

interface Claim {
  readonly now: Date
  /** Until when no other process takes them; after that they count as dropped, and are tried again. */
  readonly leaseUntil: Date
  readonly max: number
  readonly maxPerChannel: number
  /** Number of messages on their way, by channel. */
  readonly busy: Readonly<Record<string, number>>
  /** Ids that the caller is sending: not taken again, even when a clock that jumped says that their time is over. */
  readonly sent?: readonly string[] | undefined
}

/**
 * Takes due messages of the whole installation, a few per channel, healthy channels first. Several instances may do so
 * at once. If a process is killed, they stay taken until `leaseUntil`.
 */
export async function claimDeliveries(claim: Claim): Promise<readonly ClaimedDelivery[]> {
  const { now, leaseUntil, max, maxPerChannel } = claim
  const busy = JSON.stringify(claim.busy)
  const sent = [...(claim.sent ?? [])]
  return claimedSchema.parse(
    await database().$queryRaw`
      WITH due AS (
        SELECT picked.id, channel.failing_since IS NOT NULL AS failing, channel.kind, channel.name, channel.target, channel.secret,
          jsonb_build_object('slug', project.slug, 'name', project.name) AS project, project.repository_url
        FROM channel JOIN project ON project.id = channel.project_id AND project.deleted_at IS NULL
        CROSS JOIN LATERAL (
          SELECT delivery.id FROM delivery
          WHERE delivery.channel_id = channel.id AND delivery.status = 'waiting' AND delivery.next_try_at <= ${now}
            AND delivery.id <> ALL(${sent}::text[])
          ORDER BY delivery.next_try_at
          LIMIT greatest(0, ${maxPerChannel}::int - coalesce((${busy}::jsonb ->> channel.id)::int, 0))
          FOR UPDATE SKIP LOCKED
        ) AS picked
        WHERE channel.is_enabled
        ORDER BY channel.failing_since IS NOT NULL, channel.id
        LIMIT ${max}
      )
      UPDATE delivery SET next_try_at = ${leaseUntil} FROM due WHERE delivery.id = due.id
      RETURNING delivery.id, delivery.project_id AS "projectId", delivery.channel_id AS "channelId", due.kind,
        due.name AS "channelName", due.project, due.repository_url AS "repositoryUrl", due.target, due.secret, delivery.alert_id AS "alertId", delivery.what,
        delivery.message_id AS "messageId", delivery.message, delivery.created_at AS "createdAt",
        due.failing AS "isFailing"`,
  )
}

/**
 * Stores a message for all tries, and returns it as stored: every try sends the same bytes. Throws NotFoundError when
 * it was deleted in the meantime.
 */
export async function saveMessage(
  viewer: Viewer,
  claimed: Pick<ClaimedDelivery, 'id' | 'projectId'>,
  message: AlertMessage,
): Promise<AlertMessage> {
  const [saved] = await database().delivery.updateManyAndReturn({
    where: ownDelivery(viewer, claimed),
    data: { message: jsonColumn(message) },
    select: { message: true },
  })
  if (saved === undefined) throw new NotFoundError('Delivery')
  return messageSchema.parse(saved.message)
}

function ownDelivery(viewer: Viewer, { id, projectId }: Pick<ClaimedDelivery, 'id' | 'projectId'>) {
  if (!isId(id) || !isId(projectId)) throw new NotFoundError('Delivery')
  return { id, projectId, project: visibleProjects(viewer) }
}

/** How a try ended. `statusCode` null: no answer. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered'; readonly statusCode: number | null }
  | { readonly kind: 'failed'; readonly statusCode: number | null; readonly error: string; readonly isGone: boolean }

interface Ended {
  readonly now: Date
  /** In [0, 1): spreads the next try. */
  readonly random: number
  /** Shortens the table of retries; 1 except in tests. */
  readonly scale: number
  /** Makes the message to the project's mail channels when this channel is turned off. */
  readonly channelOff: (channel: Parameters<typeof channelOffMessage>[0]) => AlertMessage
}

/**
 * Records how a try ended and when the next one is due. A channel whose receiver is gone, or that failed for five days,
 * is turned off, and the project's mail channels report it. Throws NotFoundError.
 */
export async function endTry(
  viewer: Viewer,
  claimed: Pick<ClaimedDelivery, 'id' | 'projectId' | 'channelId' | 'isFailing'>,
  outcome: DeliveryOutcome,
  { now, random, scale, channelOff }: Ended,
): Promise<void> {
  const tried = { lastTriedAt: now, lastStatusCode: outcome.statusCode }
  if (outcome.kind === 'delivered') {
    const data = { ...tried, status: 'delivered', deliveredAt: now, nextTryAt: null, lastError: null }
    const { count } = await database().delivery.updateMany({
      where: ownDelivery(viewer, claimed),
      data: { ...data, attempts: { increment: 1 } },
    })
    if (count === 0) throw new NotFoundError('Delivery')
    if (claimed.isFailing) {
      await database().channel.updateMany({ where: { id: claimed.channelId }, data: { failingSince: null } })
    }
    return
  }
  await database().$transaction(async (tx) => {
    const project = await requireProject(tx, viewer, claimed.projectId, 'read')
    const where = { id: claimed.id, projectId: project.id }
    const row = await tx.delivery.findFirst({ where, select: { attempts: true, what: true, status: true } })
    // Deleted with its channel, or turned off during the try.
    if (row === null || row.status !== 'waiting') return
    const attempts = row.attempts + 1
    const delayMs = outcome.isGone || row.what === 'test' ? null : retryDelayMs(attempts, random, scale)
    const next = delayMs === null ? { status: 'failed', nextTryAt: null } : { nextTryAt: new Date(+now + delayMs) }
    await tx.delivery.updateMany({ where, data: { ...tried, ...next, attempts, lastError: outcome.error } })
    if (row.what === 'test') return
    const channel = await tx.channel.findFirst({ where: { id: claimed.channelId, projectId: project.id } })
    if (channel === null || !channel.isEnabled) return
    const failingSince = channel.failingSince ?? now
    const isLost = +now - +failingSince >= failingLifeMs
    const disabledReason = outcome.isGone ? 'gone' : isLost ? 'failing' : null
    const off = disabledReason === null ? {} : { isEnabled: false, disabledAt: now, disabledReason }
    await tx.channel.update({ where: { id: channel.id }, data: { failingSince, ...off } })
    if (disabledReason === null) return
    const why = outcome.isGone ? 'The receiver is gone (410)' : 'Failing for five days'
    const lostCount = await closeDeliveries(tx, channel.id, `${why}; the channel was disabled.`)
    const own = next.nextTryAt === null ? 1 : 0
    const notice = channelOff({ name: channel.name, reason: disabledReason, lostCount: lostCount + own })
    await notifyMailChannels(tx, project.id, notice, now)
  })
}

async function notifyMailChannels(db: Db, projectId: string, message: AlertMessage, now: Date): Promise<void> {
  const mails = await db.channel.findMany({
    where: { projectId, kind: 'email', isEnabled: true },
    select: { id: true },
  })
  for (const { id: channelId } of mails) {
    const id = newId()
    const about = { id, projectId, channelId, what: message.what, messageId: `msg_${id}`, message: jsonColumn(message) }
    await db.delivery.create({ data: { ...about, status: 'waiting', nextTryAt: now, createdAt: now } })
  }
}

/** Puts a test message into a channel's log, taken by the caller, who sends it at once. Throws NotFoundError. */
export async function createTestDelivery(
  project: Granted<'administer'>,
  channelId: string,
  { now, leaseUntil }: { readonly now: Date; readonly leaseUntil: Date },
): Promise<ClaimedDelivery> {
  const channel = isId(channelId)
    ? await database().channel.findFirst({
        where: { id: channelId, projectId: project.id },
        include: { project: { select: { slug: true, name: true, repositoryUrl: true } } },
      })
    : null
  if (channel === null) throw new NotFoundError('Channel')
  const id = newId()
  const row = { id, projectId: project.id, channelId: channel.id, what: 'test' as const, messageId: `msg_${id}` }
  await database().delivery.create({ data: { ...row, status: 'waiting', nextTryAt: leaseUntil, createdAt: now } })
  const { target: address, secret, name: channelName } = channel
  const { repositoryUrl, ...named } = channel.project
  const kind = z.enum(channelKinds).parse(channel.kind)
  return {
    ...row,
    project: named,
    repositoryUrl,
    kind,
    channelName,
    target: address,
    secret,
    alertId: null,
    message: null,
    createdAt: now,
    isFailing: channel.failingSince !== null,
  }
}
