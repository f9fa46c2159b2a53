import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import type { AlertMessage } from '@/lib/rules/alert-message'
import { InvalidInputError } from '@/lib/errors'
import { mailTexts, slackBody, webhookBody } from '@/lib/rules/message-forms'
import type { ClaimedDelivery, DeliveryOutcome } from '@/prisma/queries/alerts/deliveries'
import { isSealed, readChannelKey, unseal } from './channel-seal'
import { postWebhook } from './post-webhook'
import { sendMail } from './send-mail'
import type { Settings } from '../settings'
import { themes } from '../themes'

type Wanted = Pick<ClaimedDelivery, 'projectId' | 'kind' | 'target' | 'secret' | 'messageId'>
type Sending = Pick<Settings, 'webhooks' | 'mail' | 'secretKey' | 'dataFolder'>

/** Sends a message once, in the form of its channel. Never throws: whatever goes wrong is the outcome. */
export async function tryDelivery(
  sealed: Wanted,
  message: AlertMessage,
  settings: Sending,
  now: Date,
): Promise<DeliveryOutcome> {
  try {
    const delivery = await unsealed(sealed, settings)
    return delivery.kind === 'email'
      ? await mailOutcome(delivery, message, settings.mail)
      : outcomeOf(await post(delivery, message, settings, now))
  } catch (error) {
    return { kind: 'failed', statusCode: smtpStatus(error), error: reasonOf(error), isGone: false }
  }
}

async function unsealed(sealed: Wanted, settings: Sending): Promise<Wanted> {
  const { projectId, target, secret } = sealed
  if (!isSealed(target)) return sealed // left by an earlier version since the start of this one
  const key = await readChannelKey(settings)
  return {
    ...sealed,
    target: unseal(target, projectId, key),
    secret: secret === null ? null : unseal(secret, projectId, key),
  }
}

function post(delivery: Wanted, message: AlertMessage, settings: Pick<Settings, 'webhooks'>, now: Date) {
  const body = delivery.kind === 'slack' ? slackBody(message) : webhookBody(message)
  const headers = { 'content-type': 'application/json' }
  const signed = delivery.kind === 'slack' ? headers : { ...headers, ...signatureOf(delivery, body, now) }
  return postWebhook({ url: delivery.target, headers: signed, body, policy: settings.webhooks })
}

/** The headers of Standard Webhooks. A webhook without a secret is not sent. */
function signatureOf({ secret, messageId }: Wanted, body: string, now: Date): Record<string, string> {
  if (secret === null) throw new Error('The channel has no secret.')
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(messageId, now, body),
  }
}

function outcomeOf(statusCode: number): DeliveryOutcome {
  if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered', statusCode }
  const redirect = statusCode >= 300 && statusCode < 400 ? ' Redirects are not followed: use the final address.' : ''
  return {
    kind: 'failed',
    statusCode,
    error: `It responded with ${statusCode}.${redirect}`,
    isGone: statusCode === 410,
  }
}

async function mailOutcome(delivery: Wanted, message: AlertMessage, mail: Settings['mail']): Promise<DeliveryOutcome> {
  if (mail === null) {
    const error = 'No mail server is configured: TAILBOARD_SMTP_URL and TAILBOARD_MAIL_FROM.'
    return { kind: 'failed', statusCode: null, error, isGone: false }
  }
  const { messageId, target: to } = delivery
  const threadId = message.alert ? `alert-${message.alert.id}` : null
  return {
    kind: 'delivered',
    statusCode: await sendMail(mail, { ...mailTexts(message, themes), to, messageId, threadId }),
  }
}

const failureSchema = z.object({ code: z.string().optional(), responseCode: z.number().optional() })

const smtpStatus = (error: unknown): number | null => failureSchema.safeParse(error).data?.responseCode ?? null

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused.',
  ECONNRESET: 'It closed the connection without a response.',
  ENOTFOUND: 'Unknown host name.',
  EAI_AGAIN: 'Its host name could not be resolved.',
  EHOSTUNREACH: 'Network unreachable.',
  ENETUNREACH: 'Network unreachable.',
  ETIMEDOUT: 'No response within 15 s.',
  ESOCKET: 'The mail server could not be reached.',
  EAUTH: 'The mail server rejected the user name or password.',
}

/** Why a try failed, in our words only: text from a receiver or its proxy may be meant for others. */
function reasonOf(error: unknown): string {
  if (error instanceof InvalidInputError) return error.message
  if (error instanceof Error && /^(AbortError|TimeoutError)$/.test(error.name)) return 'No response within 15 s.'
  const failure = failureSchema.safeParse(error).data
  if (failure?.responseCode !== undefined) return `The mail server responded with ${failure.responseCode}.`
  const code = failure?.code ?? null
  return code === null ? 'It could not be sent.' : (words[code] ?? `It could not be sent (${code}).`)
}
