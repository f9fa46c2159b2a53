/**
 * Strings of JSON (RFC 8259, 7), JavaScript (ECMA-262, 12.9.4) and YAML (1.2.2, 7.3.1) with several lines: in double,
 * single or back quotes, with `\n` for each line feed; those of YAML may be folded.
 *
 *     "stdout": "\nSummary:\n  Total:\t0.2196 secs\n  Slowest:\t0.0315 secs\n"
 *     output: "\nSummary:\n  Total:\t0.2196 secs\n\
 *       \  Slowest:\t0.0315 secs\n"
 *
 * A line of HTML that holds several lines separated by `<br>` counts too.
 */
import { closingQuote, unescapeText } from '../../lib/escape'
import { countLineBreaks, readLineBreaks } from './html'
import type { Line } from '../importer'

/** The content of one string, and its place. */
export interface EscapedString {
  /** 1-based. */
  readonly lines: readonly [first: number, last: number]
  readonly text: string
}

/** Limit on the buffered strings of a text. */
const maxCharacters = 4 * 1024 * 1024
const maxStrings = 1_000
/** Limit on the examined text: a log of messages costs more than its lines. */
const maxExamined = 32 * 1024 * 1024
const maxFoldedLines = 2_000
/** An output has more lines than this; an error message may have as many. */
const leastLineFeeds = 3

const quotes = ['"', "'", '`'] as const

/** The contents of quotes of one kind, and what follows the last one if it closes nothing. */
function splitQuoted(
  text: string,
  quote: string,
): { readonly closed: readonly string[]; readonly open: string | null } {
  const closed: string[] = []
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at)) {
    const end = closingQuote(text, at + 1, quote)
    if (end < 0) return { closed, open: text.slice(at + 1) }
    closed.push(text.slice(at + 1, end))
    at = end + 1
  }
  return { closed, open: null }
}

/** Collects multi-line strings from the lines of a text that no block took. */
export class EscapedStrings {
  readonly found: EscapedString[] = []
  /** Line of the first string that was too much; null: all that may hold an output were buffered. */
  leftOutFrom: number | null = null
  private characters = 0
  private examined = 0
  private open: { text: string; readonly first: number; last: number } | null = null

  /** `mayHold`: whether a text may hold an output; most strings are ordinary messages. */
  constructor(private readonly mayHold: (text: string) => boolean) {}

  push({ text, number, tooLong }: Line): void {
    if (this.open !== null) {
      if (number === this.open.last + 1 && tooLong !== true && this.fold(text, number)) return
      this.open = null
    }
    if (tooLong === true) return
    if (countLineBreaks(text) >= leastLineFeeds) this.keep(text, number, number, readLineBreaks)
    // Nearly every line has none.
    if (!text.includes('\\n')) return
    for (const quote of quotes) {
      const { closed, open } = splitQuoted(text, quote)
      const strings = closed.filter(holdsLines)
      for (const content of strings) this.keep(content, number, number)
      if (quote === '"' && open !== null && holdsLines(open)) this.open = { text: open, first: number, last: number }
      if (strings.length > 0 || this.open !== null) return
    }
  }

  /** Ends the text: an open string was truncated, and its output may be too. */
  finish(): void {
    if (this.open !== null) this.keep(this.open.text, this.open.first, this.open.last)
    this.open = null
  }

  /**
   * Continues a YAML string: its line breaks are blanks, except those after a backslash. False: it does not continue.
   */
  private fold(text: string, number: number): boolean {
    const { open } = this
    if (open === null || number - open.first > maxFoldedLines || open.text.length > maxCharacters) return false
    const line = text.trimStart()
    const end = closingQuote(line, 0, '"')
    const part = end < 0 ? line : line.slice(0, end)
    open.text = endsEscaped(open.text) ? `${open.text.slice(0, -1)}${part}` : `${open.text.trimEnd()} ${part}`
    open.last = number
    if (end < 0) return true
    this.keep(open.text, open.first, number)
    this.open = null
    return true
  }

  private keep(content: string, first: number, last: number, read = unescapeText): void {
    if (this.leftOutFrom !== null) return
    this.examined += content.length
    if (this.examined > maxExamined) this.leftOutFrom = first
    if (this.leftOutFrom !== null) return
    const text = read(content)
    if (!this.mayHold(text)) return
    this.characters += content.length
    if (this.found.length >= maxStrings || this.characters > maxCharacters) this.leftOutFrom = first
    else this.found.push({ lines: [first, last], text })
  }
}

/** Whether the last backslash escapes what follows: on a line, its end. */
function endsEscaped(text: string): boolean {
  let backslashes = 0
  while (text[text.length - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

const holdsLines = (content: string): boolean => content.split('\\n', leastLineFeeds + 1).length > leastLineFeeds
