import type { Bytes } from '../importer'

const lineFeed = 10

/** Counts the lines of bytes passing through; a last one without a line feed counts, too. */
export class LineCount {
  private feeds = 0
  private isInLine = false

  /** Lines so far. */
  get count(): number {
    return this.feeds + (this.isInLine ? 1 : 0)
  }

  /** Yields the same bytes. */
  async *watch(bytes: Bytes): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.add(chunk)
      yield chunk
    }
  }

  private add(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    let feeds = 0
    // Faster than indexOf for short lines, as in pretty-printed JSON.
    for (let at = 0; at < chunk.length; at++) if (chunk[at] === lineFeed) feeds++
    this.feeds += feeds
    this.isInLine = chunk[chunk.length - 1] !== lineFeed
  }
}
