import { median } from '../../lib/stats/robust'
import type { SampleBatch } from './sample-batch'

/** Sizes that are kept; beyond, an even share of them. */
const maxKept = 512
const minSuccesses = 30
const maxFactor = 1.02
/** Sizes that scatter have other medians in any two thirds: so many standard errors must part them. */
const minZ = 4

/** Median size of the first and the last third of the answers, bytes. */
export interface PayloadChange {
  readonly firstBytes: number
  readonly lastBytes: number
}

/**
 * Sizes of successful answers with their times: all, or beyond 512 an even share whose steps vary (Fibonacci hashing),
 * so that they keep pace with nothing that repeats. Memory: 8 kB.
 */
export class PayloadSizes {
  private readonly startNs = new Float64Array(maxKept)
  private readonly bytes = new Float64Array(maxKept)
  private size = 0
  /** One of so many is kept, on average. */
  private stride = 1
  /** The result to be taken next, counted from 0. */
  private next = 0

  /** Takes some of a batch of which it is known what failed. `before`: results in batches before, `baseSeconds`: times count from here. */
  add({ size, seconds, nanos, bytesIn, failed }: SampleBatch, before: number, baseSeconds: number): void {
    let row = this.next - before
    while (row < size) {
      if (failed[row] === 1) {
        row++
        continue
      }
      if (this.size === maxKept) this.halve()
      const at = this.size++
      this.startNs[at] = ((seconds[row] ?? 0) - baseSeconds) * 1e9 + (nanos[row] ?? 0)
      this.bytes[at] = bytesIn[row] ?? 0
      // 1 … 2 · stride − 1
      row += 1 + (hashOf(before + row) % (2 * this.stride - 1))
    }
    this.next = before + row
  }

  /** Keeps one of each two, either by chance. */
  private halve(): void {
    const { startNs, bytes } = this
    this.stride *= 2
    this.size = maxKept / 2
    for (let at = 0; at < maxKept / 2; at++) {
      const kept = 2 * at + (hashOf(at + this.stride) & 1)
      startNs[at] = startNs[kept] ?? 0
      bytes[at] = bytes[kept] ?? 0
    }
  }

  /** How the size changed from the first to the last third of the answers, by more than 2 %. Null: it did not. */
  change(): PayloadChange | null {
    const { size, startNs, bytes } = this
    if (size < minSuccesses || !bytes.subarray(0, size).some((one) => one !== bytes[0])) return null
    const order = Uint16Array.from({ length: size }, (_, at) => at).sort(
      (a, b) => (startNs[a] ?? 0) - (startNs[b] ?? 0),
    )
    const sizes = Float64Array.from(order, (at) => bytes[at] ?? 0)
    const third = Math.floor(size / 3)
    const [first, last] = [sizes.subarray(0, third), sizes.subarray(size - third)]
    const [firstBytes, lastBytes] = [median(first), median(last)]
    if (Math.max(firstBytes, lastBytes) <= maxFactor * Math.min(firstBytes, lastBytes)) return null
    const middle = (firstBytes + lastBytes) / 2
    return partedBy(middle, first, last) > minZ ? { firstBytes, lastBytes } : null
  }
}

/** 31 bits by a whole number; the highest vary most. */
function hashOf(place: number): number {
  const product = Math.imul(place + 1, 0x9e3779b1)
  return (product ^ (product >>> 15)) >>> 1
}

/** Standard errors by which the shares of values above a middle differ between two samples of one size. */
function partedBy(middle: number, a: Float64Array, b: Float64Array): number {
  const shareAbove = (values: Float64Array) =>
    values.reduce((sum, one) => sum + (one > middle ? 1 : 0), 0) / values.length
  const [ofA, ofB] = [shareAbove(a), shareAbove(b)]
  const share = (ofA + ofB) / 2
  return Math.abs(ofA - ofB) / Math.sqrt((2 * share * (1 - share)) / a.length)
}
