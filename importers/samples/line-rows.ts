import { readLatin1, toFastBytes, viewOf } from '../text/fast-bytes'
import { RowCarry } from '../text/row-carry'
import { RowFaults } from './row-faults'
import type { SampleReader } from './sample-file'

const lineFeed = 10
const carriageReturn = 13

/** Reads rows of one line each, chunk by chunk and without creating strings. Memory: one row. */
export abstract class LineRows implements SampleReader {
  readonly faults = new RowFaults()
  line = 1
  protected readonly carry = new RowCarry()

  /** `form`: as in "this is no …": `row of ghz's CSV`. `maxRowBytes`: a longer line is not a row. */
  constructor(
    private readonly form: string,
    private readonly maxRowBytes = 64 * 1024,
  ) {}

  /** Takes a row, a line without its end. False: it cannot be read. */
  protected abstract read(bytes: Uint8Array, view: DataView, from: number, to: number): boolean

  push(chunk: Uint8Array): void {
    const bytes = toFastBytes(chunk)
    const { carry } = this
    let at = carry.complete(bytes, this.maxRowBytes)
    if (at < 0) return
    if (carry.size > 0) this.parse(carry.bytes, carry.view, 0, carry.size)
    carry.size = 0
    at = this.parse(bytes, viewOf(bytes), at, bytes.length)
    carry.append(bytes, at, bytes.length)
  }

  /** A last line without its line feed is not read. */
  finish(): boolean {
    return this.carry.size > 0
  }

  private parse(bytes: Uint8Array, view: DataView, from: number, end: number): number {
    let at = from
    for (;;) {
      const lineEnd = bytes.indexOf(lineFeed, at)
      if (lineEnd < 0 || lineEnd >= end) return at
      const to = lineEnd > at && bytes[lineEnd - 1] === carriageReturn ? lineEnd - 1 : lineEnd
      if (to > at && !this.read(bytes, view, at, to)) this.addFault(bytes, at, to)
      this.line++
      at = lineEnd + 1
    }
  }

  private addFault(bytes: Uint8Array, from: number, to: number): void {
    const text = readLatin1(bytes, from, Math.min(to, from + 60))
    this.faults.add(`this is no ${this.form}: ${text.replace(/[^\x20-\x7e]/g, '?')}`, { line: this.line })
  }
}
