import type { Line } from '../importer'

const title = /^= \S/
const blockAttributes = /^\[(?:source|listing|literal|console)?[^\]\s][^\]]{0,200}\]\s*$|^\[\]\s*$/
const sourceAttributes = /^\[(?:source|listing|literal)\b[^\]]{0,200}\]\s*$/
const section = /^(={1,6}) (\S.{0,500})$/
const listing = /^(?:-{4,}|\.{4,})\s*$/
const otherDelimiter = /^(?:={4,}|_{4,}|\*{4,}|\+{4,})\s*$/
/** No listing contains this many backticks. */
const fence = '```````'

/**
 * Makes a function that converts lines of AsciiDoc (https://docs.asciidoctor.org/asciidoc/latest/) to Markdown:
 * headings and delimited blocks; lines of any other text are unchanged. A document is recognised by its title or by a
 * block with an explicit style.
 */
export function createAsciiDocReader(): (line: Line) => Line {
  let isAsciiDoc: boolean | null = null
  let closing: string | null = null
  let language = ''
  return (line) => {
    const text = line.text.trimEnd()
    if (isAsciiDoc !== true) {
      // For nearly every line of another text, the first character is enough.
      const first = text.charCodeAt(0)
      if (Number.isNaN(first)) return line
      if (
        first === 0x3d
          ? isAsciiDoc === null && title.test(text) && !text.endsWith('=')
          : first === 0x5b && sourceAttributes.test(text)
      )
        isAsciiDoc = true
      else {
        isAsciiDoc = false
        return line
      }
    }
    if (closing !== null) {
      if (text !== closing) return line
      closing = null
      return { ...line, text: fence }
    }
    if (listing.test(text)) {
      closing = text
      const opened = `${fence}${language}`
      language = ''
      return { ...line, text: opened }
    }
    if (blockAttributes.test(text)) {
      language = /^\[(?:source)?,\s*([\w-]{1,20})/.exec(text)?.[1] ?? ''
      return { ...line, text: '' }
    }
    if (otherDelimiter.test(text)) return { ...line, text: '' }
    const [, marks, heading] = section.exec(text) ?? []
    return marks === undefined || heading === undefined
      ? line
      : { ...line, text: `${'#'.repeat(marks.length)} ${heading}` }
  }
}
