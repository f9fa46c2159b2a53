import { areDigits, fourDigits, readDigits } from '../text/digits'
import { readOffset, readSecond } from '../text/iso-time'
import { padding } from '../text/row-carry'
import { double } from '../samples/running-stats'
import type { SampleBatch } from '../rows/sample-batch'
import type { Samples } from '../samples/samples'
import type { HeaderFigures } from '../headers/header-figures'
import { readJsonHeaders } from '../headers/header-search'

const comma = 44
const quote = 34

/** Four characters as the number that `getInt32` reads. */
function word(text: string): number {
  return text.charCodeAt(0) | (text.charCodeAt(1) << 8) | (text.charCodeAt(2) << 16) | (text.charCodeAt(3) << 24)
}

// The keys as vegeta writes them, in words of four characters; the last word overlaps the previous one.
const attack0 = word('{"at')
const attack1 = word('tack')
const attack2 = word('k":"')
const seq0 = word(',"se')
const seq1 = word('eq":')
const code0 = word(',"co')
const code1 = word('de":')
const time0 = word(',"ti')
const time1 = word('mest')
const time2 = word('amp"')
const time3 = word('p":"')
const latency0 = word('","l')
const latency1 = word('aten')
const latency2 = word('cy":')
const out0 = word(',"by')
const out1 = word('tes_')
const out2 = word('out"')
const out3 = word('ut":')
const in2 = word('in":')
const error0 = word(',"er')
const error1 = word('ror"')
const error2 = word('r":"')
const body0 = word(',"bo')
const body1 = word('dy":')
const null0 = word('null')
const method0 = word(',"me')
const method1 = word('thod')
const method2 = word('d":"')
const url0 = word('","u')
const url1 = word('rl":')

/** Whole numbers of at most this many digits are exact. */
const maxDigits = 15

/**
 * Reads lines in vegeta's own layout in place, checking each key at its expected position. One call per line, so that
 * V8 compiles its functions once; a loop over lines would be compiled while it runs and again for the next chunk.
 * Functions that read a part return the position after it, or −1: another layout.
 */
export class PlainJsonRows {
  // The last second read, as in the file.
  private time0 = 0
  private time1 = 0
  private time2 = 0
  private time3 = 0
  private time4 = 0
  private second = 0
  // The line being read: its figures, and where its texts are.
  private sequence = double(0)
  private code = 0
  private nano = 0
  /** Seconds east of UTC. */
  private offset = 0
  private latencyNs = double(0)
  private bytesOut = double(0)
  private bytesIn = double(0)
  private attackFrom = 0
  private attackTo = 0
  private errorFrom = 0
  private errorTo = 0
  private methodFrom = 0

  constructor(
    private readonly samples: Samples,
    private readonly batch: SampleBatch,
    private readonly headers: HeaderFigures,
  ) {}

  /** Adds the line at `at`…`lineEnd`; false if it has another layout. The batch has room. */
  read(bytes: Uint8Array, view: DataView, at: number, lineEnd: number): boolean {
    // The shortest complete line has more than 150 bytes.
    if (lineEnd - at < 150 || lineEnd + padding > bytes.length) return false
    let place = this.readAttack(bytes, view, at, lineEnd)
    if (place < 0) return false
    place = this.readTime(bytes, view, place)
    if (place < 0) return false
    place = this.readSizes(bytes, view, place)
    if (place < 0) return false
    place = this.readTexts(bytes, view, place, lineEnd)
    if (place < 0) return false
    const urlTo = bytes.indexOf(quote, place)
    if (urlTo < 0 || urlTo >= lineEnd || bytes[urlTo - 1] === 92) return false
    if (!endsRow(bytes, urlTo + 1, lineEnd)) return false
    this.add(bytes, view, urlTo)
    const headersAt = urlTo + 12
    if (headersAt < lineEnd && bytes[headersAt] === 123) readJsonHeaders(this.headers, bytes, view, headersAt, lineEnd)
    return true
  }

