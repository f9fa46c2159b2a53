import type { Line } from '../importer'
import { createPrefixRemover } from '../text/line-prefix'
import { cleanText } from '../text/lines'

/** The role of a line in a text that may be a diff. */
export type DiffLine =
  | { readonly kind: 'line'; readonly line: Line }
  /** It locates what follows, or was removed: not a line of the document. */
  | { readonly kind: 'left-out' }
  /** The text before it does not continue here; `line`: the heading that names the file, or null. */
  | { readonly kind: 'part'; readonly line: Line | null }

/** What was removed, and therefore is not read. */
export interface RemovedLines {
  readonly count: number
  readonly first: number
  readonly last: number
}

const mayBegin = new Set([...'@+-d'].map((character) => character.charCodeAt(0)))
const command = /^diff --(?:git|cc|combined) \S/
const fileHeader =
  /^(?:index [\da-f]{4,64}\.\.|(?:old|new|deleted file|new file) mode \d|(?:dis)?similarity index \d|(?:rename|copy) (?:from|to) \S|Binary files .* differ$)/
const oldFile = /^--- (\S.*)$/
const newFile = /^\+\+\+ (\S.*)$/
const hunk = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/

/**
 * Converts a diff (https://git-scm.com/docs/diff-format, as printed by `git diff`, `git show` and `diff -u`) to the
 * resulting document: lines that were added or left unchanged. A hunk states how many lines it has, so a report's own
 * `---` is not taken for a mark. Lines of any other text are unchanged.
 */
export class DiffReader {
  private oldLeft = 0
  private newLeft = 0
  private isHeader = false
  /**
   * Whether nothing such as a mail carries the diff: then its lines are unchanged, and may contain a report's own
   * carrier.
   */
  private isBare = true
  private oldName: string | null = null
  private removedLines: RemovedLines | null = null
  private readonly withoutPrefix = createPrefixRemover()

  /** Null: no line was. */
  get removed(): RemovedLines | null {
    return this.removedLines
  }

  read(line: Line): DiffLine {
    if (this.oldLeft > 0 || this.newLeft > 0) {
      const inHunk = this.readHunkLine(line)
      if (inHunk !== null) return inHunk
      this.oldLeft = 0
      this.newLeft = 0
    }
    const asIs = { kind: 'line', line } as const
    if (!this.isHeader && this.oldName === null && !mayBegin.has(line.text.charCodeAt(0))) return asIs
    return this.readMark(line) ?? asIs
  }

  /** Null: the hunk ended before its count did. */
  private readHunkLine(line: Line): DiffLine | null {
    const { raw, number } = line
    const text = this.isBare ? cleanText(raw) : line.text
    const mark = text.charAt(0)
    if (mark === '\\') return { kind: 'left-out' }
    if (mark === '-' && this.oldLeft > 0) {
      this.oldLeft--
      const { count, first } = this.removedLines ?? { count: 0, first: number }
      this.removedLines = { count: count + 1, first, last: number }
      return { kind: 'left-out' }
    }
    // Editors strip trailing blanks, and with them an empty line's mark.
    if (this.newLeft === 0 || (mark !== '+' && mark !== ' ' && mark !== '')) return null
    this.newLeft--
    if (mark !== '+') this.oldLeft--
    const own = { text: this.withoutPrefix(text.slice(1)), raw: raw.startsWith(mark) ? raw.slice(mark.length) : raw }
    return { kind: 'line', line: { ...line, ...own } }
  }

  /** Null: not a mark of a diff. */
  private readMark(line: Line): DiffLine | null {
    const { text } = line
    const before = this.oldName
    this.oldName = null
    if (command.test(text)) {
      this.isHeader = true
      return { kind: 'left-out' }
    }
    const [, old] = oldFile.exec(text) ?? []
    if (old !== undefined) {
      this.oldName = old
      return this.isHeader ? { kind: 'left-out' } : null
    }
    const [, added] = newFile.exec(text) ?? []
    if (added !== undefined && before !== null) {
      this.isHeader = true
      const name = added.startsWith('/dev/null') ? before : added
      return { kind: 'part', line: { ...line, text: `=== ${fileName(name)} ===` } }
    }
    const [marks, oldCount = '1', newCount = '1'] = hunk.exec(text) ?? []
    if (marks !== undefined) {
      this.isHeader = false
      this.isBare = cleanText(line.raw) === text
      this.oldLeft = Number(oldCount)
      this.newLeft = Number(newCount)
      return { kind: 'part', line: null }
    }
    if (this.isHeader && fileHeader.test(text)) return { kind: 'left-out' }
    this.isHeader = false
    return null
  }
}

/** A path without git's `a/` and `b/`, without quotes, and without the time added by `diff -u`. */
function fileName(path: string): string {
  const [name = ''] = path.split('\t', 1)
  return name
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/^[ab]\//, '')
    .slice(0, 120)
}
