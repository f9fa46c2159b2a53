import { gzipSync } from 'node:zlib'

/** A file from an attacker. */
export interface Attack {
  readonly name: string
  make(): Uint8Array
  /** Request headers sent with it. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent in `npm test`; the others only in `npm run test:hostile`. */
  readonly isQuick?: boolean
  /** Seconds that refusing it may take; absent: 5. */
  readonly maxSeconds?: number
}

export const megabyte = 1024 ** 2

/** Concatenates the texts that `make` returns for 0, 1, 2 …, holding only one of them as a string at a time. */
export function many(count: number, make: (index: number) => string): Buffer {
  const parts: Buffer[] = []
  for (let from = 0; from < count; from += 1_000) {
    const texts: string[] = []
    for (let index = from; index < Math.min(count, from + 1_000); index++) texts.push(make(index))
    parts.push(Buffer.from(texts.join('')))
  }
  return Buffer.concat(parts)
}

/** Gzipped at a fast level: real attackers would send as little as possible. */
export const packed = (bytes: Uint8Array): Buffer => gzipSync(bytes, { level: 6 })

/** Non-repeating hexadecimal digits (xorshift32), the same each time: no compressor gets them below half. */
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
