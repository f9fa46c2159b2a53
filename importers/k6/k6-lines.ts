import { LineRows } from '../samples/line-rows'
import { findByte, readLatin1 } from '../text/fast-bytes'
import { readScaledDigits } from '../text/digits'
import * as z from 'zod'
import { K6Clock } from './k6-clock'
import { emptyTags, phaseNames, type K6Rows, type Place } from './k6-rows'

const quote = 34
const backslash = 92
const close = 125
/** k6 writes no longer lines. */
const maxLineBytes = 1024 * 1024

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))
// A point in k6's format; the name is between the first two.
const before = bytesOf('{"metric":"')
const toTime = bytesOf('","type":"Point","data":{"time":"')
const toValue = bytesOf('","value":')
const toTags = bytesOf(',"tags":{')
const decoder = new TextDecoder()

function matchesAt(part: Uint8Array, bytes: Uint8Array, at: number): boolean {
  for (let index = 0; index < part.length; index++) if (bytes[at + index] !== part[index]) return false
  return true
}

/**
 * Reads the lines of k6's NDJSON chunk by chunk: those in k6's own layout in place, all others (another order of keys,
 * escapes in a tag) as JSON. Memory: one line.
 */
export class K6Lines extends LineRows {
  /** Lines before the first one are missing. */
  lacksBeginning: boolean
  private hasMetric = false
  private readonly tags = emptyTags()
  private readonly clock = new K6Clock()

  /** `beginsTorn`: the first line is only the end of one. */
  constructor(
    readonly rows: K6Rows,
    private readonly beginsTorn = false,
  ) {
    super("line of k6's", maxLineBytes)
    this.lacksBeginning = beginsTorn
  }

  readonly isCoarse = false

  get readable(): number {
    return this.rows.points
  }

  override finish(): boolean {
    const { bytes, size } = this.carry
    return size > 0 && !this.isRead(bytes, 0, size)
  }

  protected read(bytes: Uint8Array, _view: DataView, from: number, to: number): boolean {
    return (this.beginsTorn && this.line === 1) || this.isRead(bytes, from, to)
  }

  private isRead(bytes: Uint8Array, from: number, to: number): boolean {
    return this.readPlain(bytes, from, to) || this.readJson(decoder.decode(bytes.subarray(from, to)))
  }

  /** False: another layout, or not a point. */
  private readPlain(bytes: Uint8Array, from: number, to: number): boolean {
    if (!matchesAt(before, bytes, from) || bytes[to - 1] !== close) return false
    const nameFrom = from + before.length
    const nameTo = findByte(bytes, quote, nameFrom, to)
    if (nameTo < 0 || !matchesAt(toTime, bytes, nameTo)) return false
    const timeFrom = nameTo + toTime.length
    const timeTo = findByte(bytes, quote, timeFrom, to)
    if (timeTo < 0 || !matchesAt(toValue, bytes, timeTo)) return false
    const valueFrom = timeTo + toValue.length
    let valueTo = valueFrom
    while (valueTo < to && bytes[valueTo] !== 44 && bytes[valueTo] !== close) valueTo++
    const name = readLatin1(bytes, nameFrom, nameTo)
    const phase = name.startsWith('http_req_') ? phaseOf(name) : -1
    if (phase === noPhase) return this.readRequest(bytes, { timeFrom, timeTo, valueFrom, valueTo, to })
    const value = phase >= 0 ? readNs(bytes, valueFrom, valueTo) : Number(readLatin1(bytes, valueFrom, valueTo))
    if (!(value >= 0)) return false
    if (phase >= 0) this.rows.addPhase(phase, value)
    else this.rows.addPoint(name, value)
    return true
  }

  private readRequest(
    bytes: Uint8Array,
    {
      timeFrom,
      timeTo,
      valueFrom,
      valueTo,
      to,
    }: { timeFrom: number; timeTo: number; valueFrom: number; valueTo: number; to: number },
  ): boolean {
    if (!matchesAt(toTags, bytes, valueTo) || !this.clock.read(bytes, timeFrom, timeTo)) return false
    const ns = readNs(bytes, valueFrom, valueTo)
    if (ns < 0 || !this.readTags(bytes, valueTo + toTags.length, to)) return false
    return this.rows.addRequest(bytes, this.tags, this.clock.seconds, this.clock.nanos, ns)
  }

