import type { AlertMessage } from './alert-message'
import { escapeMarkup, escapeText } from '../escape'
import { plural } from '../format'
import { resolve, type Themes } from '../theme'

/** Longest header that Slack accepts (docs.slack.dev/reference/block-kit/blocks/header-block). */
const slackHeader = 150
/** A section holds 3,000 characters: two of these with every character escaped as five, and two links of 400. */
const slackPart = 220

/** Body of a webhook in the form of Standard Webhooks: type, timestamp, data. At most 16 kB. */
export function webhookBody(message: AlertMessage): string {
  const { what, at, ...data } = message
  return JSON.stringify({ type: data.alert === null ? what : `alert.${what}`, timestamp: at, data })
}

/** Body for a Slack-compatible incoming webhook: blocks, and the text that notifications and older servers show. */
export function slackBody(message: AlertMessage): string {
  const lines = message.changes.slice(0, 5).map((change) => {
    const compare = `<${change.compareUrl}|Compare before and after>`
    const head = change.words === message.title ? '' : `*${slackText(change.words)}*\n`
    return `${head}${slackText(change.sure)}\n${compare} · <${change.firstRunUrl}|First run>`
  })
  for (const event of message.events.slice(0, 5).filter((one) => one !== message.title))
    lines.push(`• ${slackText(event)}`)
  const more = moreWords(message, 5, 5)
  if (more !== null) lines.push(more)
  const link = message.alert === null ? 'View channels' : 'View alert'
  const commit = commitUrlOf(message)
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: clip(`${mark(message)} ${message.title}`, slackHeader) } },
    section(`${slackText(message.since)}${commit === null ? '' : ` <${commit}|View commit>`}`),
    ...lines.map(section),
    section(`<${message.url}|${link}>`),
    { type: 'context', elements: [{ type: 'mrkdwn', text: `Tailboard · ${slackText(message.project.name)}` }] },
  ]
  return JSON.stringify({ text: slackText(`${message.title}. ${message.since}`, 3 * slackPart), blocks })
}

/** Messages stored by older versions have none. */
const commitUrlOf = ({ alert }: AlertMessage): string | null => alert?.commitUrl ?? null

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } })

/** Escapes Slack's three control characters after cutting the text, so that no escape or link is cut. */
const slackText = (text: string, most = slackPart): string => escapeText(clip(text, most))

const mark = (message: AlertMessage): string =>
  message.what === 'opened' ? '▲' : message.what === 'recovered' ? '✓' : '•'

