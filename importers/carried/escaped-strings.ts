/**
 * Strings of JSON (RFC 8259, 7), JavaScript (ECMA-262, 12.9.4) and YAML (1.2.2, 7.3.1) that hold several lines: in double,
 * single or back quotes, with `\n` for each line feed; those of YAML may be folded.
 *
 *     "stdout": "\nSummary:\n  Total:\t0.2196 secs\n  Slowest:\t0.0315 secs\n"
 *     output: "\nSummary:\n  Total:\t0.2196 secs\n\
 *       \  Slowest:\t0.0315 secs\n"
 */
import { unescapeText } from '../../lib/escape'
import type { Line } from '../importer'

/** What one string says, and where it stands. */
export interface EscapedString {
  /** 1-based. */
  readonly lines: readonly [first: number, last: number]
  readonly text: string
}

/** All that is kept of the strings of a text. */
const maxCharacters = 4 * 1024 * 1024
const maxStrings = 1_000
const maxFoldedLines = 2_000
/** An output has more lines than these; an error message may have as many. */
const leastLineFeeds = 3

const quoted = [/"((?:[^"\\]|\\.)*)"/g, /'((?:[^'\\]|\\.)*)'/g, /`((?:[^`\\]|\\.)*)`/g] as const
const openDouble = /^[^"]*(?:"(?:[^"\\]|\\.)*"[^"]*)*"((?:[^"\\]|\\.)*\\?)$/
const rest = /^((?:[^"\\]|\\.)*)(?:"|\\?$)/

/** Collects the strings of several lines from the lines of a text that nobody else reads. */
export class EscapedStrings {
  readonly found: EscapedString[] = []
  private characters = 0
  private open: { text: string; readonly first: number; last: number } | null = null

  push({ text, number, tooLong }: Line): void {
    if (this.open !== null) {
      if (number === this.open.last + 1 && tooLong !== true && this.fold(text, number)) return
      this.open = null
    }
    // Nearly every line has none.
    if (tooLong === true || !text.includes('\\n')) return
    for (const pattern of quoted) {
      const strings = [...text.matchAll(pattern)].map(([, content = '']) => content).filter(holdsLines)
      for (const content of strings) this.keep(content, number, number)
      if (strings.length > 0) return
    }
    const begun = openDouble.exec(text)?.[1]
    if (begun !== undefined && holdsLines(begun)) this.open = { text: begun, first: number, last: number }
  }

  /** The text is over: a string that is open was cut, and what it holds may be. */
  finish(): void {
    if (this.open !== null) this.keep(this.open.text, this.open.first, this.open.last)
    this.open = null
  }

  /** A string of YAML goes on: its line breaks are blanks, but for those behind a backslash. False: it does not. */
  private fold(text: string, number: number): boolean {
    const { open } = this
    if (open === null || number - open.first > maxFoldedLines || open.text.length > maxCharacters) return false
    const line = text.trimStart()
    const part = rest.exec(line)?.[1] ?? ''
    const isEscaped = /(?:^|[^\\])(?:\\\\)*\\$/.test(open.text)
    open.text = `${isEscaped ? open.text.slice(0, -1) : `${open.text.trimEnd()} `}${part}`
    open.last = number
    if (line.charAt(part.length) !== '"') {
      if (line.endsWith('\\') && !part.endsWith('\\')) open.text += '\\'
      return true
    }
    this.keep(open.text, open.first, number)
    this.open = null
    return true
  }

  private keep(content: string, first: number, last: number): void {
    this.characters += content.length
    if (this.found.length >= maxStrings || this.characters > maxCharacters) return
    this.found.push({ lines: [first, last], text: unescapeText(content) })
  }
}

const holdsLines = (content: string): boolean => content.split('\\n', leastLineFeeds + 1).length > leastLineFeeds