  /** False: a tag has an escaped quote, or the object has not ended. */
  private readTags(bytes: Uint8Array, from: number, to: number): boolean {
    const { tags } = this
    for (const place of [tags.method, tags.name, tags.status, tags.error, tags.errorCode, tags.expected])
      place.from = place.to = 0
    let at = from
    while (bytes[at] === quote) {
      const keyTo = findByte(bytes, quote, at + 1, to)
      if (keyTo < 0 || bytes[keyTo + 1] !== 58 || bytes[keyTo + 2] !== quote) return false
      const valueFrom = keyTo + 3
      const valueTo = findByte(bytes, quote, valueFrom, to)
      if (valueTo < 0) return false
      // An escaped quote; other escapes stay until texts are listed.
      if (bytes[valueTo - 1] === backslash) return false
      this.takeTag(bytes, at + 1, keyTo, valueFrom, valueTo)
      at = valueTo + 1
      if (bytes[at] === 44) at++
    }
    return bytes[at] === close
  }

  private takeTag(bytes: Uint8Array, from: number, to: number, valueFrom: number, valueTo: number): void {
    const place = this.placeOf(readLatin1(bytes, from, to))
    if (place === null) return
    place.from = valueFrom
    place.to = valueTo
  }

  private placeOf(key: string): Place | null {
    const { tags } = this
    switch (key) {
      case 'method':
        return tags.method
      case 'name':
        return tags.name
      case 'status':
        return tags.status
      case 'error':
        return tags.error
      case 'error_code':
        return tags.errorCode
      case 'expected_response':
        return tags.expected
      default:
        return null
    }
  }

  /** A line in another layout. True: it was read, or it is known and contains no point. */
  private readJson(text: string): boolean {
    const line = parseLine(text)
    if (line === null) return false
    if (line.type === 'Metric') {
      // k6 declares each metric before its first point.
      if (!this.hasMetric && this.rows.points > 0) this.lacksBeginning = true
      this.hasMetric = true
      return true
    }
    if (line.data.time === undefined || line.data.value === undefined) return false
    const { time, value, tags } = line.data
    const phase = phaseOf(line.metric)
    if (phase !== noPhase) {
      if (value < 0) return false
      if (phase >= 0) this.rows.addPhase(phase, Math.round(value * 1e6))
      else this.rows.addPoint(line.metric, value)
      return true
    }
    const timeBytes = encoder.encode(time)
    if (!this.clock.read(timeBytes, 0, timeBytes.length)) return false
    const { bytes, places } = packTags(tags ?? {})
    Object.assign(this.tags, places)
    return this.rows.addRequest(bytes, this.tags, this.clock.seconds, this.clock.nanos, Math.round(value * 1e6))
  }
}

const encoder = new TextEncoder()
/** The duration of the whole request. */
const noPhase = -2

/** Position in `phaseNames`; −2: the duration; −1: another metric. */
function phaseOf(name: string): number {
  if (name === 'http_req_duration') return noPhase
  return phaseNames.findIndex((phase) => name === `http_req_${phase}`)
}

/** Milliseconds as whole ns; −1: not a number ≥ 0. */
function readNs(bytes: Uint8Array, from: number, to: number): number {
  const ns = readScaledDigits(bytes, from, to, 6)
  if (ns >= 0) return ns
  // Small ones may have an exponent.
  const value = Number(readLatin1(bytes, from, to))
  return value >= 0 && to > from ? Math.round(value * 1e6) : -1
}

const lineSchema = z.object({
  type: z.enum(['Point', 'Metric']),
  metric: z.string(),
  data: z.object({
    time: z.string().optional(),
    value: z.number().optional(),
    tags: z.record(z.string(), z.string()).nullish(),
  }),
})

function parseLine(text: string): z.infer<typeof lineSchema> | null {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Tags one after the other, escaped as in a line, with the position of each. */
function packTags(tags: Readonly<Record<string, string>>) {
  const parts = (['method', 'name', 'status', 'error', 'error_code', 'expected_response'] as const).map((key) =>
    encoder.encode(JSON.stringify(tags[key] ?? '').slice(1, -1)),
  )
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  const [method, name, status, error, errorCode, expected] = parts.map((part): Place => {
    bytes.set(part, at)
    at += part.length
    return part.length === 0 ? { from: 0, to: 0 } : { from: at - part.length, to: at }
  })
  const none = { from: 0, to: 0 }
  return {
    bytes,
    places: {
      method: method ?? none,
      name: name ?? none,
      status: status ?? none,
      error: error ?? none,
      errorCode: errorCode ?? none,
      expected: expected ?? none,
    },
  }
}
