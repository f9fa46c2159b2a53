import type { LatencyBucket, LatencyHistogram } from '../run/run'
import {
  decodeHistogram,
  encodeHistogram,
  highestOfSlot,
  lastSlotOf,
  slotOfValue,
  type DecodedHistogram,
  type HistogramLayout,
} from '../stats/hdr-codec'

type Recorded = Extract<LatencyHistogram, { kind: 'hdr' }>
type Printed = Extract<LatencyHistogram, { kind: 'buckets' }>

const unitsPerMs = { ns: 1e6, us: 1e3, ms: 1 } as const

/** Counts of several recorded histograms in one layout. */
export interface RecordedSum {
  readonly layout: HistogramLayout
  readonly unit: Recorded['unit']
  /** By slot of the layout. */
  readonly counts: Float64Array
  readonly total: number
  /** False: some had a finer layout or unit, and their values were moved to the slots of the coarsest. */
  readonly isExact: boolean
}

/**
 * Adds recorded histograms slot by slot: lossless if all have one layout and unit, else in the coarsest of each. At
 * least one. Throws HdrFormatError for an invalid payload.
 */
export async function addRecorded(histograms: readonly Recorded[]): Promise<RecordedSum> {
  const decoded: { readonly unit: Recorded['unit']; readonly histogram: DecodedHistogram }[] = []
  for (const { v2Base64, lessV2Base64, unit } of histograms) {
    const histogram = await decodeHistogram(v2Base64)
    const less = lessV2Base64 === undefined ? null : await decodeHistogram(lessV2Base64)
    decoded.push({ unit, histogram: less === null ? histogram : without(histogram, less) })
  }
  const unit = decoded.map((one) => one.unit).reduce((a, b) => (unitsPerMs[a] <= unitsPerMs[b] ? a : b))
  const layout = {
    digits: Math.min(...decoded.map(({ histogram }) => histogram.digits)),
    lowest: Math.max(...decoded.map(({ histogram }) => histogram.lowest)),
  }
  const isOfSum = (one: (typeof decoded)[number]) =>
    one.unit === unit && one.histogram.digits === layout.digits && one.histogram.lowest === layout.lowest
  const bySlot = new Map<number, number>()
  for (const one of decoded) {
    const slotOf = isOfSum(one)
      ? (slot: number) => slot
      : (slot: number) =>
          slotOfValue(
            layout,
            Math.floor((highestOfSlot(one.histogram, slot) * unitsPerMs[unit]) / unitsPerMs[one.unit]),
          )
    for (const [slot, count] of one.histogram.counts) {
      const to = slotOf(slot)
      bySlot.set(to, (bySlot.get(to) ?? 0) + count)
    }
  }
  const counts = new Float64Array(lastSlotOf({ ...layout, counts: bySlot }) + 1)
  let total = 0
  for (const [slot, count] of bySlot) {
    counts[slot] = count
    total += count
  }
  return { layout, unit, counts, total, isExact: decoded.every(isOfSum) }
}

function without(all: DecodedHistogram, less: DecodedHistogram): DecodedHistogram {
  const counts = new Map(all.counts)
  for (const [slot, count] of less.counts) {
    const rest = (counts.get(slot) ?? 0) - count
    if (rest > 0) counts.set(slot, rest)
    else counts.delete(slot)
  }
  return { ...all, counts }
}

/** The sum as a payload. `maxMs`: the exact largest value; null: unknown, the top of the last slot. */
export async function encodeSum({ layout, unit, counts }: RecordedSum, maxMs: number | null): Promise<Recorded> {
  const top = counts.length === 0 ? 0 : highestOfSlot(layout, counts.length - 1)
  const largest = maxMs === null ? top : Math.min(top, Math.round(maxMs * unitsPerMs[unit]))
  const first = counts.findIndex((count) => count > 0)
  return { kind: 'hdr', v2Base64: await encodeHistogram(counts, largest, layout, Math.max(0, first)), unit }
}

/**
 * For each quantile (rising) the largest value of the slot with its nearest rank, in ms, at most `maxMs`: as
 * HdrHistogram computes it.
 */
export function quantilesOfSum(
  { layout, unit, counts, total }: RecordedSum,
  qs: readonly number[],
  maxMs: number | null,
): readonly { readonly q: number; readonly ms: number }[] {
  let below = 0
  let slot = -1
  return qs.map((q) => {
    const rank = Math.min(total, Math.max(1, Math.ceil(q * total - 1e-9 * Math.max(1, total * 1e-3))))
    while (below < rank && slot + 1 < counts.length) below += counts[++slot] ?? 0
    return { q, ms: Math.min(maxMs ?? Infinity, highestOfSlot(layout, slot) / unitsPerMs[unit]) }
  })
}

/**
 * Adds printed buckets at all bounds that cut through no non-empty bucket, where every count is known exactly. Null: so
 * few bounds remain that less than half of a part's buckets could be distinguished, or one part includes its lower
 * bounds and another its upper ones.
 */
export function addPrinted(histograms: readonly Printed[]): Printed | null {
  const inclusive = histograms[0]?.inclusive
  if (inclusive === undefined || histograms.some((one) => one.inclusive !== inclusive)) return null
  const filledOf = ({ buckets }: Printed) => buckets.filter(({ count }) => count > 0)
  const filled = histograms.flatMap(filledOf)
  const all = histograms.flatMap(({ buckets }) =>
    buckets.flatMap(({ lowerMs, upperMs }) => [lowerMs, upperMs ?? Infinity]),
  )
  const bounds = [...new Set(all)]
    .sort((a, b) => a - b)
    .filter((bound) => filled.every(({ lowerMs, upperMs }) => bound <= lowerMs || bound >= (upperMs ?? Infinity)))
  const buckets = bounds.slice(0, -1).map((lowerMs, at): LatencyBucket => {
    const upperMs = bounds[at + 1] ?? Infinity
    const count = filled.reduce(
      (sum, one) => sum + (one.lowerMs >= lowerMs && (one.upperMs ?? Infinity) <= upperMs ? one.count : 0),
      0,
    )
    return { lowerMs, upperMs: upperMs === Infinity ? null : upperMs, count }
  })
  const sum: Printed = { kind: 'buckets', inclusive, buckets }
  const mostOfPart = Math.max(...histograms.map((one) => filledOf(one).length))
  return filledOf(sum).length * 2 < mostOfPart ? null : sum
}

/** For each quantile (rising) the value interpolated in its bucket by its rank, in ms: as Fortio reads them. */
export function quantilesWithin(
  { buckets }: Printed,
  qs: readonly number[],
): readonly { readonly q: number; readonly ms: number }[] {
  const total = buckets.reduce((sum, { count }) => sum + count, 0)
  return qs.flatMap((q) => {
    let below = 0
    for (const { lowerMs, upperMs, count } of buckets) {
      if (count > 0 && below + count >= q * total)
        return upperMs === null ? [] : [{ q, ms: lowerMs + ((upperMs - lowerMs) * (q * total - below)) / count }]
      below += count
    }
    return []
  })
}
