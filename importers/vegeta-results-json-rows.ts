import { areDigits, fourDigits } from './digits'
import { toFastBytes, viewOf } from './fast-bytes'
import { largestNs } from './flat-histogram'
import { JsonObjects } from './json-objects'
import { padding } from './row-carry'
import { RowFaults } from './row-faults'
import { batchRows, SampleBatch } from './sample-batch'
import type { Samples } from './samples'

const comma = 44
const quote = 34
const lineFeed = 10

/** Four characters as the number that `getInt32` reads. */
function word(text: string): number {
  return text.charCodeAt(0) | (text.charCodeAt(1) << 8) | (text.charCodeAt(2) << 16) | (text.charCodeAt(3) << 24)
}

// The keys as vegeta writes them, in words of four characters; the last overlaps the one before.
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

/**
 * Reads results as `vegeta encode -to json` writes them, chunk by chunk. Lines in vegeta's own layout are read in place,
 * each key being checked where it must stand; all others (other layouts, torn lines) by `JsonObjects`.
 */
export class VegetaJsonRows {
  readonly faults = new RowFaults()
  /** A row told no bytes: their sums are not known. */
  lacksBytes = false
  /** A row named a method or an address: vegeta 12.8 or later. */
  hasTargets = false
  hasSeq = false
  private lines = 0
  private readonly batch = new SampleBatch()
  private readonly objects = new JsonObjects()
  // The second that was read last, as it stands in the file.
  private time0 = 0
  private time1 = 0
  private time2 = 0
  private time3 = 0
  private time4 = 0
  private second = 0
  private isCollecting = false

  constructor(private readonly samples: Samples) {}

  /** Line that is being read, 1-based. */
  get line(): number {
    return this.lines + this.objects.lines + 1
  }

  push(chunk: Uint8Array): void {
    const bytes = toFastBytes(chunk)
    const view = viewOf(bytes)
    let at = 0
    while (at < bytes.length) {
      if (!this.isCollecting) {
        at = this.parse(bytes, view, at)
        if (at >= bytes.length) break
        this.isCollecting = true
      }
      at = this.collect(bytes, at)
    }
  }

  /** Counts what is left. True: the last object is torn; it was not counted. */
  finish(): boolean {
    this.samples.add(this.batch)
    return this.objects.isOpen
  }

  /** Takes one object in any layout. */
  private collect(bytes: Uint8Array, from: number): number {
    const line = this.line
    const { found, at } = this.objects.take(bytes, from, bytes.length)
    if (found === 'bad') this.addFault(this.objects.start(), line)
    if (found === 'closed') {
      const text = this.objects.text()
      if (text === null || !this.takeObject(text)) this.addFault(text ?? this.objects.start(), line)
    }
    // A line feed ends the line of the object, so that the next can be read in place.
    const next = bytes[at] === 13 ? at + 1 : at
    if (found !== 'closed' || bytes[next] !== lineFeed) return at
    this.lines++
    this.isCollecting = false
    return next + 1
  }

  private addFault(text: string, line: number): void {
    this.faults.add(`this is no result of vegeta: ${text.slice(0, 60).replace(/[^\x20-\x7e]/g, '?')}`, { line })
  }

