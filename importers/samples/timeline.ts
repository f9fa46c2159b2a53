import type { SteadyPart, Timeline, TimelineHeat } from '../../lib/run/run'
import { lowestOfSlot, threeDigits } from '../../lib/stats/hdr-codec'
import { coarseSlotCount, coarseSlotOf, isReached, roundMs, slotOf } from './flat-histogram'
import { isoOf } from '../text/iso-time'
import { double } from './running-stats'
import { coarseQuantiles } from './targets'

/** Beyond this, bins are joined in pairs. */
const maxBins = 200
const maxHeatColumns = 60
/** Coarse slots in a band of the heat map: half a doubling. */
const slotsPerBand = 16
const quantiles = [0.5, 0.9, 0.95, 0.99] as const

/** One bin while it is being counted. */
export class TimelineBin {
  readonly histogram = new Uint32Array(coarseSlotCount)
  count = 0
  errors = 0
  maxNs = double(0)
  /** Exact to 2^53 ns, 104 days of waiting. */
  sumNs = double(0)

  /** Counts a result whose latency of `ns` is in a slot of the coarse layout. `failed`: 0 or 1. */
  record(coarse: number, ns: number, failed: number): void {
    this.histogram[coarse] = (this.histogram[coarse] ?? 0) + 1
    this.count++
    this.errors += failed
    this.sumNs += ns
    if (ns > this.maxNs) this.maxNs = ns
  }

  add(other: TimelineBin): void {
    for (let slot = 0; slot < coarseSlotCount; slot++)
      this.histogram[slot] = (this.histogram[slot] ?? 0) + (other.histogram[slot] ?? 0)
    this.count += other.count
    this.errors += other.errors
    this.sumNs += other.sumNs
    this.maxNs = Math.max(this.maxNs, other.maxNs)
  }
}

/**
 * Counts results by the second in which their requests began; the bin width doubles as often as the run needs. Rows may
 * be in any order. Memory: at most 1.4 MB.
 */
export class TimelineBuilder {
  private readonly bins = new Map<number, TimelineBin>()
  private widthSeconds = 1
  private first = Infinity
  private last = -Infinity

  /** The bin for results that began in a second, valid until the next call. */
  open(seconds: number): TimelineBin {
    for (;;) {
      const place = Math.floor(seconds / this.widthSeconds)
      const first = Math.min(this.first, place)
      const last = Math.max(this.last, place)
      if (last - first < maxBins) {
        this.first = first
        this.last = last
        const known = this.bins.get(place)
        if (known !== undefined) return known
        const bin = new TimelineBin()
        this.bins.set(place, bin)
        return bin
      }
      this.double()
    }
  }

  private double(): void {
    this.widthSeconds *= 2
    this.first = Math.floor(this.first / 2)
    this.last = Math.floor(this.last / 2)
    const old = [...this.bins]
    this.bins.clear()
    for (const [place, bin] of old) {
      const known = this.bins.get(Math.floor(place / 2))
      if (known === undefined) this.bins.set(Math.floor(place / 2), bin)
      else known.add(bin)
    }
  }

  /** Start of the first bin, seconds. Requires rows. */
  get startSeconds(): number {
    return this.first * this.widthSeconds
  }

  /**
   * The results from the first bin that begins at `afterNs` or later; the last response ended at `endNs`. Times count
   * from the first request, which began `firstNs` after `baseSeconds`. Null: there are none.
   */
  steadyPart(baseSeconds: number, firstNs: number, afterNs: number, endNs: number): SteadyPart | null {
    const widthNs = this.widthSeconds * 1e9
    const from = Math.ceil((baseSeconds * 1e9 + firstNs + afterNs) / widthNs)
    const fromNs = (from * this.widthSeconds - baseSeconds) * 1e9 - firstNs
    const part = new TimelineBin()
    for (const [place, bin] of this.bins) if (place >= from) part.add(bin)
    const { count, errors, maxNs } = part
    if (count === 0 || fromNs >= endNs) return null
    const reached = quantiles.filter((q) => isReached(q, count))
    const found = coarseQuantiles(part.histogram, 0, count, maxNs, reached)
    const quantile = (q: (typeof quantiles)[number]) => found[reached.indexOf(q)] ?? null
    return {
      fromMs: fromNs / 1e6,
      requests: count,
      errors,
      servedPerSecond: (count - errors) / ((endNs - fromNs) / 1e9),
      meanMs: part.sumNs / count / 1e6,
      p50Ms: quantile(0.5),
      p90Ms: quantile(0.9),
      p95Ms: quantile(0.95),
      p99Ms: quantile(0.99),
      maxMs: roundMs(maxNs, 4),
    }
  }

  /** Null without rows. `isWallClock`: seconds are since 1970. */
  build(isWallClock: boolean): Timeline | null {
    if (this.bins.size === 0) return null
    const bins = Array.from({ length: this.last - this.first + 1 }, (_, index) => this.bins.get(this.first + index))
    const binMs = this.widthSeconds * 1_000
    const counts = bins.map((bin) => bin?.count ?? 0)
    const rows = bins.map((bin, index) =>
      bin === undefined ? [] : coarseQuantiles(bin.histogram, 0, counts[index] ?? 0, bin.maxNs, quantiles),
    )
    const column = (index: number) => rows.map((row) => row[index] ?? null)
    return {
      startedAt: isWallClock ? isoOf(this.first * this.widthSeconds * 1_000) : null,
      binMs,
      requests: counts,
      errors: bins.map((bin) => bin?.errors ?? 0),
      p50Ms: column(0),
      p90Ms: column(1),
      p95Ms: column(2),
      p99Ms: column(3),
      maxMs: bins.map((bin) => (bin === undefined ? null : roundMs(bin.maxNs, 4))),
      heat: heatOf(bins, binMs),
      warmUp: null,
    }
  }
}

function heatOf(bins: readonly (TimelineBin | undefined)[], binMs: number): TimelineHeat {
  let perColumn = 1
  while (Math.ceil(bins.length / perColumn) > maxHeatColumns) perColumn *= 2
  const columns = Math.ceil(bins.length / perColumn)
  const bandCount = Math.ceil(coarseSlotCount / slotsPerBand)
  const bands = Array.from({ length: bandCount }, () => new Array<number>(columns).fill(0))
  bins.forEach((bin, index) => {
    if (bin === undefined) return
    const column = Math.floor(index / perColumn)
    const last = coarseSlotOf(slotOf(bin.maxNs))
    for (let slot = 0; slot <= last; slot++) {
      const count = bin.histogram[slot] ?? 0
      const band = count > 0 ? bands[Math.floor(slot / slotsPerBand)] : undefined
      if (band) band[column] = (band[column] ?? 0) + count
    }
  })
  const isUsed = (band: readonly number[]) => band.some((count) => count > 0)
  const from = bands.findIndex(isUsed)
  const to = bands.findLastIndex(isUsed)
  return {
    binMs: binMs * perColumn,
    lowerMs: bands
      .slice(from, to + 1)
      .map((_, index) => lowestOfSlot(threeDigits, (from + index) * slotsPerBand * 32) / 1e6),
    counts: bands.slice(from, to + 1),
  }
}
