import type { AlertMessage } from './alert-message'
import { plural } from './format'

/** Longest texts that Slack takes (api.slack.com/reference/block-kit/blocks). */
const slackHeader = 150
const slackSection = 3_000

/** Body of a webhook, as Standard Webhooks shapes it: type, timestamp, data. At most 16 kB. */
export function webhookBody(message: AlertMessage): string {
  const { what, at, ...data } = message
  return JSON.stringify({ type: what === 'test' ? 'test' : `alert.${what}`, timestamp: at, data })
}

/** Body for a Slack-compatible incoming webhook: blocks, and the text that notifications and older servers show. */
export function slackBody(message: AlertMessage): string {
  const lines = message.changes.slice(0, 5).map((change) => {
    const compare = `<${change.compareUrl}|Compare before and after>`
    return `*${slackText(change.words)}*\n${slackText(change.sure)}\n${compare} · <${change.firstRunUrl}|First run>`
  })
  if (message.events.length > 0) lines.push(message.events.map((event) => `• ${slackText(event)}`).join('\n'))
  const more = moreWords(message, 5)
  if (more !== null) lines.push(more)
  const link = message.what === 'test' ? 'Open the channels' : 'Open the alert'
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: clip(`${mark(message)} ${message.title}`, slackHeader) } },
    section(slackText(message.since)),
    ...lines.map(section),
    section(`<${message.url}|${link}>`),
    { type: 'context', elements: [{ type: 'mrkdwn', text: `Tailboard · ${slackText(message.project.name)}` }] },
  ]
  return JSON.stringify({ text: slackText(`${message.title}. ${message.since}`), blocks })
}

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text: clip(text, slackSection) } })

/** Slack's three control characters, escaped. */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const mark = (message: AlertMessage): string =>
  message.what === 'opened' ? '▲' : message.what === 'recovered' ? '✓' : '•'

export interface MailTexts {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Subject (one line), plain text and HTML of an e-mail. */
export function mailTexts(message: AlertMessage): MailTexts {
  const more = moreWords(message, message.changes.length)
  const text = [
    message.title,
    '',
    message.since,
    ...message.changes.flatMap((change) => ['', change.words, change.sure, `Compare: ${change.compareUrl}`]),
    ...(message.events.length === 0 ? [] : ['', ...message.events]),
    ...(more === null ? [] : ['', more]),
    '',
    message.url,
    '',
    `-- \nTailboard, project ${message.project.name}`,
  ].join('\n')
  return { subject: oneLine(`[Tailboard] ${message.title}`), text, html: mailHtml(message, more) }
}

const font = `font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`

function mailHtml(message: AlertMessage, more: string | null): string {
  const colour = message.what === 'opened' ? '#b3400a' : message.what === 'recovered' ? '#0b62a6' : '#57606a'
  const word = message.what === 'opened' ? 'Worse' : message.what === 'recovered' ? 'Recovered' : 'Test'
  const changes = message.changes.map(
    (change) => `
<tr><td style="padding:14px 0;border-top:1px solid #e3e6ea">
<div style="font-weight:600">${htmlText(change.words)}</div>
<div style="color:#57606a;padding:4px 0 8px">${htmlText(change.sure)}</div>
<a href="${htmlText(change.compareUrl)}" style="color:#0b62a6">Compare before and after</a>
&nbsp;·&nbsp;<a href="${htmlText(change.firstRunUrl)}" style="color:#0b62a6">First run of the new level</a>
</td></tr>`,
  )
  const events = message.events.map(
    (event) => `<tr><td style="padding:12px 0;border-top:1px solid #e3e6ea">${htmlText(event)}</td></tr>`,
  )
  const rest = more === null ? '' : `<tr><td style="padding:8px 0;color:#57606a">${htmlText(more)}</td></tr>`
  const link = message.what === 'test' ? 'Open the channels' : 'Open the alert'
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${htmlText(message.title)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f4f5f7;color:#1c2128;${font};font-size:15px;line-height:1.5">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:600px;margin:0 auto;background:#ffffff;border:1px solid #e3e6ea;border-radius:8px">
<tr><td style="padding:24px 28px 8px">
<div style="color:${colour};font-weight:600;font-size:13px">${word} · ${htmlText(message.project.name)}</div>
<h1 style="margin:6px 0 8px;font-size:19px;line-height:1.35">${htmlText(message.title)}</h1>
<p style="margin:0 0 16px">${htmlText(message.since)}</p>
<table role="presentation" width="100%" cellspacing="0" cellpadding="0">${changes.join('')}${events.join('')}${rest}
</table>
</td></tr>
<tr><td style="padding:8px 28px 24px"><a href="${htmlText(message.url)}" style="display:inline-block;padding:9px 16px;border-radius:6px;background:#1c2128;color:#ffffff;text-decoration:none;font-weight:600">${link}</a></td></tr>
<tr><td style="padding:14px 28px;border-top:1px solid #e3e6ea;color:#57606a;font-size:13px">Sent by Tailboard because this address is a channel of ${htmlText(message.project.name)}.</td></tr>
</table>
</body></html>
`
}

function moreWords(message: AlertMessage, shown: number): string | null {
  const count = Math.max(0, message.changes.length - shown) + message.moreChanges
  return count === 0 ? null : `And ${plural(count, 'more change')}.`
}

const htmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Without control characters and line ends, which would begin another header. */
const oneLine = (text: string): string => clip(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim(), 200)

const clip = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)
