import type { ChannelKind, DeliveryRow, MessageKind } from '@/lib/rules/stored-channels'

/** A kind of channel in words. */
export const kindWords: Readonly<Record<ChannelKind, string>> = {
  slack: 'Slack or compatible',
  webhook: 'Webhook',
  email: 'E-mail',
}

/** What a message reports. */
export const messageWords: Readonly<Record<MessageKind, string>> = {
  opened: 'Alert raised',
  recovered: 'Alert recovered',
  test: 'Test',
  'channel-off': 'A channel was disabled',
}

/** The outcome of a message, in a few words. */
export function statusWords(row: DeliveryRow): string {
  if (row.status === 'delivered') return row.attempts > 1 ? `delivered at attempt ${row.attempts}` : 'delivered'
  if (row.status === 'failed') return row.attempts > 1 ? `failed after ${row.attempts} attempts` : 'failed'
  return row.attempts === 0 ? 'queued' : `failed ${row.attempts} of 10 attempts`
}

/** How long until something happens: `in 5 min`; `now` when it is due. */
export function untilWords(at: string, nowMs: number): string {
  const minutes = Math.ceil((Date.parse(at) - nowMs) / 60_000)
  if (minutes <= 0) return 'now'
  return minutes < 100 ? `in ${minutes}\u00a0min` : `in ${Math.round(minutes / 60)}\u00a0h`
}
