/** A link of a text. `text` null: a bare address. */
export interface Link {
  readonly text: string | null
  readonly url: string
}

const markdownLink = /!?\[([^[\]]{0,500})\](?:\(([^()\s]{0,2000})(?:\s[^()]{0,500})?\)|\[[^[\]]{0,200}\])/g
const address = /https?:\/\/[^\s<>()[\]"'`|]+/g
const footnoteMark = /\[\^[^[\]\s]{1,50}\]/g
const strongMarks = /(\*\*\*|\*\*|__|~~)(?=\S)([^*~]{1,500}?)\1/g
const emphasisMarks = /(^|[^\w*])([*_])(?=\S)([^*_]{1,500})\2(?=$|[^\w*])/g
const tag = /<\/?[a-zA-Z][^<>]{0,200}>/g
const escaped = /\\([!-/:-@[-`{-~])/g
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** The text as seen on the rendered page: marks, footnotes and addresses of links removed, blanks collapsed. */
export function readPlainText(text: string): string {
  return (
    text
      .replace(footnoteMark, '')
      .replace(markdownLink, '$1')
      // A picture in a link.
      .replace(markdownLink, '$1')
      .replaceAll('`', '')
      .replace(strongMarks, '$2')
      .replace(emphasisMarks, '$1$3')
      .replace(tag, '')
      .replace(escaped, '$1')
      .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
      .replace(/\s+/g, ' ')
      .trim()
  )
}

/** The links of a text, both Markdown's and bare addresses, in order, each address once. */
export function listLinks(text: string): Link[] {
  if (!text.includes('](') && !text.includes('://')) return []
  const links = new Map<string, Link>()
  for (const [, label, url] of text.matchAll(markdownLink))
    if (url !== undefined && url !== '') links.set(url, { text: readPlainText(label ?? ''), url })
  for (const [found] of text.matchAll(address)) {
    const url = found.replace(/[.,;:!?]$/, '')
    if (!links.has(url)) links.set(url, { text: null, url })
  }
  return [...links.values()]
}

/** Whether the text is only links, pictures (also in links) and the blanks between them. */
export function isOnlyLinks(text: string): boolean {
  if (!/\]\(|:\/\//.test(text)) return false
  return text.replace(markdownLink, '').replace(markdownLink, '').replace(address, '').trim() === ''
}
