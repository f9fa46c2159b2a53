const decoder = new TextDecoder()

/** Collects the bytes of one part of a file across chunks, unless it is too long. */
export class PartBuffer {
  private buffer = new Uint8Array(1_024)
  private size = 0
  private isTooLong = false

  constructor(private readonly maxBytes: number) {}

  /** Forgets what was collected. */
  clear(): this {
    this.size = 0
    this.isTooLong = false
    return this
  }

  /** Adds bytes `from`…`to`. */
  add(bytes: Uint8Array, from: number, to: number): void {
    const size = this.size + to - from
    if (size > this.maxBytes) {
      this.isTooLong = true
      return
    }
    if (size > this.buffer.length) {
      const larger = new Uint8Array(Math.min(this.maxBytes, Math.max(this.buffer.length * 2, size)))
      larger.set(this.buffer.subarray(0, this.size))
      this.buffer = larger
    }
    this.buffer.set(bytes.subarray(from, to), this.size)
    this.size = size
  }

  /** The collected text. Null: it was too long. */
  text(): string | null {
    return this.isTooLong ? null : decoder.decode(this.buffer.subarray(0, this.size))
  }

  /** The same plus these last bytes, which are not copied if there are no others. */
  take(bytes: Uint8Array, from: number, to: number): string | null {
    if (this.size === 0 && !this.isTooLong && to - from <= this.maxBytes)
      return decoder.decode(bytes.subarray(from, to))
    this.add(bytes, from, to)
    return this.text()
  }
}
