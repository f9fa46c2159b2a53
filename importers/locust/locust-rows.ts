/** A table's first line without its blanks; for percentiles their list precedes the last word. */
const tableHead = 'TypeName#reqs#fails|AvgMinMaxMed|req/sfailures/s'
/** The same for version 1: its rows have the method before the name. */
const earlyHead = 'Name#reqs#fails|AvgMinMaxMedian|req/sfailures/s'
const percentHead = /^TypeName((?:[\d.]{1,6}%){3,20})#reqs$/
const headStart = /^\s{0,20}Type\s{1,20}Name(?:\s|$)/
const anyHeadStart = /^\s{0,20}(?:Type\s{1,20})?Name(?:\s|$)/
const rulePart = /^[-|]{1,400}\s*$/
const ruleStart = /^\s{0,20}-{4,}\|-/
/** A narrower console would break a row into more pieces than anyone copies. */
const maxPieces = 12

/** The table that a line begins, wholly or in part. */
export type LocustHead =
  { readonly kind: 'table' } | { readonly kind: 'percentiles'; readonly percents: readonly string[] }

/** Reads the first line of a table, whatever its blanks. Null: not one, or only the beginning of one. */
export function readHead(text: string): LocustHead | null {
  if (!anyHeadStart.test(text) || text.length > 1_000) return null
  const plain = text.replace(/\s+/g, '')
  if (plain === tableHead || plain === earlyHead) return { kind: 'table' }
  const [, list] = percentHead.exec(plain) ?? []
  return list === undefined ? null : { kind: 'percentiles', percents: list.split('%').slice(0, -1) }
}

/** Whether a line is a table's first line, or may be the beginning of a wrapped one. */
export const mayBeginHead = (text: string): boolean =>
  readHead(text)?.kind === 'table' ||
  (headStart.test(text) && text.length <= 400 && tableHead.startsWith(text.replace(/\s+/g, '')))

/**
 * Reassembles the rows of Locust's tables that a console wrapped at its width, hard or between words. The rule below a
 * table's first line has no blanks, so its pieces give the width of the console and the length of each row.
 */
export class LocustRows {
  /** Columns of the console; null: this table is not wrapped. */
  widthColumns: number | null = null
  /** The pieces of a row of all requests could not be joined. */
  hasTornTotal = false
  private state: 'outside' | 'head' | 'rule' | 'rows' = 'outside'
  private rowLength = 0
  private rowPieces = 0
  private pieces: string[] = []

  /** `isRow`: whether a text is a complete row of the current table. */
  constructor(private readonly isRow: (text: string) => boolean) {}

  /** Whether a row is being assembled. */
  get isWaiting(): boolean {
    return this.pieces.length > 0
  }

  /** What a line completes: rows, and lines that are not pieces of any. */
  push(text: string): string[] {
    if (this.state === 'rule' && !(rulePart.test(text) && this.pieces.at(-1)?.length === this.widthColumns)) {
      const rule = this.takeRule()
      return [rule, ...this.push(text)]
    }
    switch (this.state) {
      case 'rule':
        this.pieces.push(text.trimEnd())
        return []
      case 'head':
        return this.pushHead(text)
      case 'rows':
        return this.pushRow(text)
      case 'outside':
        return this.pushOutside(text)
    }
  }

  /** The last row of a table was read. */
  close(): void {
    this.state = 'outside'
  }

  /** The remaining pieces. */
  takeRest(): string[] {
    const rest = this.pieces
    this.pieces = []
    this.state = 'outside'
    return rest
  }

  private takeRule(): string {
    const half = this.pieces.length / 2
    const rule = this.pieces.join('')
    // A table without names has two rules, one below the other.
    const isTwice = Number.isInteger(half) && this.pieces.slice(0, half).join('') === this.pieces.slice(half).join('')
    this.state = 'rows'
    this.rowPieces = isTwice ? half : this.pieces.length
    this.rowLength = isTwice ? rule.length / 2 : rule.length
    this.pieces = []
    return rule
  }

  private pushOutside(text: string): string[] {
    if (readHead(text) !== null) {
      this.widthColumns = null
      return [text]
    }
    if (!headStart.test(text)) return [text]
    this.widthColumns = null
    this.pieces = [text]
    this.state = 'head'
    return []
  }

  private pushHead(text: string): string[] {
    if (ruleStart.test(text) || this.pieces.length >= maxPieces) return [...this.takeRest(), text]
    this.pieces.push(text)
    const head = this.pieces.join(' ')
    if (readHead(head) === null) return []
    this.pieces = []
    this.state = 'rows'
    this.rowPieces = 0
    return [head]
  }

  private pushRow(text: string): string[] {
    if (this.pieces.length === 0) {
      // The rule directly below the head.
      if (ruleStart.test(text) && this.rowPieces === 0) {
        this.widthColumns = text.trimEnd().length
        this.pieces = [text.trimEnd()]
        this.state = 'rule'
        return []
      }
      if (text.trim() === '' || rulePart.test(text) || this.rowPieces === 0) return [text]
    }
    this.pieces.push(text)
    const row = this.joinHard() ?? this.joinWords()
    if (row !== null) {
      this.pieces = []
      return [row]
    }
    // Wrapping between words takes more lines than hard wrapping.
    if (this.pieces.length < this.rowPieces * 2) return []
    const [first = '', ...others] = this.pieces
    if (/^\s*(?:Aggregated|Total)\b/.test(first)) this.hasTornTotal = true
    this.pieces = []
    return [first, ...others.flatMap((piece) => this.push(piece))]
  }

  /** Wrapped at the width, whatever was there; blanks at a piece's end may be lost. */
  private joinHard(): string | null {
    const { pieces, widthColumns, rowLength } = this
    if (pieces.length !== this.rowPieces || widthColumns === null) return null
    const row = pieces
      .map((piece) => piece.padEnd(widthColumns))
      .join('')
      .trimEnd()
    return row.length === rowLength && this.isRow(row) ? row : null
  }

  /** Wrapped between words: no piece ends at the width within what may be one figure. */
  private joinWords(): string | null {
    const { pieces, widthColumns } = this
    const width = widthColumns ?? 0
    const areWords = pieces.every((piece, at) => {
      const next = pieces[at + 1]
      if (next === undefined) return piece.length < width || pieces.length >= this.rowPieces
      return piece.length < width || /\s$/.test(piece) || /^\s/.test(next)
    })
    const row = pieces.map((piece, at) => (at === 0 ? piece.trimEnd() : piece.trim())).join(' ')
    return areWords && this.isRow(row) ? row : null
  }
}