  /** Reads lines in place; returns where the first that is torn or of another layout begins. */
  private parse(bytes: Uint8Array, view: DataView, from: number): number {
    const { samples, batch } = this
    const { seconds, nanos, latencyNs, codes, bytesIn, bytesOut, targets } = batch
    const end = bytes.length
    let at = from
    for (;;) {
      const lineEnd = bytes.indexOf(lineFeed, at)
      // The shortest whole line has more than 150 bytes.
      if (lineEnd < 0 || lineEnd - at < 150 || lineEnd + padding > end) return at
      if (batch.size === batchRows) samples.add(batch)
      if (view.getInt32(at, true) !== attack0 || view.getInt32(at + 4, true) !== attack1) return at
      if (view.getInt32(at + 7, true) !== attack2) return at
      const attackFrom = at + 11
      let place = attackFrom
      if (bytes[place] !== quote) {
        place = bytes.indexOf(quote, place)
        if (place < 0 || place > lineEnd || hasBackslash(bytes, attackFrom, place)) return at
      }
      const attackTo = place
      place++
      if (view.getInt32(place, true) !== seq0 || view.getInt32(place + 3, true) !== seq1) return at
      place += 7
      let start = place
      let digit = (bytes[place] ?? 0) - 48
      while (digit >= 0 && digit <= 9) digit = (bytes[++place] ?? 0) - 48
      if (place === start) return at
      if (view.getInt32(place, true) !== code0 || view.getInt32(place + 4, true) !== code1) return at
      place += 8
      start = place
      digit = (bytes[place] ?? 0) - 48
      let code = 0
      while (digit >= 0 && digit <= 9) {
        code = code * 10 + digit
        digit = (bytes[++place] ?? 0) - 48
      }
      if (place === start || place - start > 3) return at
      if (view.getInt32(place, true) !== time0 || view.getInt32(place + 4, true) !== time1) return at
      if (view.getInt32(place + 8, true) !== time2 || view.getInt32(place + 10, true) !== time3) return at
      place += 14
      const date0 = view.getInt32(place, true)
      const date1 = view.getInt32(place + 4, true)
      const date2 = view.getInt32(place + 8, true)
      const date3 = view.getInt32(place + 12, true)
      const date4 = view.getInt32(place + 15, true)
      if (
        date4 !== this.time4 ||
        date3 !== this.time3 ||
        date2 !== this.time2 ||
        date1 !== this.time1 ||
        date0 !== this.time0
      ) {
        const second = readSecond(bytes, place)
        if (Number.isNaN(second)) return at
        this.second = second
        this.time0 = date0
        this.time1 = date1
        this.time2 = date2
        this.time3 = date3
        this.time4 = date4
      }
      place += 19
      let nano = 0
      if (bytes[place] === 46) {
        const high = view.getInt32(place + 1, true)
        const low = view.getInt32(place + 5, true)
        const last = (bytes[place + 9] ?? 0) - 48
        if (last >= 0 && last <= 9 && areDigits(high) && areDigits(low)) {
          nano = fourDigits(high) * 100_000 + fourDigits(low) * 10 + last
          place += 10
        } else {
          let scale = 100_000_000
          digit = (bytes[++place] ?? 0) - 48
          start = place
          while (digit >= 0 && digit <= 9) {
            nano += digit * scale
            scale /= 10
            digit = (bytes[++place] ?? 0) - 48
          }
          if (place === start || place - start > 9) return at
        }
      }
      let offset = 0
      if (bytes[place] === 90) place++
      else {
        offset = readOffset(bytes, place)
        if (Number.isNaN(offset)) return at
        place += 6
      }
      if (view.getInt32(place, true) !== latency0 || view.getInt32(place + 4, true) !== latency1) return at
      if (view.getInt32(place + 8, true) !== latency2) return at
      place += 12
      start = place
      digit = (bytes[place] ?? 0) - 48
      let ns = 0
      while (digit >= 0 && digit <= 9) {
        ns = ns * 10 + digit
        digit = (bytes[++place] ?? 0) - 48
      }
      if (place === start || place - start > 15) return at
      if (view.getInt32(place, true) !== out0 || view.getInt32(place + 4, true) !== out1) return at
      if (view.getInt32(place + 8, true) !== out2 || view.getInt32(place + 9, true) !== out3) return at
      place += 13
      start = place
      digit = (bytes[place] ?? 0) - 48
      let sent = 0
      while (digit >= 0 && digit <= 9) {
        sent = sent * 10 + digit
        digit = (bytes[++place] ?? 0) - 48
      }
      if (place === start || place - start > 15) return at
      if (view.getInt32(place, true) !== out0 || view.getInt32(place + 4, true) !== out1) return at
      if (view.getInt32(place + 8, true) !== in2) return at
      place += 12
      start = place
      digit = (bytes[place] ?? 0) - 48
      let received = 0
      while (digit >= 0 && digit <= 9) {
        received = received * 10 + digit
        digit = (bytes[++place] ?? 0) - 48
      }
      if (place === start || place - start > 15) return at
      if (view.getInt32(place, true) !== error0 || view.getInt32(place + 4, true) !== error1) return at
      if (view.getInt32(place + 6, true) !== error2) return at
      place += 10
      const errorFrom = place
      if (bytes[place] !== quote) place = findClosing(bytes, place, lineEnd)
      const errorTo = place++
      if (view.getInt32(place, true) === body0) {
        if (view.getInt32(place + 4, true) !== body1) return at
        place += 8
        if (view.getInt32(place, true) === null0) place += 4
        else if (bytes[place] === quote) place = bytes.indexOf(quote, place + 1) + 1
        else return at
        if (place <= errorTo || place > lineEnd) return at
      }
      if (view.getInt32(place, true) !== method0 || view.getInt32(place + 4, true) !== method1) return at
      if (view.getInt32(place + 7, true) !== method2) return at
      place += 11
      const methodFrom = place
      while (bytes[place] !== quote && place < lineEnd) place++
      if (view.getInt32(place, true) !== url0 || view.getInt32(place + 4, true) !== url1) return at
      if (bytes[place + 8] !== quote) return at
      const urlTo = bytes.indexOf(quote, place + 9)
      if (urlTo < 0 || urlTo >= lineEnd || bytes[urlTo - 1] === 92) return at
      if (!endsRow(bytes, urlTo + 1, lineEnd)) return at
      const row = batch.size++
      seconds[row] = this.second - offset
      nanos[row] = nano
      codes[row] = code
      latencyNs[row] = ns
      bytesOut[row] = sent
      bytesIn[row] = received
      targets[row] = samples.targets.find(view, methodFrom, urlTo)
      if (errorTo > errorFrom) samples.errors.add(bytes, errorFrom, errorTo)
      if (attackTo > attackFrom) this.countAttack(view, attackFrom, attackTo)
      this.hasTargets = true
      this.hasSeq = true
      this.lines++
      at = lineEnd + 1
    }
  }

