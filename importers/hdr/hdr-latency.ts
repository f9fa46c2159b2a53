import type { Latency, Milliseconds, Warning } from '../../lib/run/run'
import {
  encodeDecoded,
  highestOfSlot,
  lowestOfSlot,
  medianOfSlot,
  maxRecordedValues,
  withinThreeDigits,
  type DecodedHistogram,
} from '../../lib/stats/hdr-codec'
import { rankOf } from '../samples/flat-histogram'
import { guessUnit, toMs, type HdrUnit } from './hdr-unit'
import { latencyOf } from '../latency-of'

const quantiles = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999] as const

/** Number of values. */
function countOf({ counts }: DecodedHistogram): number {
  let total = 0
  for (const count of counts.values()) total += count
  return total
}

/** Adds the counts of histograms of one layout. */
export function addHistogram(into: Map<number, number>, { counts }: DecodedHistogram): void {
  for (const [slot, count] of counts) into.set(slot, (into.get(slot) ?? 0) + count)
}

/** The unit that the size of the median suggests. */
export function guessUnitOf(histogram: DecodedHistogram): HdrUnit {
  return guessUnit(valuesAtRanks(histogram, [rankOf(0.5, countOf(histogram))])[0] ?? 0)
}

/**
 * The figures of a recorded histogram, as computed by HdrHistogram's own tools: a quantile is the largest value of the
 * slot with its nearest rank, mean and deviation use the middle of each slot. `maxMs`: as printed in the file; null:
 * not printed, so the top of the last slot. Null without values.
 */
export async function describeHistogram(
  histogram: DecodedHistogram,
  unit: HdrUnit,
  maxMs: Milliseconds | null,
): Promise<Latency | null> {
  const count = countOf(histogram)
  const slots = [...histogram.counts].sort(([a], [b]) => a - b)
  const first = slots[0]
  const last = slots.at(-1)
  if (first === undefined || last === undefined) return null
  const mean = slots.reduce((sum, [slot, n]) => sum + medianOfSlot(histogram, slot) * n, 0) / count
  const squares = slots.reduce((sum, [slot, n]) => sum + (medianOfSlot(histogram, slot) - mean) ** 2 * n, 0)
  const reached = quantiles.filter((q) => q === 0.5 || count * (1 - q) >= 1 - 1e-9)
  const values = valuesAtRanks(
    histogram,
    reached.map((q) => rankOf(q, count)),
  )
  const largest = highestOfSlot(histogram, last[0])
  return latencyOf({
    count,
    minMs: toMs(lowestOfSlot(histogram, first[0]), unit),
    meanMs: toMs(mean, unit),
    stdDevMs: toMs(Math.sqrt(squares / count), unit),
    maxMs: maxMs ?? toMs(largest, unit),
    quantiles: reached.map((q, index) => ({ q, ms: toMs(values[index] ?? largest, unit) })),
    histogram: { kind: 'hdr', v2Base64: await encodeDecoded(withinThreeDigits(histogram), largest), unit },
    origin: 'buckets',
    method: 'hdr',
  })
}

/**
 * The warning about a histogram that `describeHistogram` stores in fewer digits; its figures are those of the original.
 */
export function warnOfDigits({ counts }: DecodedHistogram, line: number | null): readonly Warning[] {
  if (counts.size <= maxRecordedValues) return []
  const message = `The histogram distinguishes ${counts.size.toLocaleString('en')} values: it is stored with three digits and all counts, and values read from it are within 0.1 %. The uploaded file has all.`
  return [{ code: 'coarser', message, line, numbers: { values: counts.size } }]
}

/** For each rank (rising, 1…count) the largest value of its slot. */
function valuesAtRanks(histogram: DecodedHistogram, ranks: readonly number[]): number[] {
  const slots = [...histogram.counts].sort(([a], [b]) => a - b)
  let before = 0
  let at = -1
  return ranks.map((rank) => {
    while (before < rank && at + 1 < slots.length) before += slots[++at]?.[1] ?? 0
    return highestOfSlot(histogram, slots[at]?.[0] ?? 0)
  })
}
