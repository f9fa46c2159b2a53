import type { Latency, LatencyHistogram, Milliseconds, Quantile, Target, Warning } from '../../lib/run/run'
import { rankOf } from '../samples/flat-histogram'
import { latencyOf } from '../latency-of'

/** Locust's figures for all requests together. Null: not printed. */
export interface LocustFigures {
  readonly requests: number
  readonly minMs: Milliseconds | null
  readonly meanMs: Milliseconds | null
  readonly maxMs: Milliseconds | null
  readonly quantiles: readonly Quantile[]
  readonly histogram: LatencyHistogram | null
}

/** The distribution of all requests, including failed ones; none without requests. */
export function describeLocust(figures: LocustFigures): Latency[] {
  const { requests, histogram, ...known } = figures
  if (requests === 0 || known.meanMs === null) return []
  return [
    latencyOf({
      count: requests,
      ...known,
      histogram,
      origin: histogram === null ? 'summary' : 'buckets',
      method: 'rounded-rank',
    }),
  ]
}

const maxTargets = 50

/** The names with most requests, and what to report about the others: their percentiles cannot be added up. */
export function selectTargets(all: readonly Target[]): {
  readonly targets: readonly Target[]
  readonly warnings: Warning[]
} {
  const targets = [...all].sort((a, b) => b.count - a.count).slice(0, maxTargets)
  const left = all.length - targets.length
  const message = `${left} more ${left === 1 ? 'name has' : 'names have'} fewer requests than the ${maxTargets} that are listed.`
  return { targets, warnings: left === 0 ? [] : [{ code: 'targets-left-out', message, line: null }] }
}

/** Times as Locust rounds them → requests, rising. */
export type RoundedTimes = readonly (readonly [ms: number, count: number])[]

/** Nearest rank, as Locust computes it from rounded times. */
export function quantileOf(times: RoundedTimes, count: number, q: number): Milliseconds {
  const rank = rankOf(q, count)
  let before = 0
  for (const [ms, times_] of times) {
    before += times_
    if (before >= rank) return ms
  }
  return times.at(-1)?.[0] ?? 0
}

/** Below 100 ms Locust rounds to 1 ms, below 1,000 to 10, below 10,000 to 100, then to 1,000. */
const unitOf = (ms: number) => (ms < 100 ? 1 : ms < 1_000 ? 10 : ms < 10_000 ? 100 : 1_000)

/** The range of each rounded time as a bucket, with the gaps between them as empty buckets. */
export function bucketsOf(times: RoundedTimes): LatencyHistogram {
  const buckets: { lowerMs: number; upperMs: number; count: number }[] = []
  for (const [ms, count] of times) {
    // At 100, 1,000 and 10,000 values that were rounded up have the finer unit.
    const isStep = ms === 100 || ms === 1_000 || ms === 10_000
    const lowerMs = Math.max(0, ms - unitOf(isStep ? ms - 1 : ms) / 2)
    const last = buckets.at(-1)
    if (last !== undefined && last.upperMs < lowerMs)
      buckets.push({ lowerMs: last.upperMs, upperMs: lowerMs, count: 0 })
    buckets.push({ lowerMs, upperMs: ms + unitOf(ms) / 2, count })
  }
  return { kind: 'buckets', inclusive: 'lower', buckets }
}
