import { bucketCount } from '../../lib/cube/buckets'
import { sliceCount } from '../../lib/cube/cube'
import { addCounts, type BucketRange } from './bucket-range'
import type { SampleBatch } from './sample-batch'

const binCount = 256
/** Fractions stay doubles to V8, however long the run. */
const firstWidthS = 0.016

/**
 * Histograms by time of start in at most 256 bins, whose width doubles as often as the run needs; cut into a run's 60
 * slices once its span is known, by the middle of each bin. Rows may be in any order. Memory: 1.5 MB.
 */
export class TimeBins {
  private readonly empty: Uint32Array = new Uint32Array(bucketCount)
  private bins = new Map<number, Uint32Array>()
  /** Emptied by joining others. */
  private readonly spare: Uint32Array[] = []
  private widthS = firstWidthS
  private from = Infinity
  private to = -Infinity

  /** `range`: of all buckets that it is given. */
  constructor(private readonly range: BucketRange) {}

  /** Counts rows by their start, whose seconds count from `baseSeconds`, and by the buckets of their latencies. */
  add({ size, seconds, nanos }: SampleBatch, buckets: Uint16Array, baseSeconds: number): void {
    let fromS = Infinity
    let toS = -Infinity
    let bin: Uint32Array = this.empty
    for (let row = 0; row < size; row++) {
      const startS = (seconds[row] ?? 0) - baseSeconds + (nanos[row] ?? 0) * 1e-9
      // Rows that follow each other mostly began in one bin.
      if (startS < fromS || startS >= toS) {
        bin = this.open(startS)
        fromS = Math.floor(startS / this.widthS) * this.widthS
        toS = fromS + this.widthS
      }
      const bucket = buckets[row] ?? 0
      bin[bucket] = (bin[bucket] ?? 0) + 1
    }
  }

  private open(startS: number): Uint32Array {
    for (;;) {
      const place = Math.floor(startS / this.widthS)
      const [from, to] = [Math.min(this.from, place), Math.max(this.to, place)]
      if (to - from < binCount) {
        this.from = from
        this.to = to
        return this.bins.get(place) ?? this.create(place)
      }
      this.widen()
    }
  }

  private create(place: number): Uint32Array {
    const bin = this.spare.pop() ?? new Uint32Array(bucketCount)
    this.bins.set(place, bin)
    return bin
  }

  /** Joins bins in pairs. */
  private widen(): void {
    const wider = new Map<number, Uint32Array>()
    for (const [place, bin] of this.bins) {
      const known = wider.get(Math.floor(place / 2))
      if (known === undefined) wider.set(Math.floor(place / 2), bin)
      else {
        addCounts(known, bin, this.range)
        bin.fill(0, this.range.low, this.range.high + 1)
        this.spare.push(bin)
      }
    }
    this.bins = wider
    this.widthS *= 2
    this.from = Math.floor(this.from / 2)
    this.to = Math.floor(this.to / 2)
  }

  /** The slices of a run that began at `firstNs`, its last request at `lastNs`. */
  slices(firstNs: number, lastNs: number): Uint32Array[] {
    const slices = Array.from({ length: sliceCount }, () => new Uint32Array(bucketCount))
    const spanNs = Math.max(lastNs - firstNs, 1)
    for (const [place, bin] of this.bins) {
      const middleNs = Math.min(lastNs, Math.max(firstNs, (place + 0.5) * this.widthS * 1e9))
      const slice = slices[Math.min(sliceCount - 1, Math.floor((sliceCount * (middleNs - firstNs)) / spanNs))]
      if (slice) addCounts(slice, bin, this.range)
    }
    return slices
  }
}
