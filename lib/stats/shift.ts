import { leadingLatency } from '../run/figures'
import type { ImportedRun } from '../run/run'
import { quantileReader } from './histogram'
import { quantileToX, supportedQuantile } from './quantile'
import { median } from './robust'

/** How much slower a side is than the base at one percentile. */
export interface ShiftPoint {
  readonly q: number
  readonly x: number
  /** head − base at this percentile, ms. */
  readonly ms: number
  /** Range expected by chance alone; null: no samples and no repeats. */
  readonly lowMs: number | null
  readonly highMs: number | null
}

interface Distribution {
  readonly count: number | null
  readonly recorded: boolean
  readonly printed: readonly number[]
  read(q: number): number | null
}

const defaultQuantiles = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999]
/** Neighbouring requests are alike: their ranks spread like those of a quarter as many independent requests. */
const dependence = 4

type Run = Pick<ImportedRun, 'latencies'>

/**
 * The shift between the runs of two sides at each percentile that all of them know, rising; never interpolated between
 * printed ones, and only where at least 10 requests are slower. Repeats are compared by their medians.
 */
export function quantileShift(baseRuns: readonly Run[], headRuns: readonly Run[]): readonly ShiftPoint[] {
  const [base, head] = [baseRuns, headRuns].map((runs) => runs.flatMap((run) => distributionOf(run) ?? []))
  return !base?.length || !head?.length ? [] : shiftPoints(base, head)
}

function distributionOf(run: Run): Distribution | null {
  const latency = leadingLatency(run)
  if (!latency) return null
  const recorded = latency.histogram?.kind === 'hdr'
  return { count: latency.count, recorded, printed: latency.quantiles.map(({ q }) => q), read: quantileReader(latency) }
}

function shiftPoints(base: readonly Distribution[], head: readonly Distribution[]): readonly ShiftPoint[] {
  const all = [...base, ...head]
  const counts = all.flatMap((one) => one.count ?? [])
  const reach = counts.length === 0 ? 1 : (supportedQuantile(Math.min(...counts)) ?? 0)
  const qs = [...new Set([...defaultQuantiles, ...all.flatMap((one) => one.printed)])]
    .filter((q) => q > 0 && q < 1 && q <= reach + 1e-9)
    .sort((a, b) => a - b)
  return qs.flatMap((q): ShiftPoint[] => {
    const [before, after] = [base, head].map((side) => side.flatMap((one) => one.read(q) ?? []))
    if (!before || !after || before.length < base.length || after.length < head.length) return []
    const ms = median(after) - median(before)
    return [{ q, x: quantileToX(q), ms, ...bandOf(q, ms, { base, head, before, after }) }]
  })
}

/** Repeats: the range of the runs. Single runs with samples: the sampling error of both percentiles, 95 %. */
function bandOf(
  q: number,
  ms: number,
  sides: {
    readonly base: readonly Distribution[]
    readonly head: readonly Distribution[]
    readonly before: readonly number[]
    readonly after: readonly number[]
  },
): { readonly lowMs: number | null; readonly highMs: number | null } {
  const { base, head, before, after } = sides
  if (before.length > 1 && after.length > 1)
    return { lowMs: Math.min(...after) - Math.max(...before), highMs: Math.max(...after) - Math.min(...before) }
  const [one, other] = [base[0], head[0]]
  if (!one?.recorded || !other?.recorded || !one.count || !other.count || before.length + after.length > 2)
    return { lowMs: null, highMs: null }
  const [from, to] = [errorOf(one, one.count, q), errorOf(other, other.count, q)]
  return { lowMs: ms - Math.hypot(to.below, from.above), highMs: ms + Math.hypot(to.above, from.below) }
}

function errorOf(one: Distribution, count: number, q: number): { readonly below: number; readonly above: number } {
  const reach = (1.96 * Math.sqrt(count * q * (1 - q) * dependence)) / count
  const middle = one.read(q) ?? 0
  const below = middle - (one.read(Math.max(0, q - reach)) ?? middle)
  return { below, above: (one.read(Math.min(1, q + reach)) ?? middle) - middle }
}
