import { gzipSync } from 'node:zlib'

/** A file that a stranger sends. */
export interface Attack {
  readonly name: string
  make(): Uint8Array
  /** Request headers that come with it. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent in `npm test`; the others by `npm run test:hostile`. */
  readonly isQuick?: boolean
  /** How long it may take to be refused; absent: 5. */
  readonly maxSeconds?: number
}

export const megabyte = 1024 ** 2

/** The texts that `make` gives for 0, 1, 2 … one after the other; never more than one of them is held as a string of its own. */
export function many(count: number, make: (index: number) => string): Buffer {
  const parts: Buffer[] = []
  for (let from = 0; from < count; from += 1_000) {
    const texts: string[] = []
    for (let index = from; index < Math.min(count, from + 1_000); index++) texts.push(make(index))
    parts.push(Buffer.from(texts.join('')))
  }
  return Buffer.concat(parts)
}

/** Packed as gzip, quickly: what an attacker sends is as small as it needs to be. */
export const packed = (bytes: Uint8Array): Buffer => gzipSync(bytes, { level: 6 })

/** Hexadecimal digits that do not repeat (xorshift32), the same each time: no packer makes them less than half. */
export function noise(bytes: number): Buffer {
  const words = new Uint32Array(Math.ceil(bytes / 8))
  let state = 2463534242
  for (let at = 0; at < words.length; at++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    words[at] = state
  }
  return Buffer.from(Buffer.from(words.buffer).toString('hex').slice(0, bytes))
}
