import { readDigits } from '../text/digits'
import { findByte, readLatin1, toFastBytes, viewOf } from '../text/fast-bytes'
import type { JtlRows } from './jtl-rows'
import { isOfTransaction, JtlSample, readCode, readSuccess } from './jtl-sample'

const open = 60
const close = 62
const slash = 47
const quote = 34
const space = 32
const lineFeed = 10
/** Longer elements or messages are not interpreted. */
const maxCarryBytes = 1024 * 1024
const maxDepth = 64
const maxReasonBytes = 2_048

/** A sample whose end has not been read yet. */
interface OpenSample {
  readonly sample: JtlSample
  readonly isTransaction: boolean
  readonly isHop: boolean
  /** Its line, if its time or its success cannot be read. */
  readonly faultLine: number | null
}

/** Reads the elements of JMeter's XML chunk by chunk. A sample is counted at its end. Memory: one element. */
export class JtlTags {
  /** `</testResults>` has been read. */
  isClosed = false
  unreadable = 0
  /** Line of the first sample that cannot be read. */
  faultLine: number | null = null
  private readonly stack: OpenSample[] = []
  private rest: Uint8Array = new Uint8Array(0)
  /** Line of the first remaining byte. */
  private line = 1
  /** The next text is the reason for a failed assertion. */
  private isMessage = false

  constructor(private readonly rows: JtlRows) {}

  push(chunk: Uint8Array): void {
    let bytes = toFastBytes(chunk)
    if (this.rest.length > 0) {
      const joined = new Uint8Array(this.rest.length + chunk.length)
      joined.set(this.rest)
      joined.set(chunk, this.rest.length)
      bytes = toFastBytes(joined)
    }
    const at = this.parse(bytes)
    this.line += countFeeds(bytes, at)
    const left = bytes.subarray(at)
    this.rest = left.length > maxCarryBytes ? new Uint8Array(0) : left.slice()
  }

  /** Reads elements; returns where the first incomplete one begins. */
  private parse(bytes: Uint8Array): number {
    const end = bytes.length
    let at = 0
    for (;;) {
      const from = findByte(bytes, open, at, end)
      if (from < 0) return this.isMessage ? at : end
      if (this.isMessage) {
        this.takeReason(bytes, at, from)
        this.isMessage = false
      }
      const to = endOfTag(bytes, from, end)
      if (to < 0) return from
      this.take(bytes, from + 1, to)
      at = to + 1
    }
  }

  /** A tag without its brackets. */
  private take(bytes: Uint8Array, from: number, to: number): void {
    const first = bytes[from]
    // h of httpSample, s of sample, f of failureMessage, and their ends.
    if (first === slash) {
      const name = readLatin1(bytes, from + 1, to).trimEnd()
      if (name === 'httpSample' || name === 'sample') this.end()
      else if (name === 'testResults') this.isClosed = true
      return
    }
    if (first !== 104 && first !== 115 && first !== 102) return
    let nameTo = from
    while (nameTo < to && (bytes[nameTo] ?? 0) > space && bytes[nameTo] !== slash) nameTo++
    const name = readLatin1(bytes, from, nameTo)
    const isEmpty = bytes[to - 1] === slash
    if (name === 'failureMessage') this.isMessage = !isEmpty
    if (name !== 'httpSample' && name !== 'sample') return
    this.begin(bytes, nameTo, isEmpty ? to - 1 : to)
    if (isEmpty) this.end()
  }

