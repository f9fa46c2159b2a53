import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { InvalidInputError } from '@/lib/errors'
import { channelKinds } from '@/lib/rules/stored-channels'
import { createChannel } from '@/prisma/queries/alerts/channels'
import type { Granted } from '@/prisma/queries/projects/projects'
import type { MadeChannel } from '../answers/alert-answers'
import { readChannelKey, seal } from './channel-seal'
import { mailAddressSchema } from './send-mail'
import { settings } from '../settings'
import { checkedAddresses, parseWebhookUrl } from './webhook-address'

/** A channel to make. */
export const channelSchema = z.strictObject({
  kind: z.enum(channelKinds),
  name: z.string().trim().min(1).max(200),
  target: z.string().trim().min(1).max(2_000),
})

/** What may be changed of a channel; absent fields stay. */
export const channelEditsSchema = z.strictObject({
  name: z.string().trim().min(1).max(200).optional(),
  isEnabled: z.boolean().optional(),
})

/** Makes a channel whose address may be reached. Throws InvalidInputError, NotFoundError, ConflictError. */
export async function makeChannel(
  project: Granted<'administer'>,
  wanted: z.infer<typeof channelSchema>,
): Promise<MadeChannel> {
  const { kind, name } = wanted
  const target = kind === 'email' ? checkedMail(wanted.target) : await checkedUrl(wanted.target)
  const secret = kind === 'webhook' ? `whsec_${randomBytes(32).toString('base64')}` : null
  const key = await readChannelKey(settings())
  const channel = await createChannel(project, {
    kind,
    name,
    targetShown: kind === 'email' ? target : new URL(target).host,
    target: seal(target, project.id, key),
    secret: secret === null ? null : seal(secret, project.id, key),
  })
  return { channel, secret }
}

function checkedMail(target: string): string {
  if (settings().mail === null) {
    const hint = 'Start Tailboard with TAILBOARD_SMTP_URL and TAILBOARD_MAIL_FROM.'
    throw new InvalidInputError('No mail server is configured.', { field: 'kind', hint })
  }
  const found = mailAddressSchema.safeParse(target)
  if (found.success) return found.data
  throw new InvalidInputError('Enter one e-mail address, like team@example.com.', { field: 'target' })
}

async function checkedUrl(target: string): Promise<string> {
  const policy = settings().webhooks
  const url = parseWebhookUrl(target, policy)
  try {
    await checkedAddresses(url, policy)
  } catch (error) {
    if (error instanceof InvalidInputError) throw error
    throw new InvalidInputError(`The host ${url.hostname} could not be resolved.`, { field: 'target' })
  }
  return url.href
}