  /** `{"attack":"…","seq":…,"code":…` */
  private readAttack(bytes: Uint8Array, view: DataView, at: number, lineEnd: number): number {
    if (view.getInt32(at, true) !== attack0 || view.getInt32(at + 4, true) !== attack1) return -1
    if (view.getInt32(at + 7, true) !== attack2) return -1
    const attackFrom = at + 11
    let place = attackFrom
    if (bytes[place] !== quote) {
      place = bytes.indexOf(quote, place)
      if (place < 0 || place > lineEnd || hasBackslash(bytes, attackFrom, place)) return -1
    }
    this.attackFrom = attackFrom
    this.attackTo = place
    place++
    if (view.getInt32(place, true) !== seq0 || view.getInt32(place + 3, true) !== seq1) return -1
    place += 7
    let start = place
    let digit = (bytes[place] ?? 0) - 48
    let sequence = 0
    while (digit >= 0 && digit <= 9) {
      sequence = sequence * 10 + digit
      digit = (bytes[++place] ?? 0) - 48
    }
    if (place === start) return -1
    this.sequence = sequence
    if (view.getInt32(place, true) !== code0 || view.getInt32(place + 4, true) !== code1) return -1
    place += 8
    start = place
    digit = (bytes[place] ?? 0) - 48
    let code = 0
    while (digit >= 0 && digit <= 9) {
      code = code * 10 + digit
      digit = (bytes[++place] ?? 0) - 48
    }
    this.code = code
    return place === start || place - start > 3 ? -1 : place
  }

  /** `,"timestamp":"…` */
  private readTime(bytes: Uint8Array, view: DataView, at: number): number {
    if (view.getInt32(at, true) !== time0 || view.getInt32(at + 4, true) !== time1) return -1
    if (view.getInt32(at + 8, true) !== time2 || view.getInt32(at + 10, true) !== time3) return -1
    let place = at + 14
    if (!this.isSameSecond(view, place) && !this.readSecond(bytes, view, place)) return -1
    place += 19
    this.nano = 0
    if (bytes[place] === 46) {
      const high = view.getInt32(place + 1, true)
      const low = view.getInt32(place + 5, true)
      const last = (bytes[place + 9] ?? 0) - 48
      if (last >= 0 && last <= 9 && areDigits(high) && areDigits(low)) {
        this.nano = fourDigits(high) * 100_000 + fourDigits(low) * 10 + last
        place += 10
      } else {
        const start = place + 1
        while (isDigit(bytes[++place] ?? 0));
        this.nano = readNanos(bytes, start, place)
        if (this.nano < 0) return -1
      }
    }
    this.offset = 0
    if (bytes[place] === 90) return place + 1
    this.offset = readOffset(bytes, place)
    return Number.isNaN(this.offset) ? -1 : place + 6
  }

  /** `","latency":…,"bytes_out":…,"bytes_in":…` */
  private readSizes(bytes: Uint8Array, view: DataView, at: number): number {
    if (view.getInt32(at, true) !== latency0 || view.getInt32(at + 4, true) !== latency1) return -1
    if (view.getInt32(at + 8, true) !== latency2) return -1
    let place = at + 12
    let start = place
    let digit = (bytes[place] ?? 0) - 48
    let ns = 0
    while (digit >= 0 && digit <= 9) {
      ns = ns * 10 + digit
      digit = (bytes[++place] ?? 0) - 48
    }
    if (place === start || place - start > maxDigits) return -1
    if (view.getInt32(place, true) !== out0 || view.getInt32(place + 4, true) !== out1) return -1
    if (view.getInt32(place + 8, true) !== out2 || view.getInt32(place + 9, true) !== out3) return -1
    place += 13
    start = place
    digit = (bytes[place] ?? 0) - 48
    let sent = 0
    while (digit >= 0 && digit <= 9) {
      sent = sent * 10 + digit
      digit = (bytes[++place] ?? 0) - 48
    }
    if (place === start || place - start > maxDigits) return -1
    if (view.getInt32(place, true) !== out0 || view.getInt32(place + 4, true) !== out1) return -1
    if (view.getInt32(place + 8, true) !== in2) return -1
    place += 12
    start = place
    digit = (bytes[place] ?? 0) - 48
    let received = 0
    while (digit >= 0 && digit <= 9) {
      received = received * 10 + digit
      digit = (bytes[++place] ?? 0) - 48
    }
    this.latencyNs = ns
    this.bytesOut = sent
    this.bytesIn = received
    return place === start || place - start > maxDigits ? -1 : place
  }

