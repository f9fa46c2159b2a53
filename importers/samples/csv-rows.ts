import { CsvFields } from '../text/csv-fields'
import { findByte, toFastBytes, viewOf } from '../text/fast-bytes'
import { padding, RowCarry } from '../text/row-carry'
import { RowFaults } from './row-faults'

const lineFeed = 10
const carriageReturn = 13
/** A longer row has lost a quote. */
const maxRowBytes = 256 * 1024
const decoder = new TextDecoder()

/** Takes the rows of one form. */
export interface CsvRowSink {
  /** The first row: the column names. False: not columns of this form. */
  heading(names: readonly string[]): boolean
  /**
   * Reads a row in place, before it is split into fields; a line feed and 32 readable bytes follow. Returns the
   * position of its line feed; −1: not plain, and nothing was counted. A quoted field is never plain.
   */
  readPlain?(bytes: Uint8Array, view: DataView, at: number): number
  /** A row; its fields are in `fields`. False: it cannot be read. */
  row(bytes: Uint8Array, view: DataView, fields: CsvFields): boolean
  /** Why the last refused row cannot be read; null or absent: not a row of the form. */
  readonly reason?: string | null
}

/**
 * Reads CSV with a heading, chunk by chunk, row by row and without creating strings: everything that RFC 4180 allows,
 * including quoted fields over several lines. Memory: one row.
 */
export class CsvRows {
  readonly faults = new RowFaults()
  /** The heading was read. */
  hasHeading = false
  /** Line of the next row, 1-based. */
  line = 1
  private readonly fields = new CsvFields()
  private readonly carry = new RowCarry()

  constructor(
    private readonly sink: CsvRowSink,
    private readonly form: string,
    private readonly separator = 44,
  ) {}

  /** Takes the next bytes. */
  push(chunk: Uint8Array): void {
    const bytes = toFastBytes(chunk)
    const { carry } = this
    let at = 0
    // A row torn by a chunk's end is read once its line is complete; a quoted one may need several.
    while (carry.size > 0 && at < bytes.length) {
      const lineEnd = bytes.indexOf(lineFeed, at)
      const to = lineEnd < 0 ? bytes.length : lineEnd + 1
      carry.append(bytes, at, to)
      at = to
      if (lineEnd < 0) break
      carry.drop(this.parse(carry.bytes, carry.view, 0, carry.size))
      if (carry.size > maxRowBytes) this.giveUp()
    }
    if (carry.size > 0) return
    at = this.parse(bytes, viewOf(bytes), at, bytes.length)
    carry.append(bytes, at, bytes.length)
  }

  /**
   * Reads the remaining bytes. True: the last row is incomplete, and was not read. `isWhole`: whether a row without its
   * line feed has all of its last field.
   */
  finish(isWhole: (bytes: Uint8Array, fields: CsvFields) => boolean): boolean {
    const { carry, fields, sink } = this
    // Lines before it may wait for a closing quote.
    carry.drop(this.parse(carry.bytes, carry.view, 0, carry.size))
    if (carry.size === 0) return false
    const { bytes, view } = carry
    if (fields.split(bytes, 0, carry.size, this.separator) !== 'row') return true
    if (!this.hasHeading) return !this.readHeading(bytes)
    return !isWhole(bytes, fields) || !sink.row(bytes, view, fields)
  }

  /** Reads rows; returns where the first incomplete one begins. */
  private parse(bytes: Uint8Array, view: DataView, from: number, end: number): number {
    const { fields, sink, separator } = this
    const plainEnd = sink.readPlain === undefined ? 0 : lastLineFeed(bytes, Math.min(end, bytes.length - padding))
    let at = from
    while (at < end) {
      const lineEnd = at < plainEnd ? (sink.readPlain?.(bytes, view, at) ?? -1) : -1
      if (lineEnd >= 0) {
        this.line++
        at = lineEnd + 1
        continue
      }
      const found = fields.split(bytes, at, end, separator)
      if (found === 'open' || fields.end >= end) return at
      const { end: to } = fields
      const isEmpty = to === at || (to === at + 1 && bytes[at] === carriageReturn)
      if (!isEmpty) {
        const isRead = found === 'row' && (this.hasHeading ? sink.row(bytes, view, fields) : this.readHeading(bytes))
        if (!isRead) this.addFault(bytes, at, to)
      }
      this.line++
      // A quoted text may continue on the next line.
      if (fields.hasQuotes)
        for (let feed = findByte(bytes, lineFeed, at, to); feed >= 0; feed = findByte(bytes, lineFeed, feed + 1, to))
          this.line++
      at = to + 1
    }
    return at
  }

  private readHeading(bytes: Uint8Array): boolean {
    const { fields } = this
    const names = Array.from({ length: fields.count }, (_, at) =>
      decoder.decode(bytes.subarray(fields.from[at] ?? 0, fields.to[at] ?? 0)),
    )
    this.hasHeading = this.sink.heading(names)
    return this.hasHeading
  }

  private giveUp(): void {
    const { carry } = this
    this.addFault(carry.bytes, 0, carry.size)
    carry.drop(carry.size)
  }

  private addFault(bytes: Uint8Array, from: number, to: number): void {
    const text = decoder.decode(bytes.subarray(from, Math.min(to, from + 60))).replace(/[^\x20-\x7e]/g, '?')
    const { reason } = this.sink
    this.faults.add(`${reason ?? `this is no row of ${this.form}`}: ${text}`, { line: this.line })
  }
}

/** Position of the last line feed before `end`; 0: none. */
function lastLineFeed(bytes: Uint8Array, end: number): number {
  return end <= 0 ? 0 : Math.max(0, bytes.lastIndexOf(lineFeed, end - 1))
}
