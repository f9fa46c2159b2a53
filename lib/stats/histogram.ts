import * as hdr from 'hdr-histogram-js'
import { LRUCache } from 'lru-cache'
import { maxRecordedValues } from './hdr-codec'
import { mergeBuckets } from '../run/coarser'
import type { Latency, LatencyHistogram, Quantile } from '../run/run'

/** A bar of a histogram: `count` values between the bounds. `upperMs` null: open end. */
export interface Bar {
  readonly lowerMs: number
  readonly upperMs: number | null
  readonly count: number
}

const msPerUnit = { ns: 1e-6, us: 1e-3, ms: 1 } as const
/** Charts never hold more bars or points than these, whatever the run's size. */
const maxBars = 200
const maxPoints = 400
/** Of a three-digit histogram: one part in 1,024 at the coarsest. */
const resolution = 1 / 1_024

/** Decoded payloads, some 40 MB with the values read from them: pages of the same runs are reopened often. */
const decodedOnce = new LRUCache<string, hdr.JsHistogram>({
  maxSize: 4_000_000,
  sizeCalculation: (histogram) => histogram.countsArrayLength,
})

/**
 * Decodes HdrHistogram V2 payloads; callers must not modify the result. Throws for invalid payloads, and when more is
 * subtracted than there is.
 */
function decode({ v2Base64, lessV2Base64 }: Extract<LatencyHistogram, { kind: 'hdr' }>): hdr.JsHistogram {
  const key = lessV2Base64 === undefined ? v2Base64 : `${v2Base64} ${lessV2Base64}`
  const known = decodedOnce.get(key)
  if (known) return known
  const decoded = decodePayload(v2Base64)
  if (lessV2Base64 !== undefined) decoded.subtract(decodePayload(lessV2Base64))
  decodedOnce.set(key, decoded)
  return decoded
}

function decodePayload(v2Base64: string): hdr.JsHistogram {
  const decoded = hdr.decodeFromCompressedBase64(v2Base64)
  if (!(decoded instanceof hdr.JsHistogram))
    throw new Error('The WebAssembly build of hdr-histogram-js is not used here')
  return isFine(decoded) ? inThreeDigits(decoded) : decoded
}

/** More values than pages can read: stored before imports bounded such payloads. */
function isFine(recorded: hdr.JsHistogram): boolean {
  let used = 0
  for (let slot = 0; slot < recorded.countsArrayLength && used <= maxRecordedValues; slot += 1)
    if (recorded.getCountAtIndex(slot) > 0) used += 1
  return used > maxRecordedValues
}

function inThreeDigits(recorded: hdr.JsHistogram): hdr.JsHistogram {
  const coarser = hdr.build({
    bitBucketSize: 64,
    autoResize: true,
    numberOfSignificantValueDigits: 3,
    useWebAssembly: false,
  })
  if (!(coarser instanceof hdr.JsHistogram)) throw new Error('hdr-histogram-js built another kind of histogram')
  for (let slot = 0; slot < recorded.countsArrayLength; slot += 1) {
    const count = recorded.getCountAtIndex(slot)
    if (count > 0) coarser.recordValueWithCount(recorded.valueFromIndex(slot), count)
  }
  return coarser
}

/** The same values with the same counts. */
export function isSameHistogram(
  one: Extract<LatencyHistogram, { kind: 'hdr' }>,
  other: Extract<LatencyHistogram, { kind: 'hdr' }>,
): boolean {
  if (one.unit !== other.unit) return false
  const counted = (histogram: hdr.JsHistogram) => {
    const pairs: number[] = []
    forEachValue(histogram, (value, count) => pairs.push(value, count))
    return pairs
  }
  const [pairs, others] = [counted(decode(one)), counted(decode(other))]
  return pairs.length === others.length && pairs.every((number, index) => number === others[index])
}

/** Recorded values, rising, each with the number of values at or below it. */
interface Ranks {
  readonly values: readonly number[]
  readonly counts: readonly number[]
}

const ranksOnce = new WeakMap<hdr.JsHistogram, Ranks>()

function ranksOf(recorded: hdr.JsHistogram): Ranks {
  const known = ranksOnce.get(recorded)
  if (known) return known
  const values: number[] = []
  const counts: number[] = []
  // `recordedValuesIterator` computes the value of every slot, even empty ones: 5 ms instead of 0.1.
  let below = 0
  for (let slot = 0; slot < recorded.countsArrayLength && below < recorded.totalCount; slot += 1) {
    const count = recorded.getCountAtIndex(slot)
    if (count === 0) continue
    below += count
    values.push(recorded.highestEquivalentValue(recorded.valueFromIndex(slot)))
    counts.push(below)
  }
  const ranks = { values, counts }
  ranksOnce.set(recorded, ranks)
  return ranks
}

