import { toFastBytes, viewOf } from './fast-bytes'

/** Parsers may read this many bytes beyond the end of a row. */
export const padding = 32
const lineFeed = 10

/** A row torn by a chunk's end, until its rest arrives. */
export class RowCarry {
  bytes = toFastBytes(new Uint8Array(4_096))
  view = viewOf(this.bytes)
  size = 0

  append(bytes: Uint8Array, from: number, to: number): void {
    if (to <= from) return
    const needed = this.size + to - from + padding
    if (needed > this.bytes.length) {
      const larger = toFastBytes(new Uint8Array(Math.max(needed, this.bytes.length * 2)))
      larger.set(this.bytes.subarray(0, this.size))
      this.bytes = larger
      this.view = viewOf(larger)
    }
    this.bytes.set(bytes.subarray(from, to), this.size)
    this.size += to - from
  }

  /**
   * Completes the torn line, if any, from the beginning of a chunk; returns where the chunk goes on, −1: the line does
   * not end in it. Of a line of more than `maxBytes` only the beginning is kept: enough to see that it is not a row.
   */
  complete(chunk: Uint8Array, maxBytes: number): number {
    if (this.size === 0) return 0
    const lineEnd = chunk.indexOf(lineFeed)
    const to = lineEnd < 0 ? chunk.length : lineEnd + 1
    if (this.size < maxBytes) this.append(chunk, 0, to)
    else if (lineEnd >= 0) this.append(chunk, lineEnd, to)
    return lineEnd < 0 ? -1 : to
  }

  /** Drops the bytes already read. */
  drop(count: number): void {
    if (count >= this.size) this.size = 0
    else {
      this.bytes.copyWithin(0, count, this.size)
      this.size -= count
    }
  }
}
