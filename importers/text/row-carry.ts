import { toFastBytes, viewOf } from './fast-bytes'

/** Parsers may read this many bytes beyond the end of a row. */
export const padding = 32

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

  /** Drops the bytes already read. */
  drop(count: number): void {
    if (count >= this.size) this.size = 0
    else {
      this.bytes.copyWithin(0, count, this.size)
      this.size -= count
    }
  }
}
