import type { ColumnMapping } from '../../lib/run/column-mapping'
import type { MappedField } from '../../lib/run/mapped-fields'
import { largestNs } from '../samples/flat-histogram'
import type { Samples } from '../samples/samples'
import { MappedTime } from './mapped-time'
import { parseScaled } from '../text/number'

const unitPowers = { ns: 0, us: 3, ms: 6, s: 9 } as const
const maxTextBytes = 4_096
const encoder = new TextEncoder()

/** The cell of a row by its field; empty: missing or empty. */
export type Cells = (field: MappedField) => string

/** Counts samples by a mapping of their columns, whatever the form of the file. */
export class MappedRows {
  /** Failed requests without a latency: they are only in the counts. */
  unanswered = 0
  /** Rows with an empty status, if there is a status column. */
  uncoded = 0
  /** Null: no row had one. */
  bytesIn: number | null = null
  readonly time: MappedTime | null
  /** Why rows could not be read, with the number of rows for each reason. */
  readonly reasons = new Map<string, number>()
  private readonly statuses = new Map<number, number>()
  private readonly text = new Uint8Array(maxTextBytes)
  private readonly view = new DataView(this.text.buffer)

  constructor(
    private readonly mapping: ColumnMapping,
    readonly samples: Samples,
  ) {
    this.time = mapping.time === null ? null : new MappedTime(mapping.time.format)
  }

  /** All requests. */
  get count(): number {
    return this.samples.count + this.samples.waiting + this.unanswered
  }

  /** Whether rows state which requests failed. */
  get knowsFailures(): boolean {
    return this.mapping.status !== null || this.mapping.error !== null
  }

  /** Statuses and their counts, by status. */
  statusCodes(): Record<string, number> {
    return Object.fromEntries(
      [...this.statuses].sort(([a], [b]) => a - b).map(([code, count]) => [String(code), count]),
    )
  }

  /** Counts a row. False: it cannot be read, and nothing of it was counted. */
  add(cells: Cells): boolean {
    const { mapping, time } = this
    const code = mapping.status === null ? null : this.readStatus(cells('status'))
    if (code === 'bad') return this.refuse('status is not a number from 0 to 65535')
    const error = mapping.error === null ? '' : cells('error')
    const hasFailed = error !== '' || (mapping.status !== null && !this.isGood(code))
    const received = mapping.bytes === null ? null : readBytes(cells('bytes'))
    if (received === 'bad') return this.refuse('bytes is not a whole number')
    const latency = cells('latency')
    const isUnanswered = latency === '' && hasFailed
    const ns = latency === '' ? -1 : readNs(latency, unitPowers[mapping.latency.unit])
    if (ns < 0 && !isUnanswered)
      return this.refuse(latency === '' ? 'latency is empty' : 'latency is not a number from 0 on')
    if (time !== null && !isUnanswered) {
      if (!time.read(cells('time'))) return this.refuse('time is not in the format of the mapping')
      if (mapping.time?.at === 'end') time.back(ns)
    }
    if (code !== null) this.countStatus(code)
    else if (mapping.status !== null) this.uncoded++
    if (received !== null) this.bytesIn = (this.bytesIn ?? 0) + received
    if (isUnanswered) {
      if (error !== '') this.samples.errors.add(...this.encoded(error))
      this.unanswered++
      return true
    }
    const target = mapping.label === null ? -1 : this.findTarget(cells('label'))
    // The mapping defines failures: statuses are counted separately.
    const { samples } = this
    samples.write(time?.seconds ?? 0, time?.nanos ?? 0, ns, hasFailed ? 500 : 200, received ?? 0, target)
    if (samples.cube !== null) samples.cube.hasTimes = time !== null
    if (mapping.status !== null) samples.cube?.setStatus(samples.lastRow, code ?? 0)
    if (error !== '') this.addError(error)
    return true
  }

  private refuse(reason: string): false {
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1)
    return false
  }

  private readStatus(text: string): number | null | 'bad' {
    if (text === '') return null
    const code = Number(text)
    return /^\d{1,5}$/.test(text) && code <= 65_535 ? code : 'bad'
  }

  private isGood(code: number | null): boolean {
    const good = this.mapping.status?.good
    return code !== null && good !== undefined && code >= good.from && code <= good.to
  }

  private countStatus(code: number): void {
    this.statuses.set(code, (this.statuses.get(code) ?? 0) + 1)
  }

  private addError(error: string): void {
    this.samples.addError(this.samples.lastRow, ...this.encoded(error))
  }

  private encoded(text: string): [bytes: Uint8Array, from: number, to: number] {
    return [this.text, 0, encoder.encodeInto(text, this.text).written]
  }

  private findTarget(label: string): number {
    const { targets } = this.samples
    if (label === '') return -1
    const { read, written } = encoder.encodeInto(label, this.text)
    return read < label.length ? targets.rest : targets.find(this.view, 0, written)
  }
}

/** Whole nanoseconds; −1: not a number, negative, or longer than a histogram can hold. */
function readNs(text: string, power: number): number {
  const exact = parseScaled(text, power)
  const ns = Math.round(exact ?? Number(isExponential(text) ? text : NaN) * 10 ** power)
  return ns >= 0 && ns <= largestNs ? ns : -1
}

const isExponential = (text: string) => /^\d{1,20}(?:\.\d{1,20})?[eE][+-]?\d{1,3}$/.test(text)

function readBytes(text: string): number | null | 'bad' {
  if (text === '' || text === '-') return null
  return /^\d{1,15}$/.test(text) ? Number(text) : 'bad'
}
