import { toFastBytes } from '../text/fast-bytes'
import { RowCarry } from '../text/row-carry'
import { RowFaults } from './row-faults'

const lineFeed = 10
const carriageReturn = 13
/** A longer line is not a row. */
const maxRowBytes = 64 * 1024

/** Takes one row of a form, a line without its end. False: it cannot be read. */
export type LineRow = (bytes: Uint8Array, from: number, to: number) => boolean

/** Reads rows of one line each, chunk by chunk and without creating strings. Memory: one row. */
export class LineRows {
  readonly faults = new RowFaults()
  /** Line of the next row, 1-based. */
  line = 1
  private readonly carry = new RowCarry()

  constructor(
    private readonly row: LineRow,
    private readonly form: string,
  ) {}

  /** Takes the next bytes. */
  push(chunk: Uint8Array): void {
    const bytes = toFastBytes(chunk)
    const { carry } = this
    let at = 0
    if (carry.size > 0) {
      const lineEnd = bytes.indexOf(lineFeed)
      at = lineEnd < 0 ? bytes.length : lineEnd + 1
      // The beginning of an overlong line is enough to see that it is not a row.
      if (carry.size < maxRowBytes) carry.append(bytes, 0, at)
      else if (lineEnd >= 0) carry.append(bytes, lineEnd, at)
      if (lineEnd < 0) return
      this.parse(carry.bytes, 0, carry.size)
      carry.size = 0
    }
    at = this.parse(bytes, at, bytes.length)
    carry.append(bytes, at, bytes.length)
  }

  /** What follows the last line feed, which was not read. Empty: the file ends with a complete line. */
  rest(): Uint8Array {
    return this.carry.bytes.subarray(0, this.carry.size)
  }

  private parse(bytes: Uint8Array, from: number, end: number): number {
    let at = from
    for (;;) {
      const lineEnd = bytes.indexOf(lineFeed, at)
      if (lineEnd < 0 || lineEnd >= end) return at
      const to = lineEnd > at && bytes[lineEnd - 1] === carriageReturn ? lineEnd - 1 : lineEnd
      if (to > at && !this.row(bytes, at, to)) this.addFault(bytes, at, to)
      this.line++
      at = lineEnd + 1
    }
  }

  private addFault(bytes: Uint8Array, from: number, to: number): void {
    const text = String.fromCharCode(...bytes.subarray(from, Math.min(to, from + 60)))
    this.faults.add(`this is no row of ${this.form}: ${text.replace(/[^\x20-\x7e]/g, '?')}`, { line: this.line })
  }
}

/** The whole number of these digits; −1: not digits, or more than 16. */
export function readDigits(bytes: Uint8Array, from: number, to: number): number {
  if (to <= from || to - from > 16) return -1
  let value = 0
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] ?? 0) - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}