/** Like `getValueAtPercentile`, which sums all slots again for each of a curve's hundreds of points. */
function valueAt(recorded: hdr.JsHistogram, q: number): number {
  const { values, counts } = ranksOf(recorded)
  const wanted = (Math.min(q * 100, 100) / 100) * recorded.totalCount
  // As in the library: a rounding error of one unit in the last place must not skip a value.
  const dust = wanted > 0 ? 2 ** (Math.floor(Math.log2(wanted)) - 52) : 0
  const rank = Math.max(1, Math.ceil(wanted - dust))
  let [low, high] = [0, counts.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((counts[middle] ?? 0) >= rank) high = middle
    else low = middle + 1
  }
  const value = values[low] ?? 0
  return q === 0 ? recorded.lowestEquivalentValue(value) : value
}

const barsOnce = new WeakMap<hdr.JsHistogram, Map<string, readonly Bar[]>>()

/**
 * At most 200 bars, rising. Printed buckets as they are, or merged; a recorded histogram in bars of equal width, linear
 * or by factor.
 */
export function barsOf(histogram: LatencyHistogram, scale: 'linear' | 'log' = 'linear', barCount = 40): readonly Bar[] {
  if (histogram.kind === 'buckets') return mergedOnce(histogram)
  const recorded = decode(histogram)
  const known = barsOnce.get(recorded) ?? new Map<string, readonly Bar[]>()
  barsOnce.set(recorded, known)
  const key = `${scale} ${barCount} ${histogram.unit}`
  const bars = known.get(key) ?? countBars(recorded, msPerUnit[histogram.unit], scale, barCount)
  known.set(key, bars)
  return bars
}

const mergedBars = new WeakMap<LatencyHistogram, readonly Bar[]>()

function mergedOnce(histogram: Extract<LatencyHistogram, { kind: 'buckets' }>): readonly Bar[] {
  const known = mergedBars.get(histogram) ?? mergeBuckets(histogram.buckets, maxBars).buckets
  mergedBars.set(histogram, known)
  return known
}

function countBars(
  recorded: hdr.JsHistogram,
  unitMs: number,
  scale: 'linear' | 'log',
  barCount: number,
): readonly Bar[] {
  if (recorded.totalCount === 0) return []
  const low = Math.max(1, recorded.minNonZeroValue)
  const high = recorded.maxValue + 1
  const bars = Math.max(1, Math.min(barCount, maxBars, distinctSteps(low, high, scale)))
  const bound = (index: number) =>
    scale === 'log' ? low * (high / low) ** (index / bars) : low + ((high - low) * index) / bars
  const counts = new Array<number>(bars).fill(0)
  forEachValue(recorded, (value, count) => {
    const position = scale === 'log' ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low)
    const at = Math.min(bars - 1, Math.max(0, Math.floor(position * bars)))
    counts[at] = (counts[at] ?? 0) + count
  })
  return counts.map((count, index) => ({ lowerMs: bound(index) * unitMs, upperMs: bound(index + 1) * unitMs, count }))
}

/** How many bars a three-digit histogram can distinguish; any more would be empty, between full ones. */
function distinctSteps(low: number, high: number, scale: 'linear' | 'log'): number {
  const steps = scale === 'log' ? Math.log(high / low) / Math.log1p(resolution) : (high - low) / (high * resolution)
  return Math.floor(Math.min(steps, high - low))
}

/** Recorded values with their counts, rising; equal up to the histogram's resolution. */
function forEachValue(recorded: hdr.JsHistogram, visit: (value: number, count: number) => void): void {
  const { values, counts } = ranksOf(recorded)
  values.forEach((value, at) => visit(value, (counts[at] ?? 0) - (counts[at - 1] ?? 0)))
}

/**
 * At most `most` points of the percentile curve, rising: as printed, or read from the recorded histogram at every step
 * that the count supports and at `also`. Exactly known quantiles, min and max take precedence over the histogram's.
 */