  private countAttack(view: DataView, from: number, to: number): void {
    const index = this.samples.attacks.find(view, from, to)
    this.samples.attackCounts[index] = (this.samples.attackCounts[index] ?? 0) + 1
  }

  /** Counts one object. False: it is no result, or not one of vegeta. */
  private takeObject(text: string): boolean {
    const { batch, samples } = this
    const value = parseObject(text)
    if (value === null) return false
    const { code, latency, timestamp, bytes_out: sent, bytes_in: received, error, attack, method, url } = value
    if (!isCount(code) || code > 65_535 || !isCount(latency) || latency > largestNs) return false
    if (typeof timestamp !== 'string' || !isCountOrNone(sent) || !isCountOrNone(received)) return false
    if (!isTextOrNone(error) || !isTextOrNone(attack) || !isTextOrNone(method) || !isTextOrNone(url)) return false
    const bytes = encoder.encode(timestamp)
    const second = readSecond(bytes, 0)
    const rest = /^(?:\.(\d{1,9}))?(?:Z|[+-]\d\d:\d\d)$/.exec(timestamp.slice(19))
    const offset = timestamp.endsWith('Z') ? 0 : readOffset(bytes, bytes.length - 6)
    if (rest === null || Number.isNaN(second) || Number.isNaN(offset)) return false
    if (batch.size === batchRows) samples.add(batch)
    const row = batch.size++
    batch.seconds[row] = second - offset
    batch.nanos[row] = Number((rest[1] ?? '').padEnd(9, '0'))
    batch.codes[row] = code
    batch.latencyNs[row] = latency
    batch.bytesOut[row] = sent ?? 0
    batch.bytesIn[row] = received ?? 0
    if (sent === undefined || received === undefined) this.lacksBytes = true
    batch.targets[row] = -1
    if (method || url) {
      const key = encoder.encode(`${escape(method ?? '')}","url":"${escape(url ?? '')}`)
      batch.targets[row] = samples.targets.find(viewOf(key), 0, key.length)
      this.hasTargets = true
    }
    if ('seq' in value) this.hasSeq = true
    if (error) {
      const raw = encoder.encode(escape(error))
      samples.errors.add(raw, 0, raw.length)
    }
    if (attack) {
      const raw = encoder.encode(escape(attack))
      this.countAttack(viewOf(raw), 0, raw.length)
    }
    return true
  }
}

const encoder = new TextEncoder()

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** As vegeta writes it between quotes. */
function escape(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && typeof value === 'number' && value >= 0
}

function isCountOrNone(value: unknown): value is number | undefined {
  return value === undefined || isCount(value)
}

function isTextOrNone(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || typeof value === 'string'
}

function hasBackslash(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === 92) return true
  return false
}

/** Place of the quote that ends a string; `end` when there is none. */
function findClosing(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const byte = bytes[at]
    if (byte === quote) return at
    if (byte === 92) at++
  }
  return end
}

/** What follows the address: nothing, or headers (not looked into), and the end of the object at the end of the line. */
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

/** Seconds since 1970 of `2026-11-21T02:14:08` read as UTC; NaN when it is no time. */
function readSecond(bytes: Uint8Array, at: number): number {
  const text = String.fromCharCode(...bytes.subarray(at, at + 19))
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text) ? Date.parse(`${text}Z`) / 1_000 : NaN
}

/** Seconds of `+05:30`; NaN when it is no offset. */
function readOffset(bytes: Uint8Array, at: number): number {
  const [sign = 0, h1 = 0, h2 = 0, colon = 0, m1 = 0, m2 = 0] = bytes.subarray(at, at + 6)
  const digits = [h1, h2, m1, m2].map((byte) => byte - 48)
  const [a = 0, b = 0, c = 0, d = 0] = digits
  if ((sign !== 43 && sign !== 45) || colon !== 58 || digits.some((digit) => digit < 0 || digit > 9)) return NaN
  return (sign === 43 ? 1 : -1) * ((a * 10 + b) * 3_600 + (c * 10 + d) * 60)
}
