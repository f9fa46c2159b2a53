import type { SampleBatch } from '../rows/sample-batch'

/** Number of first results that are all kept. */
const maxWhole = 4_096
/** Number of later results kept while the run doubles (times ln 2): each fiftieth of a run has twenty. */
const keptPerDoubling = 1_024
const maxKept = 32_768

/** A kept result of a run. */
interface KeptResult {
  /** Since the base of the times, ns. */
  readonly startNs: number
  readonly latencyNs: number
  readonly bytesIn: number
  readonly hasFailed: boolean
}

/**
 * Some of a run's results individually: the first 4,096, and of the later ones fewer the longer the run becomes. Steps
 * vary (Fibonacci hashing), so that they do not coincide with anything periodic. Memory: 120 kB, 300 kB after a
 * million.
 */
export class ResultSample {
  private size = 0
  /** Results seen; as long as this equals `size`, all were kept. */
  private seen = 0
  /** The next result to keep, once not all are. */
  private next = 0
  private baseSeconds = 0
  private seconds = new Float64Array(maxWhole)
  private nanos = new Int32Array(maxWhole)
  private latencyNs = new Float64Array(maxWhole)
  private bytesIn = new Float64Array(maxWhole)
  private failed = new Uint8Array(maxWhole)

  /** Takes some results of a batch whose failures are known. */
  add(batch: SampleBatch): void {
    const before = this.seen
    this.seen += batch.size
    if (before === 0) this.baseSeconds = batch.seconds[0] ?? 0
    if (this.seen <= maxWhole) this.takeWhole(batch)
    else this.takeSome(batch, before)
  }

  private takeWhole(batch: SampleBatch): void {
    const { size } = batch
    this.seconds.set(batch.seconds.subarray(0, size), this.size)
    this.nanos.set(batch.nanos.subarray(0, size), this.size)
    this.latencyNs.set(batch.latencyNs.subarray(0, size), this.size)
    this.bytesIn.set(batch.bytesIn.subarray(0, size), this.size)
    this.failed.set(batch.failed.subarray(0, size), this.size)
    this.size += size
    this.next = this.size
  }

  private takeSome(batch: SampleBatch, before: number): void {
    const stride = Math.ceil(before / keptPerDoubling)
    let row = this.next - before
    for (; row < batch.size; row += stepOf(before + row, stride)) {
      if (this.size === this.seconds.length && !this.grow()) return
      const at = this.size++
      this.seconds[at] = batch.seconds[row] ?? 0
      this.nanos[at] = batch.nanos[row] ?? 0
      this.latencyNs[at] = batch.latencyNs[row] ?? 0
      this.bytesIn[at] = batch.bytesIn[row] ?? 0
      this.failed[at] = batch.failed[row] ?? 0
    }
    this.next = before + row
  }

  /** False: large enough. */
  private grow(): boolean {
    const room = 2 * this.size
    if (room > maxKept) return false
    const enlarge = <Column extends { set(from: Column): void }>(column: Column, larger: Column): Column => {
      larger.set(column)
      return larger
    }
    this.seconds = enlarge(this.seconds, new Float64Array(room))
    this.nanos = enlarge(this.nanos, new Int32Array(room))
    this.latencyNs = enlarge(this.latencyNs, new Float64Array(room))
    this.bytesIn = enlarge(this.bytesIn, new Float64Array(room))
    this.failed = enlarge(this.failed, new Uint8Array(room))
    return true
  }

  /** Whether all results of the run were kept. */
  get isWhole(): boolean {
    return this.seen === this.size
  }

  /**
   * Calls `visit` with results in file order: all kept ones, except a share of the first ones if not all were kept;
   * about `most` of them.
   */
  forEach(visit: (result: KeptResult) => void, most = maxKept): void {
    const thinning = Math.ceil(this.size / most)
    const firstStride = thinning * (this.isWhole ? 1 : Math.ceil(this.seen / maxWhole))
    for (let at = 0; at < this.size; at += stepOf(at, at < maxWhole ? firstStride : thinning))
      visit({
        startNs: ((this.seconds[at] ?? 0) - this.baseSeconds) * 1e9 + (this.nanos[at] ?? 0),
        latencyNs: this.latencyNs[at] ?? 0,
        bytesIn: this.bytesIn[at] ?? 0,
        hasFailed: this.failed[at] === 1,
      })
  }
}

/** 1 … 2 · stride − 1, from a position that never repeats. */
function stepOf(place: number, stride: number): number {
  const product = Math.imul(place + 1, 0x9e3779b1)
  return 1 + (((product ^ (product >>> 15)) >>> 1) % (2 * stride - 1))
}
