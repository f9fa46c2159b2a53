import { describeMember, findJsonFault, parseJsonObject } from '../json-fault'
import { toFastBytes, viewOf } from '../text/fast-bytes'
import { largestNs } from '../samples/flat-histogram'
import { JsonObjects } from '../text/json-objects'
import { RowFaults } from '../samples/row-faults'
import { batchRows, SampleBatch } from '../rows/sample-batch'
import type { Samples } from '../samples/samples'
import { readOffset, readSecond } from '../text/iso-time'
import { HeaderAttributes } from '../headers/header-attributes'
import { HeaderFigures, maxHeaderBytes } from '../headers/header-figures'
import { takeParsedHeaders } from '../headers/header-search'
import { PlainJsonRows } from './vegeta-json-plain'

const lineFeed = 10

/**
 * Reads results as written by `vegeta encode -to json`, chunk by chunk. Lines in vegeta's own layout are read in place
 * (`PlainJsonRows`); all others (other layouts, torn lines) by `JsonObjects`.
 */
export class VegetaJsonRows {
  readonly faults = new RowFaults()
  readonly headers: HeaderFigures
  /** A row had no byte counts, so their sums are unknown. */
  lacksBytes = false
  /** A row named a method or an address: vegeta 12.8 or later. */
  hasTargets = false
  hasSeq = false
  private lines = 0
  private readonly batch = new SampleBatch()
  private readonly objects = new JsonObjects(maxHeaderBytes)
  private readonly plain: PlainJsonRows
  private isCollecting = false

  constructor(private readonly samples: Samples) {
    this.headers = new HeaderFigures(HeaderAttributes.of(samples, this.batch))
    this.plain = new PlainJsonRows(samples, this.batch, this.headers)
  }

  /** The current line, 1-based. */
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

  /** Counts the remaining objects. True: the last one is torn; it was not counted. */
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
    const reason = this.faults.count > 0 ? null : reasonOf(text)
    const shown = text.slice(0, 60).replace(/[^\x20-\x7e]/g, '?')
    this.faults.add(
      reason === null ? `this is not a vegeta result: ${shown}` : `this is vegeta's JSON, but ${reason}`,
      {
        line,
      },
    )
  }

  /** Reads lines in place; returns where the first one that is torn or of another layout begins. */
  private parse(bytes: Uint8Array, view: DataView, from: number): number {
    const { samples, batch, plain } = this
    let at = from
    for (;;) {
      const lineEnd = bytes.indexOf(lineFeed, at)
      if (batch.size === batchRows) samples.add(batch)
      if (lineEnd < 0 || !plain.read(bytes, view, at, lineEnd)) return at
      this.hasTargets = true
      this.hasSeq = true
      this.lines++
      at = lineEnd + 1
    }
  }

  /** Counts one object. False: it is no result, or not one of vegeta's. */
  private takeObject(text: string): boolean {
    const { batch, samples } = this
    const value = parseJsonObject(text)
    if (value === null) return false
    const {
      code,
      latency,
      timestamp,
      bytes_out: sent,
      bytes_in: received,
      error,
      attack,
      method,
      url,
      seq,
      headers,
    } = value
    if (!isCount(code) || code > 65_535) return false
    if (typeof latency === 'number' && Number.isSafeInteger(latency) && latency < 0) {
      samples.negatives++
      return true
    }
    if (!isCount(latency) || latency > largestNs) return false
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
    batch.sequences[row] = isCount(seq) ? seq : -1
    if (method || url) {
      const key = encoder.encode(`${escape(method ?? '')}","url":"${escape(url ?? '')}`)
      batch.targets[row] = samples.targets.find(viewOf(key), 0, key.length)
      this.hasTargets = true
    }
    if ('seq' in value) this.hasSeq = true
    if (error) {
      const raw = encoder.encode(escape(error))
      samples.addError(row, raw, 0, raw.length)
    }
    if (attack) {
      const raw = encoder.encode(escape(attack))
      samples.countAttack(viewOf(raw), 0, raw.length)
    }
    if (this.objects.isThinned) this.headers.leaveOut()
    else if (typeof headers === 'object' && headers !== null) takeParsedHeaders(this.headers, headers)
    return true
  }
}

/** What in an object with vegeta's keys is not in vegeta's format; null: it lacks its keys. */
function reasonOf(text: string): string | null {
  if (!text.includes('"latency"') || !text.includes('"code"')) return null
  const fault = findJsonFault(text)
  if (fault !== null) return fault.reason
  const value = parseJsonObject(text)
  const key = (['code', 'latency', 'bytes_out', 'bytes_in'] as const).find(
    (name) => !(name.startsWith('bytes') ? isCountOrNone : isCount)(value?.[name]),
  )
  return key === undefined ? null : describeMember(key, value?.[key])
}

const encoder = new TextEncoder()

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
