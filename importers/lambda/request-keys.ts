const dash = 0x2d
const uuidLength = 36

/** Value of a hex digit's byte; −1: none. */
const nibbles = new Int8Array(256).fill(-1)
for (let digit = 0; digit < 16; digit++) {
  const code = digit.toString(16).charCodeAt(0)
  nibbles[code] = digit
  if (digit > 9) nibbles[code - 32] = digit
}

/**
 * A request id as 64 bits, in two numbers that are overwritten by the next: no object and no string a line. UUIDs are
 * mixed down from their 128 bits, other texts hashed: two of 1,000,000 random ids fall together in 1 log of 37,000,000.
 */
export class RequestKey {
  high = 0
  low = 0
  private readonly scratch = new Uint8Array(uuidLength)

  /** Reads the UUID whose 36 bytes are at `at`; false when there is none. */
  readUuid(bytes: Uint8Array, at: number): boolean {
    if (bytes[at + 8] !== dash || bytes[at + 13] !== dash || bytes[at + 18] !== dash || bytes[at + 23] !== dash)
      return false
    const a = readHex(bytes, at)
    const b = readHex(bytes, at + 4)
    const c = readHex(bytes, at + 9)
    const d = readHex(bytes, at + 14)
    const e = readHex(bytes, at + 19)
    const f = readHex(bytes, at + 24)
    const g = readHex(bytes, at + 28)
    const h = readHex(bytes, at + 32)
    if ((a | b | c | d | e | f | g | h) < 0) return false
    this.mix((a << 16) | b, (c << 16) | d, (e << 16) | f, (g << 16) | h)
    return true
  }

  /** Reads an id of any form. */
  readText(id: string): void {
    const { scratch } = this
    if (id.length === uuidLength) {
      for (let index = 0; index < uuidLength; index++) scratch[index] = Math.min(255, id.charCodeAt(index))
      if (this.readUuid(scratch, 0)) return
    }
    let high = 0x811c9dc5
    let low = 0x9e3779b9
    // FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) in two lanes with different starts and primes.
    for (let index = 0; index < id.length; index++) {
      const code = id.charCodeAt(index)
      high = Math.imul(high ^ code, 0x01000193)
      low = Math.imul(low ^ code, 0x010001af)
    }
    this.set(finish(high), finish(low))
  }

  /** Two lanes over the same words, each one-to-one in any single word. */
  private mix(a: number, b: number, c: number, d: number): void {
    this.set(
      finish(turn(turn(turn(a, b, 0xcc9e2d51), c, 0x1b873593), d, 0x85ebca6b)),
      finish(turn(turn(turn(d, c, 0x9e3779b1), b, 0xc2b2ae35), a, 0x27d4eb2f)),
    )
  }

  private set(high: number, low: number): void {
    this.high = high >>> 0
    // All zeros marks a free place where ids are stored.
    this.low = high === 0 && low === 0 ? 1 : low >>> 0
  }
}

/** Four hex digits; negative when one is none. */
function readHex(bytes: Uint8Array, at: number): number {
  return (nibble(bytes, at) << 12) | (nibble(bytes, at + 1) << 8) | (nibble(bytes, at + 2) << 4) | nibble(bytes, at + 3)
}

function nibble(bytes: Uint8Array, at: number): number {
  return nibbles[bytes[at] ?? 0] ?? -1
}

function turn(hash: number, word: number, factor: number): number {
  const turned = Math.imul((hash << 13) | (hash >>> 19), 5) ^ Math.imul(word, factor)
  return turned ^ (turned >>> 15)
}

/** Murmur3's last step (https://github.com/aappleby/smhasher, fmix32): every bit of the word decides half of the others. */
function finish(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return twice ^ (twice >>> 16)
}
