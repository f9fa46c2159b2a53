import { ImportError } from '../../lib/errors'
import { CsvFields } from '../text/csv-fields'
import { readDigits } from '../text/digits'
import { toFastBytes, viewOf } from '../text/fast-bytes'
import { largestNs } from '../samples/flat-histogram'
import { RowCarry } from '../text/row-carry'
import { RowFaults } from '../samples/row-faults'
import { batchRows, SampleBatch } from '../rows/sample-batch'
import type { Samples } from '../samples/samples'
import { HeaderAttributes } from '../headers/header-attributes'
import { HeaderFigures, maxHeaderBytes } from '../headers/header-figures'
import { readBase64Headers } from '../headers/header-search'
import { PlainCsvRows } from './vegeta-csv-plain'

const comma = 44
const lineFeed = 10
const quote = 34
const minus = 45
const bodyColumn = 6
const headersColumn = 11
const maxCarriedBytes = 64 * 1024
const maxRowBytes = 64 * 1024 * 1024
const columnCounts = new Set([6, 7, 9, 12])

/**
 * Reads rows of `vegeta encode -to csv` chunk by chunk. A plain row of twelve columns is read in place
 * (`PlainCsvRows`); all others by `CsvFields`. Bodies are skipped and never buffered, as are headers that are too long.
 */
export class VegetaCsvRows {
  readonly faults = new RowFaults()
  readonly headers: HeaderFigures
  /** Columns of the first row; 0: no row yet. */
  columns = 0
  /** Line of the next row, 1-based. */
  line = 1
  private readonly batch = new SampleBatch()
  private readonly carry = new RowCarry()
  private readonly fields = new CsvFields()
  private readonly keyBytes = new RowCarry()
  /** Bytes of a torn row's body or headers are dropped up to the next comma or line feed. */
  private isSkipping = false
  private skipped = 0
  private readonly plain: PlainCsvRows

  constructor(private readonly samples: Samples) {
    this.headers = new HeaderFigures(HeaderAttributes.of(samples, this.batch))
    this.plain = new PlainCsvRows(samples, this.batch, this.headers)
  }

  push(chunk: Uint8Array): void {
    const bytes = toFastBytes(chunk)
    const { carry } = this
    let at = 0
    while (at < bytes.length && (carry.size > 0 || this.isSkipping)) at = this.extendCarry(bytes, at)
    if (at >= bytes.length) return
    at = this.parse(bytes, viewOf(bytes), at, bytes.length, false)
    carry.append(bytes, at, bytes.length)
    this.shortenCarry()
  }

  /** Reads the remaining bytes. True: the last row has no line feed and is incomplete; it was not counted. */
  finish(): boolean {
    const { carry } = this
    const isTorn = carry.size > 0 && (this.isSkipping || !this.endsWhole())
    if (!isTorn && carry.size > 0) this.parse(carry.bytes, carry.view, 0, carry.size, true)
    this.flush()
    return isTorn
  }

  private flush(): void {
    this.samples.add(this.batch)
  }

  /** Adds the rest of a torn row, up to the next line feed; returns where the chunk continues. */
  private extendCarry(bytes: Uint8Array, from: number): number {
    const { carry } = this
    const lineEnd = bytes.indexOf(lineFeed, from)
    const end = lineEnd < 0 ? bytes.length : lineEnd + 1
    let at = from
    if (this.isSkipping) {
      const next = bytes.indexOf(comma, from)
      at = next >= 0 && next < end ? next : lineEnd < 0 ? end : lineEnd
      this.skipped += at - from
      if (this.skipped > maxRowBytes) throw this.tooLarge()
      if (at === bytes.length) return at
      this.isSkipping = false
    }
    carry.append(bytes, at, end)
    if (lineEnd >= 0) carry.drop(this.parse(carry.bytes, carry.view, 0, carry.size, false))
    this.shortenCarry()
    return end
  }

  /** Drops a torn row's part of its body, or of headers that are too long to read. */
  private shortenCarry(): void {
    const { carry, fields } = this
    if (carry.size <= maxCarriedBytes || this.isSkipping) return
    fields.split(carry.bytes, 0, carry.size)
    const last = fields.count - 1
    const from = fields.from[last] ?? 0
    const areHeaders = last === headersColumn && carry.size - from > maxHeaderBytes
    if ((last === bodyColumn || areHeaders) && fields.to[last] === carry.size) {
      if (areHeaders) this.headers.leaveOut()
      this.skipped = carry.size - from
      carry.size = from
      this.isSkipping = true
    } else if (carry.size > 4 * maxCarriedBytes) throw this.tooLarge()
  }

