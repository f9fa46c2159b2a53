/** Text escaped for use between tags, and for Slack's mrkdwn, which has the same three control characters. */
export const escapeText = (text: string): string =>
  text.replace(/[&<>]/g, (character) => entities[character] ?? character)

/** Text escaped for HTML, XML and SVG: between tags and in attributes in double quotes. */
export const escapeMarkup = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => entities[character] ?? character)

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapes = /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(.))/g
const escaped: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\u001b',
  '0': '',
  N: '\u0085',
  _: '\u00a0',
}

/** The text that a JSON, JavaScript or YAML string represents, given without its quotes. */
export function unescapeText(content: string): string {
  return content.replace(escapes, (_all, long?: string, unicode?: string, byte?: string, letter?: string) => {
    const code = long ?? unicode ?? byte
    if (code === undefined) return escaped[letter ?? ''] ?? letter ?? ''
    const point = Number.parseInt(code, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd'
  })
}

/** Position of the quote that closes a string whose content begins at `from`; −1: none. */
export function closingQuote(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === quote) return at
  }
  return -1
}