  private begin(bytes: Uint8Array, from: number, to: number): void {
    const parent = this.stack.at(-1)
    const sample = new JtlSample()
    // The chunk may be gone when the sample ends.
    const own = new Uint8Array(bytes.subarray(from, to))
    sample.bytes = own
    sample.view = viewOf(own)
    sample.reason = own
    let isTransaction = false
    let hasTime = false
    let isBad = false
    let at = 0
    while (at < own.length) {
      while (at < own.length && (own[at] ?? 0) <= space) at++
      const equals = own.indexOf(61, at)
      if (equals < 0 || own[equals + 1] !== quote) break
      const valueTo = own.indexOf(quote, equals + 2)
      if (valueTo < 0) break
      const key = readLatin1(toFastBytes(own), at, equals)
      const valueFrom = equals + 2
      if (key === 't') {
        sample.elapsedMs = readDigits(own, valueFrom, valueTo, 10)
        hasTime = sample.elapsedMs >= 0 && sample.elapsedMs < 2e9
      } else if (key === 'rm') {
        isTransaction = isOfTransaction(own, valueFrom, valueTo)
        if (sample.code > 0 || sample.reasonTo === 0) this.setReason(sample, valueFrom, valueTo)
      } else if (key === 's') {
        const isGood = readSuccess(own, sample.view, valueFrom, valueTo)
        sample.isGood = isGood === true
        isBad = isGood === null
      } else if (key === 'tn') {
        sample.threadFrom = valueFrom
        sample.threadTo = valueTo
      } else this.takeAttribute(sample, key, valueFrom, valueTo)
      at = valueTo + 1
    }
    const isHop = parent !== undefined && !parent.isTransaction
    const faultLine = isBad || !hasTime ? this.line + countFeeds(bytes, from) : null
    if (this.stack.length < maxDepth) this.stack.push({ sample, isTransaction, isHop, faultLine })
  }

  /** The code precedes its message: `503 Service Unavailable`. */
  private setReason(sample: JtlSample, from: number, to: number): void {
    if (sample.code <= 0) {
      sample.reasonFrom = from
      sample.reasonTo = to
      return
    }
    const text = new Uint8Array(4 + to - from)
    text.set([...String(sample.code)].map((digit) => digit.charCodeAt(0)))
    text[3] = space
    text.set(sample.bytes.subarray(from, to), 4)
    sample.reason = text
    sample.reasonFrom = 0
    sample.reasonTo = to > from ? text.length : 3
  }

  private takeAttribute(sample: JtlSample, key: string, from: number, to: number): void {
    const number = () => readDigits(sample.bytes, from, to, 15)
    switch (key) {
      case 'ts':
        sample.startMs = number()
        return
      case 'lb':
        sample.labelFrom = from
        sample.labelTo = to
        return
      case 'rc':
        sample.code = readCode(sample.bytes, from, to)
        if (sample.code <= 0) this.setReason(sample, from, to)
        return
      case 'by':
        sample.bytesIn = number()
        return
      case 'sby':
        sample.bytesOut = number()
        return
      case 'lt':
        sample.firstByteMs = number()
        return
      case 'ct':
        sample.connectMs = number()
        return
      case 'na':
        sample.threads = number()
    }
  }

  private takeReason(bytes: Uint8Array, from: number, to: number): void {
    const sample = this.stack.at(-1)?.sample
    if (sample === undefined || to <= from) return
    sample.reason = new Uint8Array(bytes.subarray(from, Math.min(to, from + maxReasonBytes)))
    sample.reasonFrom = 0
    sample.reasonTo = sample.reason.length
  }

  private end(): void {
    const ended = this.stack.pop()
    if (ended === undefined) return
    if (ended.isTransaction) this.rows.transactions++
    else if (ended.isHop) this.rows.hops++
    else if (ended.faultLine !== null) {
      this.unreadable++
      this.faultLine ??= ended.faultLine
    } else {
      if (ended.sample.startMs < 0) this.rows.hasTimes = false
      this.rows.add(ended.sample)
    }
  }
}

function countFeeds(bytes: Uint8Array, end: number): number {
  let feeds = 0
  for (let at = 0; at < end; at++) if (bytes[at] === lineFeed) feeds++
  return feeds
}

/** Position of the bracket that ends the tag at `from`; an attribute may contain one. −1: not reached yet. */
function endOfTag(bytes: Uint8Array, from: number, end: number): number {
  let at = findByte(bytes, close, from, end)
  // Only samples have attributes, and JMeter escapes the bracket in them.
  while (at >= 0 && isInQuotes(bytes, from, at)) at = findByte(bytes, close, at + 1, end)
  return at
}

function isInQuotes(bytes: Uint8Array, from: number, to: number): boolean {
  let isInside = false
  for (let at = from; at < to; at++) if (bytes[at] === quote) isInside = !isInside
  return isInside
}
