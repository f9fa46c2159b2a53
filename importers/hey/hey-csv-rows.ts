import { CsvFields } from '../text/csv-fields'
import { areDigits, fourDigits } from '../text/digits'
import { largestNs } from '../samples/flat-histogram'
import { LineRows } from '../samples/line-rows'
import { double } from '../samples/running-stats'
import type { Samples } from '../samples/samples'
import { padding } from '../text/row-carry'

/** Nanoseconds per unit of the last of this many decimals of a second. */
const scales = [1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1]
/** Columns that are read, by hey's names. */
const columnNames = [
  'response-time',
  'status-code',
  'offset',
  'DNS+dialup',
  'DNS',
  'Request-write',
  'Response-delay',
  'Response-read',
]

/** Positions in `columnNames` of the columns in hey's order. */
const plainOrder = [0, 3, 4, 5, 6, 7, 1, 2]
/** A point, as a digit's value. */
const pointDigit = 46 - 48

/** Sum and extremes of a phase, ns. */
export interface PhaseSum {
  readonly name: string
  sum: number
  min: number
  max: number
}

/** Reads rows of hey's CSV chunk by chunk: commas and points, or semicolons and commas as written by spreadsheets. */
export class HeyCsvRows extends LineRows {
  readonly phases: PhaseSum[] = columnNames.slice(3).map((name) => ({
    name,
    sum: double(0),
    min: Infinity,
    max: double(0),
  }))
  /** The heading was read. */
  hasHeading = false
  /** When the last response ended, ns since hey's start. */
  endNs = double(0)
  private separator = 44
  private point = 46
  /** Position of each column in `columnNames`; −1: others. */
  private columns: readonly number[] = []
  /** The columns are in hey's order, separated by commas. */
  private isPlain = false
  private readonly values = new Float64Array(columnNames.length)
  private readonly decimals = new Int32Array(columnNames.length)
  private readonly fields = new CsvFields()

  constructor(private readonly samples: Samples) {
    super("row of hey's CSV")
  }

  override finish(): boolean {
    const { bytes, size } = this.carry
    if (size === 0) return false
    if (!this.hasHeading) return !this.readHeading(bytes, size)
    // hey prints four decimals; with all of them in the last column nothing is missing.
    if (!this.readRow(bytes, 0, size) || this.decimals[2] !== 4) return true
    this.count()
    return false
  }

  protected read(bytes: Uint8Array, view: DataView, from: number, to: number): boolean {
    if (!this.hasHeading) return this.readHeading(bytes.subarray(from, to), to - from)
    if (this.readPlain(bytes, view, from, to) || this.readRow(bytes, from, to)) this.count()
    else if (this.isBelowZero(bytes, from, to)) this.samples.negatives++
    else return false
    return true
  }

  /** False: not a heading of hey's. */
  private readHeading(bytes: Uint8Array, size: number): boolean {
    const text = String.fromCharCode(...bytes.subarray(0, Math.min(size, 1_000)))
    const separator = /^"?response-time"?([,;\t])/.exec(text)?.[1]
    if (separator === undefined) return false
    const names = text
      .trim()
      .split(separator)
      .map((name) => name.replace(/^"|"$/g, ''))
    if (!['response-time', 'status-code', 'offset'].every((name) => names.includes(name))) return false
    this.columns = names.map((name) => columnNames.indexOf(name))
    this.separator = separator.charCodeAt(0)
    this.isPlain = separator === ',' && this.columns.join() === plainOrder.join()
    // A decimal comma only occurs with another separator.
    this.point = 46
    this.hasHeading = true
    return true
  }

  /** Reads a row in hey's own format, four decimals per field, into `values`; false: another format. */
  private readPlain(bytes: Uint8Array, view: DataView, from: number, to: number): boolean {
    if (!this.isPlain || to + padding > bytes.length) return false
    const { values } = this
    let at = from
    for (let column = 0; column < plainOrder.length; column++) {
      const target = plainOrder[column] ?? 0
      const start = at
      let whole = 0
      let digit = (bytes[at] ?? 0) - 48
      while (digit >= 0 && digit <= 9) {
        whole = whole * 10 + digit
        digit = (bytes[++at] ?? 0) - 48
      }
      if (at === start || at - start > 5) return false
      if (target === 1) values[1] = whole
      else {
        const decimals = view.getInt32(at + 1, true)
        if (digit !== pointDigit || !areDigits(decimals)) return false
        values[target] = (whole * 10_000 + fourDigits(decimals)) * 100_000
        at += 5
      }
      if (column === plainOrder.length - 1) return at === to
      if (bytes[at++] !== 44) return false
    }
    return false
  }

