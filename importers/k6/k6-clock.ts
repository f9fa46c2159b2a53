import { readLatin1 } from '../text/fast-bytes'
import { readDigits } from '../text/digits'
import { readOffset, readSecond } from '../text/iso-time'

/** Digits of seconds since 1970, from 2001 to 2286. */
const secondDigits = 10

/**
 * Reads k6's times: RFC 3339 with up to nine decimals, or digits since 1970 in s, ms, µs or ns, recognised by their
 * count.
 */
export class K6Clock {
  seconds = 0
  nanos = 0
  /** Only whole seconds have been read so far. */
  isCoarse = true
  /** The last second read, as text and as number. */
  private text = ''
  private second = 0

  /** False: not a time. */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    return bytes[from + 4] === 45 ? this.readDate(bytes, from, to) : this.readUnix(bytes, from, to)
  }

  private readUnix(bytes: Uint8Array, from: number, to: number): boolean {
    const seconds = readDigits(bytes, from, Math.min(to, from + secondDigits), secondDigits)
    const places = to - from - secondDigits
    const rest = places <= 0 ? 0 : readDigits(bytes, from + secondDigits, to, 9)
    if (seconds < 0 || places < 0 || rest < 0) return false
    this.seconds = seconds
    this.nanos = rest * 10 ** (9 - places)
    if (places > 0) this.isCoarse = false
    return true
  }

  private readDate(bytes: Uint8Array, from: number, to: number): boolean {
    const text = readLatin1(bytes, from, from + 19)
    if (text !== this.text) {
      const second = readSecond(bytes, from)
      if (Number.isNaN(second)) return false
      this.text = text
      this.second = second
    }
    let at = from + 19
    let nanos = 0
    if (bytes[at] === 46) {
      const start = ++at
      while (at < to && (bytes[at] ?? 0) >= 48 && (bytes[at] ?? 0) <= 57) at++
      const digits = readDigits(bytes, start, at, 9)
      if (digits < 0) return false
      nanos = digits * 10 ** (9 - (at - start))
      this.isCoarse = false
    }
    const offset = bytes[at] === 90 && at + 1 === to ? 0 : readOffset(bytes, at)
    if (Number.isNaN(offset)) return false
    this.seconds = this.second - offset
    this.nanos = nanos
    return true
  }
}