export function quantilePoints(
  latency: Latency,
  also: readonly number[] = [],
  most: number = maxPoints,
): readonly Quantile[] {
  if (latency.histogram?.kind !== 'hdr') return latency.quantiles
  const known = pointsOnce.get(latency) ?? new Map<string, readonly Quantile[]>()
  pointsOnce.set(latency, known)
  const key = `${most} ${also.join(' ')}`
  const points = known.get(key) ?? readPoints(latency, latency.histogram, also, most)
  known.set(key, points)
  return points
}

/** Runs that are read again keep their latencies, so these are computed once. */
const pointsOnce = new WeakMap<Latency, Map<string, readonly Quantile[]>>()

function readPoints(
  latency: Latency,
  histogram: Extract<LatencyHistogram, { kind: 'hdr' }>,
  also: readonly number[],
  most: number,
): readonly Quantile[] {
  const recorded = decode(histogram)
  const unitMs = msPerUnit[histogram.unit]
  const total = recorded.totalCount
  if (total === 0) return latency.quantiles
  const exact = [...(latency.minMs === null ? [] : [{ q: 0, ms: latency.minMs }]), ...latency.quantiles]
  // Equal steps on the axis 1/(1 − q), from the min to the last value.
  const decades = Math.log10(Math.max(total, 2))
  const steps = Math.min(most, maxPoints, Math.ceil(decades * 60), Math.max(2, total))
  const grid = Array.from({ length: steps + 1 }, (_, step) => 1 - 10 ** ((-decades * step) / steps))
  const read = [...grid, ...also].map((q) => ({
    q,
    ms: Math.min(valueAt(recorded, q) * unitMs, latency.maxMs ?? Number.POSITIVE_INFINITY),
  }))
  // A histogram's value may be 0.1 % off: such a point must not be on the wrong side of an exact one.
  const agrees = (point: Quantile) =>
    exact.every(
      (known) =>
        Math.abs(known.q - point.q) > 1e-9 && (known.q < point.q ? known.ms <= point.ms : known.ms >= point.ms),
    )
  return [...exact, ...read.filter(agrees)].sort((a, b) => a.q - b.q)
}

/** A recorded histogram and the ms of one of its units. Throws for an invalid payload. */
export function recordedHistogram(histogram: Extract<LatencyHistogram, { kind: 'hdr' }>): {
  readonly histogram: hdr.JsHistogram
  readonly unitMs: number
} {
  return { histogram: decode(histogram), unitMs: msPerUnit[histogram.unit] }
}

/** Recorded values in ms, rising, each with the number at or below it. Throws for an invalid payload. */
export function recordedRanks(
  histogram: Extract<LatencyHistogram, { kind: 'hdr' }>,
): readonly { readonly ms: number; readonly rank: number }[] {
  const { values, counts } = ranksOf(decode(histogram))
  const unitMs = msPerUnit[histogram.unit]
  return values.map((value, at) => ({ ms: value * unitMs, rank: counts[at] ?? 0 }))
}

/** Sum of the counts of all bars. */
export const totalOf = (bars: readonly Bar[]): number => bars.reduce((sum, bar) => sum + bar.count, 0)

/**
 * How many recorded values are below each bound (rising, ms): at least `min`; at most `max`, which includes the slot
 * that the bound cuts through.
 */
export function countsBelow(
  histogram: Extract<LatencyHistogram, { kind: 'hdr' }>,
  boundsMs: readonly number[],
): readonly { readonly min: number; readonly max: number }[] {
  const recorded = decode(histogram)
  const counts = boundsMs.map(() => ({ min: 0, max: 0 }))
  const unitMs = msPerUnit[histogram.unit]
  forEachValue(recorded, (value, count) => {
    const lowestMs = recorded.lowestEquivalentValue(value) * unitMs
    const highestMs = value * unitMs
    boundsMs.forEach((boundMs, index) => {
      const at = counts[index]
      if (at === undefined) return
      // Rounding must not move a value across a bound that it equals.
      if (highestMs < boundMs * (1 - 1e-12)) at.min += count
      if (lowestMs < boundMs * (1 + 1e-12)) at.max += count
    })
  })
  return counts
}

/** The value at a quantile 0…1: read from the recorded histogram, else as printed; null: unknown. */
export function quantileReader(latency: Latency): (q: number) => number | null {
  if (latency.histogram?.kind !== 'hdr')
    return (q) => latency.quantiles.find((one) => Math.abs(one.q - q) < 1e-9)?.ms ?? null
  const recorded = decode(latency.histogram)
  const unitMs = msPerUnit[latency.histogram.unit]
  return (q) => (recorded.totalCount === 0 ? null : valueAt(recorded, q) * unitMs)
}