  /** `,"error":"…","body":…,"method":"…","url":"` */
  private readTexts(bytes: Uint8Array, view: DataView, at: number, lineEnd: number): number {
    if (view.getInt32(at, true) !== error0 || view.getInt32(at + 4, true) !== error1) return -1
    if (view.getInt32(at + 6, true) !== error2) return -1
    let place = at + 10
    this.errorFrom = place
    if (bytes[place] !== quote) place = findClosing(bytes, place, lineEnd)
    this.errorTo = place++
    if (view.getInt32(place, true) === body0) {
      if (view.getInt32(place + 4, true) !== body1) return -1
      place += 8
      if (view.getInt32(place, true) === null0) place += 4
      else if (bytes[place] === quote) place = bytes.indexOf(quote, place + 1) + 1
      else return -1
      if (place <= this.errorTo || place > lineEnd) return -1
    }
    if (view.getInt32(place, true) !== method0 || view.getInt32(place + 4, true) !== method1) return -1
    if (view.getInt32(place + 7, true) !== method2) return -1
    place += 11
    this.methodFrom = place
    while (bytes[place] !== quote && place < lineEnd) place++
    if (view.getInt32(place, true) !== url0 || view.getInt32(place + 4, true) !== url1) return -1
    return bytes[place + 8] === quote ? place + 9 : -1
  }

  private add(bytes: Uint8Array, view: DataView, urlTo: number): void {
    const { samples, batch } = this
    const row = batch.size++
    batch.seconds[row] = this.second - this.offset
    batch.nanos[row] = this.nano
    batch.codes[row] = this.code
    batch.latencyNs[row] = this.latencyNs
    batch.bytesOut[row] = this.bytesOut
    batch.bytesIn[row] = this.bytesIn
    batch.sequences[row] = this.sequence
    batch.targets[row] = samples.targets.find(view, this.methodFrom, urlTo)
    if (this.errorTo > this.errorFrom) samples.addError(row, bytes, this.errorFrom, this.errorTo)
    if (this.attackTo > this.attackFrom) samples.countAttack(view, this.attackFrom, this.attackTo)
  }

  private isSameSecond(view: DataView, at: number): boolean {
    return (
      view.getInt32(at + 15, true) === this.time4 &&
      view.getInt32(at + 12, true) === this.time3 &&
      view.getInt32(at + 8, true) === this.time2 &&
      view.getInt32(at + 4, true) === this.time1 &&
      view.getInt32(at, true) === this.time0
    )
  }

  private readSecond(bytes: Uint8Array, view: DataView, at: number): boolean {
    const second = readSecond(bytes, at)
    if (Number.isNaN(second)) return false
    this.second = second
    this.time0 = view.getInt32(at, true)
    this.time1 = view.getInt32(at + 4, true)
    this.time2 = view.getInt32(at + 8, true)
    this.time3 = view.getInt32(at + 12, true)
    this.time4 = view.getInt32(at + 15, true)
    return true
  }
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57
}

/** Nanoseconds from the one to nine digits after a second's point; −1: not digits. */
function readNanos(bytes: Uint8Array, from: number, to: number): number {
  const digits = readDigits(bytes, from, to, 9)
  return digits < 0 ? -1 : digits * 10 ** (9 - (to - from))
}

function hasBackslash(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === 92) return true
  return false
}

/** Position of the quote that ends a string; `end` if there is none. */
function findClosing(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const byte = bytes[at]
    if (byte === quote) return at
    if (byte === 92) at++
  }
  return end
}

/** What follows the address: nothing, or headers (of any kind), and the end of the object at the end of the line. */
function endsRow(bytes: Uint8Array, from: number, lineEnd: number): boolean {
  const last = bytes[lineEnd - 1] === 13 ? lineEnd - 2 : lineEnd - 1
  if (bytes[last] !== 125) return false
  if (from === last) return true
  // `,"headers":null}` or `,"headers":{…}}`
  if (bytes[from] !== comma || bytes[from + 2] !== 104 || bytes[from + 8] !== 115 || bytes[from + 10] !== 58)
    return false
  const value = bytes[from + 11]
  return value === 123 ? bytes[last - 1] === 125 : value === 110 && last === from + 15
}
