import type { LatencyHistogram, Milliseconds } from '../../lib/run/run'
import { encodeHistogram, highestOfSlot, lowestOfSlot, threeDigits } from '../../lib/stats/hdr-codec'

/**
 * The layout of HdrHistogram (https://github.com/HdrHistogram/HdrHistogram, AbstractHistogram.countsArrayIndex) with
 * three digits and lowest value 1, as one flat array: values below 2,048 individually, then 1,024 slots per doubling.
 * Recording costs 2 ns, where hdr-histogram-js needs 80.
 */

/** Beyond 2^51 ns (26 days) there are no slots. */
export const largestNs = 2 ** 51 - 1
const slotCount = 43 * 1024
/** Slots of the coarse layout: 32 per doubling, so that a slot is at most 3.1 % wide. */
export const coarseSlotCount = slotCount >> 5

/** Slot of a whole number 0…`largestNs`. */
export function slotOf(ns: number): number {
  if (ns < 2048) return ns
  if (ns < 0x80000000) {
    const shift = 21 - Math.clz32(ns)
    return (shift << 10) + (ns >> shift)
  }
  const high = Math.floor(ns / 0x100000)
  const shift = 21 - Math.clz32(high)
  return ((shift + 20) << 10) + (high >> shift)
}

/** Slot of the coarse layout that contains a slot. */
export function coarseSlotOf(slot: number): number {
  return slot >> 5
}

/** The value in the middle of a coarse slot: at most 1.6 % from any value in it. */
export function middleOfCoarse(coarse: number): number {
  return Math.floor((lowestOfSlot(threeDigits, coarse << 5) + highestOfSlot(threeDigits, (coarse << 5) + 31)) / 2)
}

/** Rank (1…count) of a quantile by nearest rank. A rounding error in q·n must not add a rank. */
export function rankOf(q: number, count: number): number {
  return Math.min(count, Math.max(1, Math.ceil(q * count - 1e-9 * Math.max(1, count * 1e-3))))
}

/** Whether a quantile of this many values is not just the largest one. The median is always reported. */
export function isReached(q: number, count: number): boolean {
  return q === 0.5 || count * (1 - q) >= 1 - 1e-9
}

/** Counts of whole nanoseconds 0…`largestNs`. Memory: 176 kB. */
export class FlatHistogram {
  readonly counts = new Uint32Array(slotCount)

  /** Number of recorded values. */
  total(): number {
    let total = 0
    for (const count of this.counts) total += count
    return total
  }

  /** Adds the counts of slots `from`…`to`. */
  addRange(other: FlatHistogram, from: number, to: number): void {
    const { counts } = this
    for (let slot = from; slot <= to; slot++) counts[slot] = (counts[slot] ?? 0) + (other.counts[slot] ?? 0)
  }

  /**
   * For each rank (rising, 1…total) the largest value of its slot, as in HdrHistogram: at most 0.1 % too high.
   * `smallest`: lower bound of all values.
   */
  valuesAtRanks(ranks: readonly number[], smallest = 0): number[] {
    const { counts } = this
    let before = 0
    let slot = slotOf(smallest) - 1
    return ranks.map((rank) => {
      while (before < rank && slot + 1 < slotCount) before += counts[++slot] ?? 0
      return highestOfSlot(threeDigits, slot)
    })
  }

  /** A standard V2 payload that every HdrHistogram reads. `smallest`, `largest`: of the recorded values. */
  async encode(smallest: number, largest: number): Promise<LatencyHistogram> {
    const counts = this.counts.subarray(0, slotOf(largest) + 1)
    return { kind: 'hdr', v2Base64: await encodeHistogram(counts, largest, threeDigits, slotOf(smallest)), unit: 'ns' }
  }
}

/** Nanoseconds as milliseconds with this many digits: for figures no more exact than the slots they were read from. */
export function roundMs(ns: number, digits = 3): Milliseconds {
  return Number((ns / 1e6).toPrecision(digits))
}
