import { bucketCount } from '../../lib/cube/buckets'
import { sliceCount } from '../../lib/cube/cube'
import { emptyRange, type BucketRange } from './bucket-range'
import type { SampleBatch } from './sample-batch'

const binCount = 256
const mask = binCount - 1
/** Fractions stay doubles to V8, however long the run. */
const firstWidthS = 0.016

/**
 * Histograms by time of start in at most 256 bins, whose width doubles as often as the run needs; cut into a run's 60
 * slices once its span is known, by the middle of each bin. Rows may be in any order. Memory: 1.5 MB, as far as it is
 * used.
 */
export class TimeBins {
  private readonly counts = new Uint32Array(binCount * bucketCount)
  /** Number of the histogram of each bin, by the last bits of its place; −1: none. */
  private slots = new Int16Array(binCount).fill(-1)
  /** Histograms that are free, and how many. */
  private readonly free = Int16Array.from({ length: binCount }, (_, at) => mask - at)
  private freeCount = binCount
  private widthS = firstWidthS
  private from = Infinity
  private to = -Infinity
  /** Where the bin opened last begins and ends, s. */
  private fromS = Infinity
  private toS = -Infinity

  /** `range`: of all buckets that it is given. */
  constructor(private readonly range: BucketRange) {
    warmUpOnce()
  }

  /** Counts rows by their start, whose seconds count from `baseSeconds`, and by the buckets of their latencies. */
  add({ size, seconds, nanos }: SampleBatch, buckets: Uint16Array, baseSeconds: number): void {
    const { counts } = this
    let fromS = Infinity
    let toS = -Infinity
    let bin = 0
    for (let row = 0; row < size; row++) {
      const startS = (seconds[row] ?? 0) - baseSeconds + (nanos[row] ?? 0) * 1e-9
      // Rows that follow each other mostly began in one bin.
      if (startS < fromS || startS >= toS) {
        bin = this.open(startS)
        fromS = this.fromS
        toS = this.toS
      }
      const at = bin + (buckets[row] ?? 0)
      counts[at] = (counts[at] ?? 0) + 1
    }
  }

  /** Where the histogram of a start's bin begins; makes room for it. */
  open(startS: number): number {
    for (;;) {
      const place = Math.floor(startS / this.widthS)
      const from = Math.min(this.from, place)
      const to = Math.max(this.to, place)
      if (to - from < binCount) {
        this.from = from
        this.to = to
        this.fromS = place * this.widthS
        this.toS = this.fromS + this.widthS
        return this.slotOf(place) * bucketCount
      }
      this.widen()
    }
  }

  private slotOf(place: number): number {
    const known = this.slots[place & mask] ?? 0
    if (known >= 0) return known
    const taken = this.free[--this.freeCount] ?? 0
    this.slots[place & mask] = taken
    return taken
  }

  /** Joins bins in pairs. */
  private widen(): void {
    const { slots, counts } = this
    const { low, high } = this.range
    const wider = new Int16Array(binCount).fill(-1)
    for (let place = this.from; place <= this.to; place++) {
      const slot = slots[place & mask] ?? -1
      if (slot < 0) continue
      const known = wider[(place >> 1) & mask] ?? -1
      if (known < 0) {
        wider[(place >> 1) & mask] = slot
        continue
      }
      const from = slot * bucketCount
      const shift = (known - slot) * bucketCount
      for (let at = from + low; at <= from + high; at++)
        counts[at + shift] = (counts[at + shift] ?? 0) + (counts[at] ?? 0)
      if (high >= low) counts.fill(0, from + low, from + high + 1)
      this.free[this.freeCount++] = slot
    }
    this.slots = wider
    this.widthS *= 2
    this.from = Math.floor(this.from / 2)
    this.to = Math.floor(this.to / 2)
  }

  /** The slices of a run that began at `firstNs`, its last request at `lastNs`. */
  slices(firstNs: number, lastNs: number): Uint32Array[] {
    const { counts } = this
    const { low, high } = this.range
    const slices = Array.from({ length: sliceCount }, () => new Uint32Array(bucketCount))
    const spanNs = Math.max(lastNs - firstNs, 1)
    for (let place = this.from; place <= this.to; place++) {
      const from = (this.slots[place & mask] ?? -1) * bucketCount
      if (from < 0) continue
      const middleNs = Math.min(lastNs, Math.max(firstNs, (place + 0.5) * this.widthS * 1e9))
      const slice = slices[Math.min(sliceCount - 1, Math.floor((sliceCount * (middleNs - firstNs)) / spanNs))]
      if (slice === undefined) continue
      for (let bucket = low; bucket <= high; bucket++)
        slice[bucket] = (slice[bucket] ?? 0) + (counts[from + bucket] ?? 0)
    }
    return slices
  }
}

let isWarm = false

/** V8 should not learn from the first batches of a run that bins are never joined: it would discard the loop (20 ms). */
function warmUpOnce(): void {
  if (isWarm) return
  isWarm = true
  const range = emptyRange()
  range.low = 0
  range.high = 1
  const bins = new TimeBins(range)
  for (let atS = 1; atS < 1 << 16; atS *= 2) bins.open(atS)
}
