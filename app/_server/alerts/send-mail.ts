import { createTransport } from 'nodemailer'
import { z } from 'zod'
import type { MailTexts } from '@/lib/rules/message-forms'
import type { Settings } from '../settings'
import { tryLimitMs } from './post-webhook'

/** One bare address: no name, no list, no comment. */
export const mailAddressSchema = z.email('must be one address like team@example.com').max(254)

interface Mail extends MailTexts {
  readonly to: string
  readonly messageId: string
  /** Mails with the same id form one thread in the reader's list; null: no thread. */
  readonly threadId: string | null
}

/**
 * Passes one mail to the server of TAILBOARD_SMTP_URL and returns the status of its reply. Throws when it is not
 * accepted for its one recipient.
 */
export async function sendMail(settings: NonNullable<Settings['mail']>, mail: Mail): Promise<number | null> {
  const domain = settings.from.split('@').at(-1) ?? 'tailboard.invalid'
  const transport = createTransport({
    url: settings.smtpUrl,
    connectionTimeout: tryLimitMs,
    greetingTimeout: tryLimitMs,
    socketTimeout: tryLimitMs,
    dnsTimeout: tryLimitMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    const sent: unknown = await transport.sendMail({
      from: { name: 'Tailboard', address: settings.from },
      to: { name: '', address: mailAddressSchema.parse(mail.to) },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      messageId: `<${mail.messageId}@${domain}>`,
      ...(mail.threadId === null ? {} : { references: `<${mail.threadId}@${domain}>` }),
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    const { response } = z.object({ response: z.string() }).parse(sent)
    const status = /^\d{3}/.exec(response)?.[0]
    return status === undefined ? null : Number(status)
  } finally {
    transport.close()
  }
}