  /** Reads one row into `values` (ns; the code unchanged). False: not a row. */
  private readRow(bytes: Uint8Array, from: number, to: number): boolean {
    const { columns, separator, values, decimals } = this
    let { point } = this
    let at = from
    for (let column = 0; column < columns.length; column++) {
      let value = 0
      let pointAt = -1
      const start = at
      for (; at < to; at++) {
        const byte = bytes[at] ?? 0
        const digit = byte - 48
        if (digit >= 0 && digit <= 9) value = value * 10 + digit
        else if (byte === separator) break
        else if (pointAt < 0 && at > start && byte === point) pointAt = at
        else if (pointAt < 0 && at > start && byte === 44) {
          pointAt = at
          point = 44
        } else return byte === 34 && this.readQuoted(bytes, from, to)
      }
      const places = pointAt < 0 ? 0 : at - pointAt - 1
      if (at === start || at - start > 15 || places > 9 || (pointAt >= 0 && places === 0)) return false
      if (at < to !== column < columns.length - 1) return false
      const target = columns[column] ?? -1
      if (target >= 0) {
        values[target] = target === 1 ? (places === 0 ? value : -1) : value * (scales[places] ?? 0)
        decimals[target] = places
      }
      at++
    }
    this.point = point
    return (values[1] ?? -1) >= 0 && (values[1] ?? 0) < 65_536 && (values[0] ?? 0) <= largestNs
  }

  /** A row with quoted numbers. */
  private readQuoted(bytes: Uint8Array, from: number, to: number): boolean {
    const { fields } = this
    if (to - from > 1_000 || fields.split(bytes, from, to, this.separator) !== 'row') return false
    const text = String.fromCharCode(this.separator)
    const parts = Array.from({ length: fields.count }, (_, index) =>
      String.fromCharCode(...bytes.subarray(fields.from[index] ?? 0, fields.to[index] ?? 0)),
    )
    if (parts.some((part) => !/^\d+(?:[.,]\d+)?$/.test(part))) return false
    const plain = new TextEncoder().encode(parts.map((part) => part.replace(',', '.')).join(text))
    return this.readRow(plain, 0, plain.length)
  }

  /** Whether it is a row of hey's except for a negative latency or offset. */
  private isBelowZero(bytes: Uint8Array, from: number, to: number): boolean {
    if (to - from > 1_000) return false
    const separator = String.fromCharCode(this.separator)
    const parts = String.fromCharCode(...bytes.subarray(from, to)).split(separator)
    const isNegative = (part: string, column: number) =>
      [0, 2].includes(this.columns[column] ?? -1) && part.startsWith('-')
    if (!parts.some(isNegative)) return false
    const plain = new TextEncoder().encode(parts.map((part) => part.replace(/^-/, '')).join(separator))
    return this.readRow(plain, 0, plain.length)
  }

  /** Counts the row in `values`. */
  private count(): void {
    const { values, phases } = this
    const ns = values[0] ?? 0
    const offset = values[2] ?? 0
    const seconds = Math.floor(offset / 1e9)
    const { samples } = this
    samples.write(seconds, offset - seconds * 1e9, ns, values[1] ?? 0, 0, -1)
    samples.cube?.setConnection(samples.lastRow, (values[3] ?? 0) > 0)
    if (offset + ns > this.endNs) this.endNs = offset + ns
    for (let index = 0; index < phases.length; index++) {
      const phase = phases[index]
      const value = values[index + 3] ?? 0
      if (phase === undefined) continue
      phase.sum += value
      if (value < phase.min) phase.min = value
      if (value > phase.max) phase.max = value
    }
  }
}
