import { CsvFields } from '../text/csv-fields'
import { findByte, toFastBytes, viewOf } from '../text/fast-bytes'
import { padding, RowCarry } from '../text/row-carry'
import { RowFaults } from './row-faults'
import type { SampleReader } from './sample-file'

const lineFeed = 10
const carriageReturn = 13
/** A longer row has lost a quote. */
const maxRowBytes = 256 * 1024
const decoder = new TextDecoder()

/**
 * Reads CSV with a heading, chunk by chunk, row by row and without creating strings: everything that RFC 4180 allows,
 * including quoted fields over several lines. Memory: one row.
 */
export abstract class CsvRows implements SampleReader {
  readonly faults = new RowFaults()
  /** The heading was read. */
  hasHeading = false
  line = 1
  /** The fields of the last row. */
  protected readonly fields = new CsvFields()
  private readonly carry = new RowCarry()

  /** Why the last refused row cannot be read; null: not a row of the form. */
  protected reason: string | null = null

  /** `form`: as in "this is no …": `row of oha's CSV`. */
  constructor(
    private readonly form: string,
    private readonly separator = 44,
  ) {}

  /** The first row: the column names. False: not columns of this form. */
  protected abstract heading(names: readonly string[]): boolean

  /** A row; its fields are in `fields`. False: it cannot be read. */
  protected abstract row(bytes: Uint8Array, view: DataView, fields: CsvFields): boolean

  /**
   * Reads a row in place, before it is split into fields; a line feed and 32 readable bytes follow. Returns the
   * position of its line feed; −1: not plain, and nothing was counted. A quoted field is never plain. Absent: none is.
   */
  protected readPlain?(bytes: Uint8Array, view: DataView, at: number): number

  /** Whether a row without its line feed has all of its last field. */
  protected isWhole(_fields: CsvFields): boolean {
    return false
  }

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

  finish(): boolean {
    const { carry, fields } = this
    // Lines before it may wait for a closing quote.
    carry.drop(this.parse(carry.bytes, carry.view, 0, carry.size))
    if (carry.size === 0) return false
    const { bytes, view } = carry
    if (fields.split(bytes, 0, carry.size, this.separator) !== 'row') return true
    if (!this.hasHeading) return !this.readHeading(bytes)
    return !this.isWhole(fields) || !this.row(bytes, view, fields)
  }

  /** Reads rows; returns where the first incomplete one begins. */
  private parse(bytes: Uint8Array, view: DataView, from: number, end: number): number {
    const { fields, separator } = this
    const plainEnd = this.readPlain === undefined ? 0 : lastLineFeed(bytes, Math.min(end, bytes.length - padding))
    let at = from
    while (at < end) {
      const lineEnd = at < plainEnd ? (this.readPlain?.(bytes, view, at) ?? -1) : -1
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
        const isRead = found === 'row' && (this.hasHeading ? this.row(bytes, view, fields) : this.readHeading(bytes))
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
    this.hasHeading = this.heading(names)
    return this.hasHeading
  }

  private giveUp(): void {
    const { carry } = this
    this.addFault(carry.bytes, 0, carry.size)
    carry.drop(carry.size)
  }

  private addFault(bytes: Uint8Array, from: number, to: number): void {
    const text = decoder.decode(bytes.subarray(from, Math.min(to, from + 60))).replace(/[^\x20-\x7e]/g, '?')
    this.faults.add(`${this.reason ?? `this is no ${this.form}`}: ${text}`, { line: this.line })
  }
}

/** Position of the last line feed before `end`; 0: none. */
function lastLineFeed(bytes: Uint8Array, end: number): number {
  return end <= 0 ? 0 : Math.max(0, bytes.lastIndexOf(lineFeed, end - 1))
}