  private tooLarge(): ImportError {
    return new ImportError('too-large', 'a row is too long for a vegeta result', {
      line: this.line,
      hint: 'Bodies may have 64 MiB, everything else of a row 256 KiB.',
    })
  }

  /** The last row has no line feed, but all its columns: as far as can be seen, nothing is missing. */
  private endsWhole(): boolean {
    const { carry, fields } = this
    if (fields.split(carry.bytes, 0, carry.size) !== 'row' || fields.end !== carry.size) return false
    if (this.columns !== 12 || fields.count !== 12) return false
    const from = fields.from[headersColumn] ?? 0
    const to = fields.to[headersColumn] ?? 0
    // Headers end with an empty line: CR LF CR LF, in base64 by the three places where it may begin.
    const end = String.fromCharCode(...carry.bytes.subarray(Math.max(from, to - 8), to))
    return from === to || /(?:DQoNCg==|0KDQo=|NCg0K)$/.test(end)
  }

  /**
   * Reads complete rows; returns where the first torn one begins. `isLast`: the row that ends with the bytes is
   * complete.
   */
  private parse(bytes: Uint8Array, view: DataView, from: number, end: number, isLast: boolean): number {
    const { samples, batch, plain } = this
    let nextQuote = -1
    let at = from
    while (at < end) {
      const lineEnd = bytes.indexOf(lineFeed, at)
      if (lineEnd < 0 || lineEnd >= end) {
        if (!isLast) return at
        this.parseSlowly(bytes, at, end, true)
        return end
      }
      if (nextQuote < at) nextQuote = placeOf(bytes, quote, at, end)
      if (batch.size === batchRows) samples.add(batch)
      if (nextQuote > lineEnd && this.columns === 12 && plain.read(bytes, view, at, lineEnd)) {
        this.line++
        at = lineEnd + 1
      } else {
        const next = this.parseSlowly(bytes, at, end, isLast)
        if (next === at) return at
        at = next
      }
    }
    return at
  }

  /** Reads one row of any kind; returns where the next begins, or `at` itself if this one is torn. */
  private parseSlowly(bytes: Uint8Array, at: number, end: number, isLast: boolean): number {
    const { fields } = this
    let found = this.columns === 6 ? splitRawError(fields, bytes, at, end) : fields.split(bytes, at, end)
    if (found === 'bad' && this.columns === 0) found = splitRawError(fields, bytes, at, end)
    const hasLineFeed = fields.end < end
    if (found === 'open' || (!hasLineFeed && !isLast)) return isLast ? end : at
    const isBlank = fields.count === 1 && fields.from[0] === fields.to[0]
    if (found === 'bad' || (!isBlank && !this.takeFields(bytes)))
      if (!this.isHeading(bytes, at)) this.addFault(bytes, at)
    for (let place = at; ;) {
      this.line++
      place = bytes.indexOf(lineFeed, place) + 1
      if (place === 0 || place > fields.end) break
    }
    return fields.end + 1
  }

  private isHeading(bytes: Uint8Array, at: number): boolean {
    const text = String.fromCharCode(...bytes.subarray(at, Math.min(at + 200, this.fields.end)))
    return csvHeading.test(text)
  }

  private addFault(bytes: Uint8Array, at: number): void {
    const text = String.fromCharCode(...bytes.subarray(at, Math.min(at + 60, this.fields.end)))
    const isExcel = /^"?\d[.,]\d+E\+1\d/i.test(text)
    const message = isExcel
      ? 'a spreadsheet has rounded the times: their nanoseconds are lost'
      : `this is not a row of vegeta's results: ${text.replace(/[^\x20-\x7e]/g, '?')}`
    this.faults.add(message, { line: this.line })
  }

