import type { Line } from '../importer'
import { createPrefixRemover } from '../text/line-prefix'
import { decodeEntities } from './copied-text'

const heading = /^\s{0,40}<h([1-6])(?:\s[^<>]{0,200})?>(.{1,500})<\/h[1-6]>\s*$/i
const opening = /^(\s{0,40})(?:<(?:pre|code|samp)(?:\s[^<>]{0,200})?>\s{0,20}){1,4}/i
const closing = /(?:<\/(?:pre|code|samp)>\s{0,20}){1,4}$/i
const lineBreak = /<br ?\/?>\s{0,20}$/i
const tag = /<\/?[a-z][^<>]{0,200}>/gi

const withoutTags = (text: string): string => decodeEntities(text.replace(tag, ''))

/**
 * Makes a function that converts lines of HTML to Markdown: headings, and the contents of `<pre>` and `<code>` or
 * before a `<br>` without these tags, without entities, and without what carried them into the page; lines of any other
 * text are unchanged.
 */
export function createHtmlReader(): (line: Line) => Line {
  let isInside = false
  const withoutPrefix = createPrefixRemover()
  const decoded = (line: Line, text: string): Line => ({ ...line, text: withoutPrefix(decodeEntities(text)) })
  return (line) => {
    const { text } = line
    // Nearly every line of another text has none.
    if (!text.includes('<')) return isInside ? decoded(line, text) : line
    const [, level, title] = heading.exec(text) ?? []
    if (level !== undefined && title !== undefined)
      return { ...line, text: `${'#'.repeat(Number(level))} ${withoutTags(title).trim()}` }
    const opens = opening.test(text)
    const broken = text.replace(lineBreak, '')
    if (!isInside && !opens && broken === text) return line
    const content = broken.replace(opening, '$1')
    const closed = content.trimEnd().replace(closing, '')
    if (opens) isInside = true
    if (closed !== content.trimEnd()) isInside = false
    return decoded(line, isInside ? content : closed)
  }
}

/** How many `<br>` a line has. */
export const countLineBreaks = (text: string): number =>
  text.includes('<') ? text.split(/<br ?\/?>/i, maxCounted).length - 1 : 0

const maxCounted = 10

/** An HTML line that holds several lines separated by `<br>`, split into these, without tags and entities. */
export function readLineBreaks(text: string): string {
  return text
    .split(/<br ?\/?>/i)
    .map(withoutTags)
    .join('\n')
}
