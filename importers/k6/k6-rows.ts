import type { ErrorCount, Phase } from '../../lib/run/run'
import { largestNs } from '../samples/flat-histogram'
import { ErrorTexts } from '../samples/error-texts'
import { double } from '../samples/running-stats'
import type { Samples } from '../samples/samples'

/** Parts of a request, as k6's metrics name them after `http_req_`. */
export const phaseNames = ['blocked', 'connecting', 'tls_handshaking', 'sending', 'waiting', 'receiving'] as const
/** Most error codes that are distinguished. */
const maxErrorCodes = 200
const maxTargetBytes = 4_096
const connecting = phaseNames.indexOf('connecting')
const encoder = new TextEncoder()

/** Position of a text in the bytes of a row; `to` 0: absent. */
export interface Place {
  from: number
  to: number
}

/** The tags of a http_req_duration row about its request. */
export interface RequestTags {
  readonly method: Place
  readonly name: Place
  readonly status: Place
  readonly error: Place
  readonly errorCode: Place
  readonly expected: Place
}

/** Makes the positions of a row's tags, all empty. */
export const emptyTags = (): RequestTags => ({
  method: { from: 0, to: 0 },
  name: { from: 0, to: 0 },
  status: { from: 0, to: 0 },
  error: { from: 0, to: 0 },
  errorCode: { from: 0, to: 0 },
  expected: { from: 0, to: 0 },
})

/**
 * Collects k6's rows, whatever their form. A request is a row of http_req_duration; its parts have their own rows at
 * the same time, and http_reqs counts it.
 */
export class K6Rows {
  /** By http_reqs; 0: those rows are missing. */
  counted = 0
  /** Rows of http_req_failed, and those of them that are true. */
  judged = 0
  failed = 0
  bytesIn: number | null = null
  bytesOut: number | null = null
  iterations = 0
  droppedIterations = 0
  checks = 0
  failedChecks = 0
  maxUsers: number | null = null
  /** Rows read, of any metric. */
  points = 0
  private readonly statuses = new Float64Array(1_000)
  private readonly errors = new Map<number, ErrorTexts>()
  private readonly phases = phaseNames.map(() => ({ count: 0, sum: double(0), min: Infinity, max: double(0) }))
  private readonly targetBytes = new Uint8Array(maxTargetBytes)
  private readonly targetView = new DataView(this.targetBytes.buffer)

  constructor(private readonly samples: Samples) {}

  /** Counts a metric's value; requests are counted by `addRequest`. */
  addPoint(metric: string, value: number): void {
    this.points++
    switch (metric) {
      case 'http_reqs':
        this.counted += value
        return
      case 'http_req_failed':
        this.judged++
        if (value > 0) this.failed++
        return
      case 'data_received':
        this.bytesIn = (this.bytesIn ?? 0) + value
        return
      case 'data_sent':
        this.bytesOut = (this.bytesOut ?? 0) + value
        return
      case 'iterations':
        this.iterations += value
        return
      case 'dropped_iterations':
        this.droppedIterations += value
        return
      case 'checks':
        this.checks++
        if (value === 0) this.failedChecks++
        return
      case 'vus':
        this.maxUsers = Math.max(this.maxUsers ?? 0, value)
        this.samples.cube?.countUsers(value)
    }
  }

  /** A part of a request, ns; by its position in `phaseNames`. */
  addPhase(index: number, ns: number): void {
    this.points++
    const phase = this.phases[index]
    if (phase === undefined) return
    phase.count++
    phase.sum += ns
    // The parts of a request follow it.
    if (index === connecting && ns > 0) this.samples.cube?.setConnection(this.samples.lastRow, true)
    if (ns < phase.min) phase.min = ns
    if (ns > phase.max) phase.max = ns
  }