  private takeFields(bytes: Uint8Array): boolean {
    const { fields, samples, batch } = this
    const { count } = fields
    if (this.columns === 0 ? !columnCounts.has(count) : count !== this.columns) return false
    const stampFrom = fields.from[0] ?? 0
    const stampTo = fields.to[0] ?? 0
    const stampSplit = Math.max(stampFrom, stampTo - 9)
    const seconds = stampSplit === stampFrom ? 0 : readDigits(bytes, stampFrom, stampSplit, 10)
    const nanos = readDigits(bytes, stampSplit, stampTo, 9)
    const code = this.readField(bytes, 1)
    const latencyFrom = fields.from[2] ?? 0
    const isBelowZero = bytes[latencyFrom] === minus
    const ns = readDigits(bytes, isBelowZero ? latencyFrom + 1 : latencyFrom, fields.to[2] ?? 0, 20)
    const sent = this.readField(bytes, 3)
    const received = this.readField(bytes, 4)
    if (seconds < 0 || nanos < 0 || code < 0 || code > 65_535 || ns < 0 || ns > largestNs) return false
    const sequence = count > 7 ? this.readField(bytes, 8) : -1
    if (sent < 0 || received < 0 || (count > 7 && sequence < 0)) return false
    this.columns = count
    if (isBelowZero) {
      samples.negatives++
      return true
    }
    if (batch.size === batchRows) this.flush()
    const row = batch.size++
    batch.seconds[row] = seconds
    batch.nanos[row] = nanos
    batch.codes[row] = code
    batch.latencyNs[row] = ns
    batch.bytesOut[row] = sent
    batch.bytesIn[row] = received
    batch.targets[row] = count < 12 ? -1 : this.findTarget(bytes)
    batch.sequences[row] = sequence
    if ((fields.to[5] ?? 0) > (fields.from[5] ?? 0))
      samples.addError(row, bytes, fields.from[5] ?? 0, fields.to[5] ?? 0)
    if (count > 7 && (fields.to[7] ?? 0) > (fields.from[7] ?? 0))
      samples.countAttack(viewOf(bytes), fields.from[7] ?? 0, fields.to[7] ?? 0)
    const headersFrom = fields.from[headersColumn] ?? 0
    const headersTo = fields.to[headersColumn] ?? 0
    if (count === 12 && headersTo > headersFrom)
      readBase64Headers(this.headers, bytes, viewOf(bytes), headersFrom, headersTo)
    return true
  }

  private readField(bytes: Uint8Array, column: number): number {
    return readDigits(bytes, this.fields.from[column] ?? 0, this.fields.to[column] ?? 0, 20)
  }

  /** The same key as for a plain row: method, comma, address. */
  private findTarget(bytes: Uint8Array): number {
    const { fields, keyBytes } = this
    keyBytes.size = 0
    keyBytes.append(bytes, fields.from[9] ?? 0, fields.to[9] ?? 0)
    keyBytes.append(commaByte, 0, 1)
    keyBytes.append(bytes, fields.from[10] ?? 0, fields.to[10] ?? 0)
    return this.samples.targets.find(keyBytes.view, 0, keyBytes.size)
  }
}

/** First position of a byte from `from` on; `end` if there is none before it. */
function placeOf(bytes: Uint8Array, byte: number, from: number, end: number): number {
  const at = bytes.indexOf(byte, from)
  return at < 0 ? end : at
}

const commaByte = new Uint8Array([comma])

/** A line of names added above the rows; vegeta writes none. */
export const csvHeading =
  /^"?(?:unix[ _]?)?(?:time ?stamp|time)(?:[ _]?\(?ns\)?)?"?,"?(?:status[ _]?)?code"?,"?latency/i

/** Vegeta 6 wrote errors as `"%s"`, without doubling the quotes in them: the error is between the outer ones. */
function splitRawError(fields: CsvFields, bytes: Uint8Array, at: number, end: number): 'row' | 'open' | 'bad' {
  const lineEnd = bytes.indexOf(lineFeed, at)
  if (lineEnd < 0 || lineEnd >= end) return 'open'
  fields.end = lineEnd
  const last = bytes[lineEnd - 1] === 13 ? lineEnd - 1 : lineEnd
  let from = at
  for (let column = 0; column < 5; column++) {
    const to = bytes.indexOf(comma, from)
    if (to < 0 || to >= last) return 'bad'
    fields.from[column] = from
    fields.to[column] = to
    from = to + 1
  }
  if (last - from < 2 || bytes[from] !== 34 || bytes[last - 1] !== 34) return 'bad'
  fields.from[5] = from + 1
  fields.to[5] = last - 1
  fields.count = 6
  return 'row'
}
