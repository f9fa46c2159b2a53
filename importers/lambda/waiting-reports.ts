import type { LambdaInvocation } from './lambda-invocation'
import { mixKey, RequestKey } from './request-ids'

/** Most reports that wait at once; a power of two. */
export const waitingPlaces = 512
const capacity = waitingPlaces

/**
 * The last invocations of a log, in columns that are reused, so that a log line creates no object. NaN: the field is
 * not in the line. Rows are numbered from the oldest waiting one.
 */
export class WaitingReports {
  /** Number of waiting rows. */
  size = 0
  private oldest = 0
  readonly key = new RequestKey()
  readonly durationMs = createColumn()
  readonly billedMs = createColumn()
  readonly memorySizeMb = createColumn()
  readonly maxMemoryUsedMb = createColumn()
  readonly initMs = createColumn()
  readonly restoreMs = createColumn()
  readonly billedRestoreMs = createColumn()
  readonly reportedAtMs = createColumn()
  readonly high = new Uint32Array(capacity)
  readonly low = new Uint32Array(capacity)
  /** 1: the form states the request id. */
  readonly hasKey = new Uint8Array(capacity)
  /** 0: not in a file of lines. */
  readonly line = createColumn()
  readonly status = new Array<string>(capacity).fill('success')
  readonly errorType = new Array<string | null>(capacity).fill(null)
  readonly functionName = new Array<string | null>(capacity).fill(null)
  readonly stream = new Array<string | null>(capacity).fill(null)

  /** Position of the next row in the columns. */
  get next(): number {
    return (this.oldest + this.size) & (capacity - 1)
  }

  get isFull(): boolean {
    return this.size === capacity
  }

  /** Position of a row in the columns. */
  placeOf(row: number): number {
    return (this.oldest + row) & (capacity - 1)
  }

  /** Writes an invocation to the next place; `size` includes it once its place in the log is written, too. */
  write(invocation: LambdaInvocation): void {
    const at = this.next
    const { requestId } = invocation
    this.hasKey[at] = requestId === null ? 0 : 1
    if (requestId !== null) {
      this.key.readText(requestId)
      this.high[at] = this.key.high
      this.low[at] = this.key.low
    }
    this.durationMs[at] = invocation.durationMs
    this.billedMs[at] = invocation.billedMs ?? NaN
    this.memorySizeMb[at] = invocation.memorySizeMb ?? NaN
    this.maxMemoryUsedMb[at] = invocation.maxMemoryUsedMb ?? NaN
    this.initMs[at] = invocation.initMs ?? NaN
    this.restoreMs[at] = invocation.restoreMs ?? NaN
    this.billedRestoreMs[at] = invocation.billedRestoreMs ?? NaN
    this.reportedAtMs[at] = invocation.reportedAtMs ?? NaN
    this.status[at] = invocation.status
    this.errorType[at] = invocation.errorType
  }

  /** Marks every waiting row of this request as failed; false: there is none. */
  findFailed(requestId: string, status: string): boolean {
    const { key } = this
    key.readText(requestId)
    let isFound = false
    for (let row = 0; row < this.size; row++) {
      const at = this.placeOf(row)
      if (this.hasKey[at] !== 1 || this.low[at] !== key.low || this.high[at] !== key.high) continue
      this.markFailed(at, status)
      isFound = true
    }
    return isFound
  }

  markFailed(at: number, status: string): void {
    if (this.status[at] === 'success') this.status[at] = status
  }

  /** 53 bits of the key at a place, as one number. */
  numberOf(at: number): number {
    return toNumber(this.high[at] ?? 0, this.low[at] ?? 0)
  }

  /** 53 bits of a request id's key, as one number. */
  numberOfText(requestId: string): number {
    this.key.readText(requestId)
    return toNumber(this.key.high, this.key.low)
  }

  /** The low word of the key at a place, changed by the figures of the report: those of a retry differ. */
  figuresKey(at: number): number {
    // JSON has three decimals, lines have two: both are the same report. `| 0` makes 0 of NaN.
    const duration = ((this.durationMs[at] ?? 0) * 100 + 0.5) | 0
    const billed = ((this.billedMs[at] ?? 0) + 0.5) | 0
    return mixKey(this.low[at] ?? 0, duration, Math.imul(billed, 0x4000) + ((this.maxMemoryUsedMb[at] ?? 0) | 0))
  }

  /** Forgets the oldest rows. */
  drop(rows: number): void {
    this.oldest = this.placeOf(rows)
    this.size -= rows
  }
}

function createColumn(): Float64Array {
  return new Float64Array(capacity).fill(NaN)
}

function toNumber(high: number, low: number): number {
  return high * 0x200000 + (low >>> 11)
}
