import { z } from 'zod'
import { channelKinds, deliveryStatuses, disabledReasons, messageKinds } from '../../lib/rules/stored-channels'
import type { ChannelRow, DeliveryRow } from '../../lib/rules/stored-channels'
import type { Prisma } from '../generated/client'

const kindSchema = z.enum(channelKinds)

/** Kind of a channel as a row has it. Throws on a kind that this version does not know. */
const channelKindOf = (kind: string) => kindSchema.parse(kind)

/** A channel without the secrets that must not leave the server. */
export function toChannelRow(record: Prisma.ChannelGetPayload<object>): ChannelRow {
  const { target: _target, secret: _secret, disabledAt, disabledReason, failingSince, createdAt, ...columns } = record
  const kind = channelKindOf(record.kind)
  return {
    ...columns,
    kind,
    disabledAt: disabledAt?.toISOString() ?? null,
    disabledReason: z.enum(disabledReasons).nullable().parse(disabledReason),
    failingSince: failingSince?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}

/** The columns of a line of the delivery log. */
export const deliverySelect = {
  id: true,
  channelId: true,
  alertId: true,
  what: true,
  messageId: true,
  message: true,
  status: true,
  attempts: true,
  nextTryAt: true,
  lastStatusCode: true,
  lastError: true,
  lastTriedAt: true,
  deliveredAt: true,
  createdAt: true,
  channel: { select: { name: true } },
} as const satisfies Prisma.DeliverySelect

const titledSchema = z.object({ title: z.string() }).nullable()

/** A line of the delivery log. */
export function toDeliveryRow(record: Prisma.DeliveryGetPayload<{ select: typeof deliverySelect }>): DeliveryRow {
  const { channel, message, what, status, nextTryAt, lastTriedAt, deliveredAt, createdAt, ...columns } = record
  return {
    ...columns,
    channelName: channel.name,
    what: z.enum(messageKinds).parse(what),
    title: titledSchema.parse(message)?.title ?? null,
    status: z.enum(deliveryStatuses).parse(status),
    nextTryAt: nextTryAt?.toISOString() ?? null,
    lastTriedAt: lastTriedAt?.toISOString() ?? null,
    deliveredAt: deliveredAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}
