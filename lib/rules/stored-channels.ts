import type { UtcIso } from '../run/run'

/** How a channel delivers a message: a signed webhook, a Slack-compatible one, or e-mail. */
export const channelKinds = ['webhook', 'slack', 'email'] as const
export type ChannelKind = (typeof channelKinds)[number]

/** Why a channel is off: turned off by a person, 410 Gone from the receiver, or five days of failures. */
export const disabledReasons = ['user', 'gone', 'failing'] as const
export type DisabledReason = (typeof disabledReasons)[number]

/** Why a channel is off, in words that follow "Off:". */
export const offWords: Readonly<Record<DisabledReason, string>> = {
  user: 'disabled manually',
  gone: 'the receiver responded 410 Gone',
  failing: 'failing for five days',
}

/** A notification channel as the app shows it: never its secret, and only the host of a URL. */
export interface ChannelRow {
  readonly id: string
  readonly projectId: string
  readonly kind: ChannelKind
  readonly name: string
  /** Host of a URL, or the e-mail address. */
  readonly targetShown: string
  readonly isEnabled: boolean
  readonly disabledAt: UtcIso | null
  readonly disabledReason: DisabledReason | null
  /** The first failure since the last success; null: the last attempt succeeded, or there was none. */
  readonly failingSince: UtcIso | null
  readonly createdAt: UtcIso
}

/** What a message reports. */
export const messageKinds = ['opened', 'recovered', 'test', 'channel-off'] as const
export type MessageKind = (typeof messageKinds)[number]
/** Those about an alert. */
export type AlertMessageKind = Extract<MessageKind, 'opened' | 'recovered'>

export const deliveryStatuses = ['waiting', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** A line of the delivery log. */
export interface DeliveryRow {
  readonly id: string
  readonly channelId: string
  readonly channelName: string
  /** Null: not about an alert, but a test or about a channel. */
  readonly alertId: string | null
  readonly what: MessageKind
  readonly messageId: string
  /** Headline of the message as it was first sent; null: no attempt yet. */
  readonly title: string | null
  readonly status: DeliveryStatus
  /** Number of finished attempts. */
  readonly attempts: number
  readonly nextTryAt: UtcIso | null
  /** HTTP or SMTP status of the last attempt; null: no answer, or no attempt. */
  readonly lastStatusCode: number | null
  readonly lastError: string | null
  readonly lastTriedAt: UtcIso | null
  readonly deliveredAt: UtcIso | null
  readonly createdAt: UtcIso
}
