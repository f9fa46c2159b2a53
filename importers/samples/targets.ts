import type { Milliseconds, Target } from '../../lib/run/run'
import { coarseSlotCount, middleOfCoarse, rankOf, roundMs } from './flat-histogram'

/** Most addresses that are counted individually; later ones are the rest. */
export const maxTrackedTargets = 400
/** Most addresses that are listed. */
const maxListedTargets = 50

/** The name of a counted address. */
interface TargetName {
  readonly method: string | null
  readonly url: string | null
}

/** Counts requests, errors, bytes and latencies (in slots of 3 %) of each address. Memory: at most 2.3 MB. */
export class TargetTable {
  private histograms = new Uint32Array(0)
  private readonly errors = new Float64Array(maxTrackedTargets + 1)
  private readonly bytesIn = new Float64Array(maxTrackedTargets + 1)
  private readonly sums = new Float64Array(maxTrackedTargets + 1)
  private readonly largest = new Float64Array(maxTrackedTargets + 1)
  private rows = 0

  /** Counts a result whose latency of `ns` is in a slot of the coarse layout. `failed`: 0 or 1. */
  record(target: number, coarse: number, ns: number, received: number, failed: number): void {
    if (target >= this.rows) this.makeRoom(target + 1)
    const { histograms, sums, bytesIn, largest } = this
    const place = target * coarseSlotCount + coarse
    histograms[place] = (histograms[place] ?? 0) + 1
    sums[target] = (sums[target] ?? 0) + ns
    bytesIn[target] = (bytesIn[target] ?? 0) + received
    if (failed > 0) this.errors[target] = (this.errors[target] ?? 0) + failed
    if (ns > (largest[target] ?? 0)) largest[target] = ns
  }

  private makeRoom(count: number): void {
    this.rows = Math.min(maxTrackedTargets + 1, Math.max(count, this.rows * 2))
    const larger = new Uint32Array(this.rows * coarseSlotCount)
    larger.set(this.histograms)
    this.histograms = larger
  }

  /** Most frequent first, then the rest. `nameOf` returns an address by its index; null: no row had one. */
  list(nameOf: (index: number) => TargetName): readonly Target[] | null {
    const groups = this.groupByName(nameOf)
    if (groups.length === 0) return null
    const listed = groups.filter(({ isRest }) => !isRest).slice(0, maxListedTargets)
    const rest = groups.filter((group) => !listed.includes(group)).flatMap(({ indices }) => indices)
    return [
      ...listed.map(({ indices, name }) => this.describe(indices, name)),
      ...(rest.length > 0 ? [this.describe(rest, { method: null, url: null })] : []),
    ]
  }

  /** One address may have been written in several ways. */
  private groupByName(nameOf: (index: number) => TargetName) {
    const groups = new Map<string, { indices: number[]; name: TargetName; count: number; isRest: boolean }>()
    for (let index = 0; index < this.rows; index++) {
      const count = this.countOf(index)
      if (count === 0) continue
      const isRest = index >= maxTrackedTargets
      const name = isRest ? { method: null, url: null } : nameOf(index)
      const key = isRest ? '' : `${name.method} ${name.url}`
      const group = groups.get(key) ?? { indices: [], name, count: 0, isRest }
      group.indices.push(index)
      group.count += count
      groups.set(key, group)
    }
    return [...groups.values()].sort((a, b) => b.count - a.count)
  }

  private countOf(index: number): number {
    let count = 0
    for (const slot of this.histograms.subarray(index * coarseSlotCount, (index + 1) * coarseSlotCount)) count += slot
    return count
  }

  private describe(indices: readonly number[], { method, url }: TargetName): Target {
    const total = (column: Float64Array) => indices.reduce((sum, index) => sum + (column[index] ?? 0), 0)
    const histogram = new Float64Array(coarseSlotCount)
    for (const index of indices)
      for (let slot = 0; slot < coarseSlotCount; slot++)
        histogram[slot] = (histogram[slot] ?? 0) + (this.histograms[index * coarseSlotCount + slot] ?? 0)
    const count = histogram.reduce((sum, slot) => sum + slot, 0)
    const maxNs = Math.max(...indices.map((index) => this.largest[index] ?? 0))
    const [p50Ms = 0, p95Ms = 0, p99Ms = 0] = coarseQuantiles(histogram, 0, count, maxNs, [0.5, 0.95, 0.99])
    return {
      method,
      url,
      count,
      errors: total(this.errors),
      bytesIn: total(this.bytesIn),
      meanMs: total(this.sums) / count / 1e6,
      p50Ms,
      p95Ms,
      p99Ms,
      maxMs: maxNs / 1e6,
    }
  }
}

/** Quantiles (rising) of `count` values in the coarse slots that begin at `from`, in ms with three digits. */
export function coarseQuantiles(
  histogram: Uint32Array | Float64Array,
  from: number,
  count: number,
  maxNs: number,
  quantiles: readonly number[],
): Milliseconds[] {
  let before = 0
  let slot = -1
  return quantiles.map((q) => {
    const rank = rankOf(q, count)
    while (before < rank && slot + 1 < coarseSlotCount) before += histogram[from + ++slot] ?? 0
    return roundMs(Math.min(maxNs, middleOfCoarse(slot)))
  })
}
