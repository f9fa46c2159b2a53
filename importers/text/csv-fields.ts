const comma = 44
const quote = 34
const lineFeed = 10
const carriageReturn = 13
/** Most fields distinguished in a row. */
const maxFields = 64
/** A position in `from` and `to` that no row fills: a column missing from the file is always empty. */
export const absentField = maxFields
/** A quoted field longer than this has lost its closing quote. */
const maxQuotedBytes = 65_536

/**
 * Fields of one row of CSV, by their positions: surrounding quotes are excluded, doubled ones inside stay doubled.
 */
export class CsvFields {
  count = 0
  /** At least one of them is quoted. */
  hasQuotes = false
  readonly from = new Int32Array(maxFields + 1)
  readonly to = new Int32Array(maxFields + 1)
  /** Position of the row's line feed, or the end of the bytes. */
  end = 0

  /**
   * Splits the row at `at`, by RFC 4180. `open`: the bytes end before the row does. `bad`: text after a closing quote,
   * a quote that is never closed, or more than 64 fields; then `end` is the end of the line.
   */
  split(bytes: Uint8Array, at: number, end: number, separator = comma): 'row' | 'open' | 'bad' {
    this.count = 0
    this.hasQuotes = false
    let position = at
    for (;;) {
      if (this.count === maxFields) return this.fail(bytes, at, end)
      if (position < end && bytes[position] === quote) {
        this.hasQuotes = true
        const closed = this.takeQuoted(bytes, position + 1, end)
        if (closed < 0) return position + maxQuotedBytes < end ? this.fail(bytes, at, end) : 'open'
        position = closed + 1
        if (position < end && bytes[position] === carriageReturn) {
          if (position + 1 === end) return 'open'
          if (bytes[position + 1] === lineFeed) position++
        }
        if (position >= end) return this.finish(end)
        if (bytes[position] === lineFeed) return this.finish(position)
        if (bytes[position] !== separator) return this.fail(bytes, at, end)
      } else {
        const start = position
        while (position < end && bytes[position] !== separator && bytes[position] !== lineFeed) position++
        this.take(start, position)
        if (position >= end) return this.finish(end)
        if (bytes[position] === lineFeed) {
          this.trimReturn(bytes)
          return this.finish(position)
        }
      }
      position++
    }
  }

  private take(from: number, to: number): void {
    this.from[this.count] = from
    this.to[this.count] = to
    this.count++
  }

  /** Position of the closing quote; −1: none. */
  private takeQuoted(bytes: Uint8Array, start: number, end: number): number {
    let at = bytes.indexOf(quote, start)
    for (; at >= 0 && at < end; at = bytes.indexOf(quote, at + 2)) {
      if (at - start > maxQuotedBytes) return -1
      if (at + 1 >= end || bytes[at + 1] !== quote) {
        this.take(start, at)
        return at
      }
    }
    return -1
  }

  private trimReturn(bytes: Uint8Array): void {
    const last = this.count - 1
    const to = this.to[last] ?? 0
    if (to > (this.from[last] ?? 0) && bytes[to - 1] === carriageReturn) this.to[last] = to - 1
  }

  private finish(end: number): 'row' {
    this.end = end
    return 'row'
  }

  private fail(bytes: Uint8Array, at: number, end: number): 'bad' {
    const lineEnd = bytes.indexOf(lineFeed, at)
    this.end = lineEnd < 0 || lineEnd > end ? end : lineEnd
    return 'bad'
  }
}
