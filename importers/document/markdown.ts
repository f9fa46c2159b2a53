import { copyText } from '../text/line-splitter'

/** The fence (code block) that a line is in. */
export interface Fence {
  /** 1-based line of the opening mark, which also identifies it. */
  readonly line: number
  /** What follows the mark, lower-case: `sh`, `text`, `json`; empty: nothing. */
  readonly language: string
}

/** A line of a document that belongs to no block. */
export interface DocumentLine {
  /** 1-based. */
  readonly number: number
  readonly text: string
  /** Null: outside of fences. */
  readonly fence: Fence | null
  /** It is the mark that opens or closes its fence. */
  readonly isFenceMark: boolean
}

const fenceMark = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?(`{3,}|~{3,})(.*)/

const outside = { fence: null, isFenceMark: false }

/** Makes a function that returns, line by line, the fence that a line is in. */
export function createFenceTracker(): (text: string, number: number) => Pick<DocumentLine, 'fence' | 'isFenceMark'> {
  let open: { readonly mark: string; readonly fence: Fence } | null = null
  let before = ''
  return (text, number) => {
    const above = before
    before = text
    // Hardly any line is a mark.
    if (!text.includes('```') && !text.includes('~~~'))
      return open === null ? outside : { fence: open.fence, isFenceMark: false }
    if (open === null && isTildeUnderline(text, above)) return outside
    const [, mark, rest = ''] = fenceMark.exec(text) ?? []
    if (open === null) {
      if (mark === undefined || (mark.startsWith('`') && rest.includes('`'))) return { fence: null, isFenceMark: false }
      const fence = { line: number, language: copyText(rest.trim().split(/\s/)[0]?.toLowerCase() ?? '') }
      open = { mark, fence }
      return { fence, isFenceMark: true }
    }
    const { fence } = open
    const closes = mark !== undefined && mark.startsWith(open.mark) && rest.trim() === ''
    if (closes) open = null
    return { fence, isFenceMark: closes }
  }
}

/** reStructuredText underlines a heading with at least as many characters as it has. */
const isTildeUnderline = (text: string, above: string): boolean =>
  /^~{4,}\s*$/.test(text) &&
  above.trim() !== '' &&
  !above.startsWith(' ') &&
  text.trimEnd().length >= above.trimEnd().length

/** A heading in a line. */
export interface HeadingMark {
  /** 1 is the title; 7 is a separator such as `=== name ===`. */
  readonly level: number
  /** With its inline marks. */
  readonly text: string
}

/** Reads `## heading`, and the separators of logs: `=== name ===`, `==> name <==`. Null for any other line. */
export function readHeadingMark(text: string): HeadingMark | null {
  const first = text.charCodeAt(0)
  if (first !== 0x23 && first !== 0x20 && first !== 0x3d) return null
  const [, marks, heading] = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(text) ?? []
  if (marks !== undefined && heading !== undefined) {
    const trimmed = heading.trimEnd().replace(/[ \t]#+$/, '')
    return { level: marks.length, text: trimmed.trimEnd() }
  }
  const separated = /^={2,10}>? (.{1,120}) <?={2,10}$/.exec(text.trimEnd())?.[1]?.trim()
  return separated === undefined || separated === '' ? null : { level: 7, text: separated }
}

const underlines: readonly RegExp[] = [/^=+$/, /^-+$/, /^~+$/, /^\^+$/, /^"+$/]

/**
 * Level of the heading that this line makes of the line above it: 1 for `===`, 2 for `---`; 3 to 5 for
 * reStructuredText's `~~~`, `^^^` and `"""`, which are as long as what they underline; else null.
 */
export function readUnderline(text: string, above: string): number | null {
  const line = text.trim()
  if (line.length < 3) return null
  const level = underlines.findIndex((marks) => marks.test(line)) + 1
  if (level === 0) return null
  return level < 3 || (text === text.trimStart() && line.length >= above.trimEnd().length) ? level : null
}

/** A list item in a line. `indent`: width of the blanks before its mark. */
export interface ItemMark {
  readonly indent: number
  readonly text: string
}

/** Reads `- item`, `* item`, `1. item`. Null for any other line. */
export function readItemMark(text: string): ItemMark | null {
  const [, blanks, item] = /^([ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+(\S.*)$/.exec(text) ?? []
  if (blanks === undefined || item === undefined || isRule(text)) return null
  return { indent: blanks.replaceAll('\t', '    ').length, text: item.trimEnd() }
}

/** `---`, `* * *`: a rule between parts. */
export function isRule(text: string): boolean {
  return /^(?:-{3,}|\*{3,}|_{3,})$/.test(text.replace(/[ \t]/g, ''))
}

/** The cells of a table row; null: not a row. */
export function readCells(text: string): string[] | null {
  const row = text.trim()
  if (!row.includes('|') || row.length > 10_000) return null
  return row
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}

/** `| --- | :-: |`: makes a table of the row above it. */
export function isTableDelimiter(text: string): boolean {
  const cells = readCells(text)
  return cells !== null && cells.every((cell) => /^:?-+:?$/.test(cell))
}