export interface MailTexts {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Subject (one line), plain text and HTML of an e-mail, in the colours of `themes`. */
export function mailTexts(message: AlertMessage, themes: Themes): MailTexts {
  const more = moreWords(message, message.changes.length, message.events.length)
  const events = message.events.filter((event) => event !== message.title)
  const commit = commitUrlOf(message)
  const text = [
    message.title,
    '',
    message.since,
    ...(commit === null ? [] : [`Commit: ${commit}`]),
    ...message.changes.flatMap((change) => [
      '',
      ...(change.words === message.title ? [] : [change.words]),
      change.sure,
      `Compare: ${change.compareUrl}`,
    ]),
    ...(events.length === 0 ? [] : ['', ...events]),
    ...(more === null ? [] : ['', more]),
    '',
    message.url,
    '',
    `-- \nTailboard, project ${message.project.name}`,
  ].join('\n')
  return { subject: oneLine(`[Tailboard] ${message.title}`), text, html: mailHtml(message, more, themes) }
}

const font = `font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`

/** Clients that support dark mode follow it; the others show the light colours in the attributes. */
function darkSheet(themes: Themes): string {
  const color = resolve(themes.dark)
  const own = (name: string) => `color:${color(`var(--${name})`)}!important`
  const [ground, sheet, line] = [color('var(--desk)'), color('var(--bg)'), color('var(--line)')]
  return `@media (prefers-color-scheme:dark){
.page{background:${ground}!important;${own('text')}}.sheet{background:${sheet}!important;border-color:${line}!important}
.row{border-color:${line}!important}.quiet{${own('muted')}}.link{${own('accent-text')}}
.opened{${own('worse')}}.recovered{${own('better')}}.button{background:${color('var(--text)')}!important;${own('bg')}}}
@media (max-width:480px){.pad{padding-left:18px!important;padding-right:18px!important}}`
}

/** By kind of message: its word, its colour token in light, and the class that has it in dark. */
const kinds: Readonly<
  Record<AlertMessage['what'], { readonly word: string; readonly className: string; readonly token: string }>
> = {
  opened: { word: 'New alert', className: 'opened', token: 'worse' },
  recovered: { word: 'Recovered', className: 'recovered', token: 'better' },
  test: { word: 'Test', className: 'quiet', token: 'muted' },
  'channel-off': { word: 'Channel disabled', className: 'opened', token: 'worse' },
}

function mailHtml(message: AlertMessage, more: string | null, themes: Themes): string {
  const { word, className, token } = kinds[message.what]
  const light = (name: string) => resolve(themes.light)(`var(--${name})`)
  const link = (url: string, text: string) =>
    `<a class="link" href="${escapeMarkup(url)}" style="color:${light('accent-text')};white-space:nowrap">${text}</a>`
  const changes = message.changes.map(
    (change) => `
<tr><td class="row" style="padding:14px 0;border-top:1px solid ${light('line')}">${change.words === message.title ? '' : `\n<div style="font-weight:600">${escapeMarkup(change.words)}</div>`}
<div class="quiet" style="color:${light('muted')};padding:4px 0 8px">${escapeMarkup(change.sure)}</div>
${link(change.compareUrl, 'Compare before and after')} &nbsp;·&nbsp; ${link(change.firstRunUrl, 'First run of the new level')}
</td></tr>`,
  )
  // What the title already states is not repeated below it.
  const others = message.events.filter((event) => event !== message.title)
  const events = others.map(
    (event) => `
<tr><td class="row" style="padding:12px 0;border-top:1px solid ${light('line')}">${escapeMarkup(event)}</td></tr>`,
  )
  const rest =
    more === null
      ? ''
      : `\n<tr><td class="quiet" style="padding:8px 0;color:${light('muted')}">${escapeMarkup(more)}</td></tr>`
  const open = message.alert === null ? 'View channels' : 'View alert'
  const commit = commitUrlOf(message)
  const { title, project } = message
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeMarkup(title)}</title><style>${darkSheet(themes)}</style></head>
<body class="page" style="margin:0;padding:24px 12px;background:${light('desk')};color:${light('text')};${font};font-size:15px;line-height:1.5;overflow-wrap:anywhere">
<table class="sheet" role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:600px;margin:0 auto;background:${light('bg')};border:1px solid ${light('line')};border-radius:8px">
<tr><td class="pad" style="padding:24px 28px 8px">
<div class="${className}" style="color:${light(token)};font-weight:600;font-size:13px">${word} · ${escapeMarkup(project.name)}</div>
<h1 style="margin:6px 0 8px;font-size:19px;line-height:1.35">${escapeMarkup(title)}</h1>
<p style="margin:0 0 16px">${escapeMarkup(message.since)}${commit === null ? '' : ` ${link(commit, 'View commit')}`}</p>
<table role="presentation" width="100%" cellspacing="0" cellpadding="0">${changes.join('')}${events.join('')}${rest}
</table>
</td></tr>
<tr><td class="pad" style="padding:8px 28px 24px"><a class="button" href="${escapeMarkup(message.url)}" style="display:inline-block;padding:9px 16px;border-radius:6px;background:${light('text')};color:${light('bg')};text-decoration:none;font-weight:600">${open}</a></td></tr>
<tr><td class="pad row quiet" style="padding:14px 28px;border-top:1px solid ${light('line')};color:${light('muted')};font-size:13px">Sent by Tailboard because this address is a notification channel of ${escapeMarkup(project.name)}.</td></tr>
</table>
</body></html>
`
}

function moreWords(message: AlertMessage, changes: number, events: number): string | null {
  const left = Math.max(0, message.changes.length - changes) + Math.max(0, message.events.length - events)
  const count = left + message.moreChanges
  return count === 0 ? null : `And ${plural(count, 'more change')}.`
}

/** Without control characters and line breaks, which would start another header. */
const oneLine = (text: string): string => clip(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim(), 200)

/** Never cuts between the halves of a surrogate pair. */
const clip = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text
