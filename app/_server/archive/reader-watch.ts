import { Readable, pipeline } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Bytes } from '@/importers/importer'

/**
 * Knows whether the reader of a stream waits for bytes, and keeps waiting. A decoder that is told of a truncation
 * destroys what it still buffers, so it is told of the end only when the reader has had all of it.
 */
export function createReaderWatch() {
  let waiting = false
  let stopped = false
  let wake: () => void = () => undefined
  return {
    /** Every step of the reader goes through this. */
    async watch<T>(step: Promise<T>): Promise<T> {
      waiting = true
      wake()
      try {
        return await step
      } finally {
        waiting = false
      }
    },
    /**
     * Resolves when the reader has been waiting for some turns of the event loop while the decoder was idle, or has
     * stopped.
     */
    async untilHungry(isIdle: () => boolean = () => true): Promise<void> {
      for (let rounds = 0; rounds < 3 && !stopped; rounds = waiting && isIdle() ? rounds + 1 : 0) {
        if (waiting) await setImmediate()
        // A reader that never returns costs nothing.
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    /** The reader takes no more. */
    stop(): void {
      stopped = true
      wake()
    },
  }
}

/**
 * Sends bytes into a decoder, whose output the reader takes; it is told of their end when the reader has had all of it.
 * Returns their own error once they have failed: the decoder would report another one.
 */
export function feed(
  bytes: Bytes,
  decoder: NodeJS.WritableStream,
  reader: ReturnType<typeof createReaderWatch>,
  { isIdle, onChunk }: { isIdle?: () => boolean; onChunk?: (chunk: Uint8Array) => void } = {},
): { readonly error: unknown } {
  const source: { error: unknown } = { error: null }
  async function* fed(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of bytes) {
        onChunk?.(chunk)
        yield chunk
      }
      await reader.untilHungry(isIdle)
    } catch (error) {
      source.error = error
      throw error
    }
  }
  pipeline(Readable.from(fed(), { highWaterMark: 1 }), decoder, () => undefined) // errors come out of the decoder
  return source
}
