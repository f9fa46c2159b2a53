import { areDigits, fourDigits, readDigits } from '../text/digits'
import { withoutNumber } from './jtl-parents'
import type { JtlRows } from './jtl-rows'
import { isOfTransaction, type JtlSample } from './jtl-sample'

const comma = 44
const quote = 34
const zero = 48
const lineFeed = 10
const carriageReturn = 13
const secondDigits = 10
const timeDigits = 13
/** Whole numbers of at most this many digits are small integers to V8. */
const smallDigits = 9

/** `,true,,` after the data type: served, and no failed assertion. */
const trueWord = 0x65757274
const twoCommas = 0x2c2c
/** `0,0` and a line feed. */
const twoZeros = 0x0a302c30
const fourCommas = 0x2c2c2c2c
const fourLineFeeds = 0x0a0a0a0a

/**
 * Reads rows in place in the shape of nearly all of JMeter's: its default columns, a time of thirteen digits, no
 * quotes, an HTTP code, served, no failed assertion, no hop. The general reader takes all other rows, and gives the
 * same for these.
 */
export class PlainJtlRows {
  // The last second read, as in the file.
  private second0 = -1
  private second1 = 0
  private second2 = 0
  private secondMs = 0
  private value = 0
  /** Ends of message, thread and data type. */
  private readonly ends = new Int32Array(3)
  /** Bytes, bytes sent, threads of the group, which are not used, and all threads. */
  private readonly numbers = new Int32Array(4)

  constructor(
    private readonly rows: JtlRows,
    private readonly sample: JtlSample,
  ) {}

  /**
   * Adds the row at `at`; its end is followed by readable bytes. Returns the position of its line feed; −1: not plain.
   */
  read(bytes: Uint8Array, view: DataView, at: number): number {
    const { sample, numbers, ends } = this
    if (!this.readTime(bytes, view, at)) return -1
    const labelFrom = this.readNumber(bytes, at + timeDigits + 1)
    if (labelFrom < 0) return -1
    sample.elapsedMs = this.value
    const labelTo = fieldEnd(bytes, view, labelFrom)
    if (labelTo <= labelFrom || withoutNumber(view, labelFrom, labelTo) >= 0) return -1
    const code = view.getInt32(labelTo + 1, true)
    if (!isThreeDigits(code) || bytes[labelTo + 1] === zero) return -1
    let place = labelTo + 5
    for (let column = 0; column < ends.length; column++) {
      const to = fieldEnd(bytes, view, place)
      if (to < 0) return -1
      ends[column] = to
      place = to + 1
    }
    const [messageTo = 0, threadTo = 0] = ends
    if (isOfTransaction(bytes, labelTo + 5, messageTo)) return -1
    if (view.getInt32(place, true) !== trueWord || view.getUint16(place + 4, true) !== twoCommas) return -1
    place += 6
    for (let column = 0; column < numbers.length; column++) {
      place = this.readNumber(bytes, place)
      if (place < 0) return -1
      numbers[column] = this.value
    }
    const urlTo = fieldEnd(bytes, view, place)
    if (urlTo < 0) return -1
    place = this.readNumber(bytes, urlTo + 1)
    if (place < 0) return -1
    sample.firstByteMs = this.value
    const end = this.readEnd(bytes, view, place)
    if (end < 0) return -1
    sample.connectMs = this.value
    sample.code = threeDigits(code)
    sample.isGood = true
    sample.bytesIn = numbers[0] ?? 0
    sample.bytesOut = numbers[1] ?? 0
    sample.threads = numbers[3] ?? 0
    sample.labelFrom = labelFrom
    sample.labelTo = labelTo
    sample.threadFrom = messageTo + 1
    sample.threadTo = threadTo
    if (sample.view !== view) sample.view = view
    this.rows.addRequest(sample)
    return end
  }

  /** Whether a time of thirteen digits and a comma follow: ten digits of seconds, three of milliseconds. */
  private readTime(bytes: Uint8Array, view: DataView, at: number): boolean {
    const second0 = view.getInt32(at, true)
    const second1 = view.getInt32(at + 4, true)
    const second2 = view.getUint16(at + 8, true)
    if (second0 !== this.second0 || second1 !== this.second1 || second2 !== this.second2) {
      const second = readDigits(bytes, at, at + secondDigits, secondDigits)
      if (second < 0) return false
      this.second0 = second0
      this.second1 = second1
      this.second2 = second2
      this.secondMs = second * 1e3
    }
    const rest = view.getInt32(at + secondDigits, true)
    if (!isThreeDigits(rest)) return false
    this.sample.startMs = this.secondMs + threeDigits(rest)
    return true
  }

  /**
   * Reads a whole number of up to nine digits and a comma into `value`; returns the next position, −1: there is none.
   */
  private readNumber(bytes: Uint8Array, from: number): number {
    const to = this.readDigitsFrom(bytes, from)
    return to > from && bytes[to] === comma ? to + 1 : -1
  }

  /** The same for the last column; returns the position of the line feed. */
  private readLast(bytes: Uint8Array, from: number): number {
    const to = this.readDigitsFrom(bytes, from)
    if (to === from) return -1
    if (bytes[to] === lineFeed) return to
    return bytes[to] === carriageReturn && bytes[to + 1] === lineFeed ? to + 1 : -1
  }

  /** Reads the last two columns, ignoring JMeter's idle time; returns the position of the line feed. */
  private readEnd(bytes: Uint8Array, view: DataView, from: number): number {
    // The values of a connection that was already open.
    if (view.getInt32(from, true) === twoZeros) {
      this.value = 0
      return from + 3
    }
    const last = this.readNumber(bytes, from)
    return last < 0 ? -1 : this.readLast(bytes, last)
  }

  private readDigitsFrom(bytes: Uint8Array, from: number): number {
    let place = from
    let value = 0
    let digit = (bytes[place] ?? 0) - 48
    while (digit >= 0 && digit <= 9 && place - from < smallDigits) {
      value = value * 10 + digit
      digit = (bytes[++place] ?? 0) - 48
    }
    this.value = value
    return place
  }
}

/** Four bytes are three digits and a comma. */
function isThreeDigits(word: number): boolean {
  return word >>> 24 === comma && areDigits((word & 0x00ffffff) | 0x30000000)
}

/** Value of the three digits. */
function threeDigits(word: number): number {
  return fourDigits(word & 0x00ffffff) / 10
}

/** Position of the comma after a field; −1: it begins with a quote, or the row ends in it. */
function fieldEnd(bytes: Uint8Array, view: DataView, from: number): number {
  if (bytes[from] === quote) return -1
  for (let place = from; ; place += 4) {
    const word = view.getInt32(place, true)
    const found = zeroBytes(word ^ fourCommas) | zeroBytes(word ^ fourLineFeeds)
    if (found === 0) continue
    const end = place + firstOf(found)
    return bytes[end] === comma ? end : -1
  }
}

/** The high bit of the first byte that is zero; bits of later bytes are meaningless. 0: none is. */
function zeroBytes(word: number): number {
  return (word - 0x01010101) & ~word & 0x80808080
}

/** Which of four bytes the lowest bit is in: 0…3. */
function firstOf(bits: number): number {
  return (32 - Math.clz32((bits - 1) & ~bits)) >> 3
}