  /**
   * A request that ended at `seconds` + `nanos` and took `ns`, which gives its start. It failed if its status is not
   * the one its script expects, or, without an expectation, outside 200–399. False: impossible figures.
   */
  addRequest(bytes: Uint8Array, tags: RequestTags, seconds: number, nanos: number, ns: number): boolean {
    if (!(ns >= 0 && ns <= largestNs)) return false
    this.points++
    const status = readStatus(bytes, tags.status)
    const isFailed = tags.expected.to > 0 ? bytes[tags.expected.from] !== letterT : status < 200 || status >= 400
    const whole = Math.floor(ns / 1e9)
    const startNanos = nanos - (ns - whole * 1e9)
    // Failures are those that k6 reports: its codes are counted separately.
    this.samples.write(
      seconds - whole - (startNanos < 0 ? 1 : 0),
      startNanos < 0 ? startNanos + 1e9 : startNanos,
      ns,
      isFailed ? 500 : 200,
      0,
      tags.name.to > 0 ? this.findTarget(bytes, tags) : -1,
    )
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
    this.describe(bytes, tags, status)
    if (tags.errorCode.to > 0) this.addError(bytes, tags)
    return true
  }

  /** What the request just written is, for those who asked. */
  private describe(bytes: Uint8Array, { error, errorCode }: RequestTags, status: number): void {
    const { cube, lastRow } = this.samples
    if (cube === null) return
    cube.setStatus(lastRow, status)
    cube.setConnection(lastRow, false)
    const text = error.to > error.from ? error : errorCode
    if (text.to > text.from) this.samples.addError(lastRow, bytes, text.from, text.to)
  }

  private findTarget(bytes: Uint8Array, { method, name }: RequestTags): number {
    const { targetBytes } = this
    const methodSize = method.to - method.from
    const size = methodSize + 1 + name.to - name.from
    if (size > maxTargetBytes) return this.samples.targets.rest
    for (let at = 0; at < methodSize; at++) targetBytes[at] = bytes[method.from + at] ?? 0
    targetBytes[methodSize] = 32
    const shift = name.from - methodSize - 1
    for (let at = methodSize + 1; at < size; at++) targetBytes[at] = bytes[shift + at] ?? 0
    return this.samples.targets.find(this.targetView, 0, size)
  }

  private addError(bytes: Uint8Array, { error, errorCode }: RequestTags): void {
    let code = 0
    for (let at = errorCode.from; at < errorCode.to; at++) code = code * 10 + ((bytes[at] ?? 0) - 48)
    const known = this.errors.get(code)
    if (known === undefined && this.errors.size >= maxErrorCodes) return
    const texts = known ?? new ErrorTexts()
    if (known === undefined) this.errors.set(code, texts)
    if (error.to > error.from) texts.add(bytes, error.from, error.to)
    else texts.add(nothing, 0, 0)
  }

  /** `0`: no response. */
  statusCodes(): Record<string, number> {
    return Object.fromEntries(
      [...this.statuses.entries()].filter(([, count]) => count > 0).map(([code, count]) => [String(code), count]),
    )
  }

  /** Most frequent first; code and text, as numbered by k6: 1404 is a status of 404. */
  listErrors(decode: (bytes: Uint8Array) => string): ErrorCount[] {
    return [...this.errors]
      .flatMap(([code, texts]) =>
        texts.list(decode).map(({ message, count }) => ({ message: `${code} ${message}`.trimEnd(), count })),
      )
      .sort((a, b) => (b.count ?? 0) - (a.count ?? 0))
  }

  listPhases(): Phase[] {
    return this.phases.flatMap(({ count, sum, min, max }, at) =>
      count === 0
        ? []
        : [{ name: phaseNames[at] ?? '', meanMs: sum / count / 1e6, minMs: min / 1e6, maxMs: max / 1e6 }],
    )
  }
}

const letterT = 't'.charCodeAt(0)
const nothing = encoder.encode('')

/** 0 without one. */
function readStatus(bytes: Uint8Array, { from, to }: Place): number {
  if (to - from !== 3) return 0
  const status = ((bytes[from] ?? 0) - 48) * 100 + ((bytes[from + 1] ?? 0) - 48) * 10 + ((bytes[from + 2] ?? 0) - 48)
  return status >= 100 && status < 1_000 ? status : 0
}
