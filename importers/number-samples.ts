import { build, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js'
import type { FieldSummary, Latency, Milliseconds } from '../lib/run'

/** Values that are kept one by one; beyond, quantiles come of an HDR histogram. */
export const maxExactSamples = 100_000
/** Quantiles of a summary. */
const summaryQuantiles = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999] as const
/** Histograms count in thousandths of the unit: µs where it is ms. */
const stepsPerUnit = 1_000

/**
 * Collects numbers ≥ 0 with at most three decimals and summarises them: count, sum and extremes exactly; quantiles by
 * nearest rank up to 100,000 values, then by an HDR histogram of three digits. Memory: at most 800 kB.
 */
export class NumberSamples {
  private values = new Float64Array(16)
  private histogram: Histogram | null = null
  private size = 0
  private steps = 0
  private smallest = Infinity
  private largest = -Infinity
  /** Welford's running mean and sum of squared differences. */
  private runningMean = 0
  private squares = 0

  get count(): number {
    return this.size
  }

  get isExact(): boolean {
    return this.histogram === null
  }

  add(value: number): void {
    if (this.size < maxExactSamples) this.keep(value)
    else this.overflow().recordValue(Math.round(value * stepsPerUnit))
    this.size++
    // Whole steps add up exactly, where decimals in binary would not.
    this.steps += Math.round(value * stepsPerUnit)
    if (value < this.smallest) this.smallest = value
    if (value > this.largest) this.largest = value
    const difference = value - this.runningMean
    this.runningMean += difference / this.size
    this.squares += difference * (value - this.runningMean)
  }

  private keep(value: number): void {
    if (this.size === this.values.length) {
      const larger = new Float64Array(Math.min(maxExactSamples, this.values.length * 2))
      larger.set(this.values)
      this.values = larger
    }
    this.values[this.size] = value
  }

  private overflow(): Histogram {
    if (this.histogram === null) {
      this.histogram = this.fillHistogram()
      this.values = new Float64Array(0)
    }
    return this.histogram
  }

  private fillHistogram(): Histogram {
    const histogram = build({ bitBucketSize: 32, numberOfSignificantValueDigits: 3, autoResize: true })
    const count = Math.min(this.size, this.values.length)
    for (let index = 0; index < count; index++)
      histogram.recordValue(Math.round((this.values[index] ?? 0) * stepsPerUnit))
    return histogram
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
    const { histogram } = this
    if (histogram !== null)
      return summaryQuantiles.map((q) => ({
        q,
        // A bucket's top may lie above the largest value in it.
        value: Math.min(this.largest, histogram.getValueAtPercentile(q * 100) / stepsPerUnit),
      }))
    const sorted = this.values.slice(0, this.size).sort()
    // The dust in q·n (0.95 · 20 is 19.000000000000004 for some) must not add a rank.
    return summaryQuantiles.map((q) => ({ q, value: sorted[Math.ceil(q * this.size - 1e-9) - 1] ?? this.largest }))
  }

  /** The values, in milliseconds, as a latency. Null without values. Its standard deviation is the sample's (n − 1). */
  toLatency(of: Latency['of']): Latency | null {
    const summary = this.summarise()
    if (summary === null) return null
    const histogram = this.histogram ?? this.fillHistogram()
    return {
      of,
      count: summary.count,
      minMs: summary.min,
      meanMs: summary.mean,
      stdDevMs: summary.count < 2 ? null : Math.sqrt(this.squares / (summary.count - 1)),
      maxMs: summary.max,
      withinOneStdDevRatio: null,
      quantiles: summary.quantiles.map(({ q, value }): { q: number; ms: Milliseconds } => ({ q, ms: value })),
      histogram: { kind: 'hdr', v2Base64: encodeIntoCompressedBase64(histogram), unit: 'us' },
      origin: 'samples',
      method: this.isExact ? 'nearest-rank' : 'hdr',
    }
  }
}
