import { build, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js'
import type { FieldSummary, Latency, Milliseconds } from '../../lib/run/run'
import { highestOfSlot, lowestOfSlot, threeDigits } from '../../lib/stats/hdr-codec'
import { largestNs, rankOf, slotOf } from './flat-histogram'
import { latencyOf } from '../latency-of'

/** Values that are kept individually; beyond that, quantiles come from an HDR histogram. */
export const maxExactSamples = 100_000
/** Quantiles of a summary. */
const summaryQuantiles = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999] as const
/** Histograms count in thousandths of the unit: µs if it is ms. */
const stepsPerUnit = 1_000

/**
 * Collects numbers ≥ 0 with at most three decimals and summarises them: count, sum and extremes exactly; quantiles by
 * nearest rank up to `maxExact` values, then by an HDR histogram of three digits. Memory: at most 8 bytes per kept
 * value, or 176 kB.
 */
export class NumberSamples {
  private values = new Float64Array(16)
  /** Counts by slot, once there are too many values to keep; its length is that of the largest slot. */
  private slots: Uint32Array | null = null
  private size = 0
  private steps = 0
  private smallest = Infinity
  private largest = -Infinity
  /** Welford's running mean and sum of squared differences. */
  private runningMean = 0
  private squares = 0

  constructor(private readonly maxExact = maxExactSamples) {}

  get count(): number {
    return this.size
  }

  get isExact(): boolean {
    return this.slots === null
  }

  add(value: number): void {
    const steps = Math.round(value * stepsPerUnit)
    if (this.slots === null && this.size < this.maxExact) this.keep(value)
    else this.record(steps)
    this.size++
    // Whole steps add up exactly, while binary fractions would not.
    this.steps += steps
    if (value < this.smallest) this.smallest = value
    if (value > this.largest) this.largest = value
    const difference = value - this.runningMean
    this.runningMean += difference / this.size
    this.squares += difference * (value - this.runningMean)
  }

  private keep(value: number): void {
    if (this.size === this.values.length) {
      const larger = new Float64Array(Math.min(this.maxExact, this.values.length * 2))
      larger.set(this.values)
      this.values = larger
    }
    this.values[this.size] = value
  }

  private record(steps: number): void {
    const slot = slotOf(Math.min(steps, largestNs))
    let slots = this.slots ?? this.startSlots()
    if (slot >= slots.length) {
      const larger = new Uint32Array(Math.max(slot + 1, slots.length * 2))
      larger.set(slots)
      slots = larger
      this.slots = larger
    }
    slots[slot] = (slots[slot] ?? 0) + 1
  }

  private startSlots(): Uint32Array {
    const values = this.values.subarray(0, this.size)
    this.values = new Float64Array(0)
    this.slots = new Uint32Array(2_048)
    for (const value of values) this.record(Math.round(value * stepsPerUnit))
    return this.slots
  }

  /** Null without values. Quantiles rise in q. */
  summarise(): FieldSummary | null {
    if (this.size === 0) return null
    return {
      count: this.size,
      sum: this.steps / stepsPerUnit,
      min: this.smallest,
      // One division, so that it is rounded once.
      mean: this.steps / (stepsPerUnit * this.size),
      max: this.largest,
      quantiles: this.readQuantiles(),
    }
  }

  private readQuantiles(): { q: number; value: number }[] {
    const ranks = summaryQuantiles.map((q) => rankOf(q, this.size))
    const { slots } = this
    if (slots === null) {
      const sorted = this.values.slice(0, this.size).sort()
      return summaryQuantiles.map((q, index) => ({ q, value: sorted[(ranks[index] ?? 1) - 1] ?? this.largest }))
    }
    let before = 0
    let slot = -1
    return summaryQuantiles.map((q, index) => {
      const rank = ranks[index] ?? 1
      while (before < rank && slot + 1 < slots.length) before += slots[++slot] ?? 0
      // A slot's top may exceed the largest value in it.
      return { q, value: Math.min(this.largest, highestOfSlot(threeDigits, slot) / stepsPerUnit) }
    })
  }

  /** The values, in milliseconds, as a latency. Null without values. Its standard deviation is the sample's (n − 1). */
  toLatency(of: Latency['of']): Latency | null {
    const summary = this.summarise()
    if (summary === null) return null
    return latencyOf({
      of,
      count: summary.count,
      minMs: summary.min,
      meanMs: summary.mean,
      stdDevMs: summary.count < 2 ? null : Math.sqrt(this.squares / (summary.count - 1)),
      maxMs: summary.max,
      quantiles: summary.quantiles.map(({ q, value }): { q: number; ms: Milliseconds } => ({ q, ms: value })),
      histogram: { kind: 'hdr', v2Base64: encodeIntoCompressedBase64(this.fillHistogram()), unit: 'us' },
      origin: 'samples',
      method: this.isExact ? 'nearest-rank' : 'hdr',
    })
  }

  /** Uses hdr-histogram-js, because blocks of text end synchronously: hdr-codec.ts. */
  private fillHistogram(): Histogram {
    const histogram = build({ bitBucketSize: 32, numberOfSignificantValueDigits: 3, autoResize: true })
    this.slots?.forEach((count, slot) => {
      if (count > 0) histogram.recordValueWithCount(lowestOfSlot(threeDigits, slot), count)
    })
    for (const value of this.slots === null ? this.values.subarray(0, this.size) : [])
      histogram.recordValue(Math.round(value * stepsPerUnit))
    return histogram
  }
}
