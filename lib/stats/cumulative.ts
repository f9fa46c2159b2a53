import { mergeBuckets } from '../run/coarser'
import { recordedRanks, totalOf } from './histogram'
import type { Latency } from '../run/run'

/** `share` (0…1) of all values are at or below `ms`. */
export interface CumulativePoint {
  readonly ms: number
  readonly share: number
}

/**
 * How a distribution accumulates, by rising latency. `steps`: the share holds until the next point, where it jumps (few
 * recorded values; printed percentiles or buckets, between which only "at least this share" is known). Else the points
 * are those of a recorded curve at the requested latencies.
 */
export interface Cumulative {
  readonly origin: 'recorded' | 'percentiles' | 'buckets'
  readonly steps: boolean
  readonly points: readonly CumulativePoint[]
}

/** Most steps of printed buckets that are drawn: more than a screen shows. */
const maxSteps = 400

/**
 * The share of values at or below a latency. Recorded histogram: at `placesMs` (rising) or at every recorded value,
 * whichever are fewer. Else at printed percentiles, else at the bounds of printed buckets. Null: nothing is known.
 */
export function cumulativeOf(latency: Latency, placesMs: readonly number[]): Cumulative | null {
  if (latency.histogram?.kind === 'hdr') return recorded(latency.histogram, latency, placesMs)
  const printed = latency.quantiles.filter(({ q }) => q > 0 && q < 1)
  if (printed.length > 1) {
    const points = printed.map(({ q, ms }) => ({ ms, share: q }))
    return { origin: 'percentiles', steps: true, points: withEnds(points, latency) }
  }
  const { buckets } = mergeBuckets(latency.histogram?.buckets ?? [], maxSteps)
  const total = totalOf(buckets)
  if (total === 0) return null
  let below = 0
  const points = buckets.flatMap(({ upperMs, count }) => {
    below += count
    return upperMs === null ? [] : [{ ms: upperMs, share: below / total }]
  })
  return { origin: 'buckets', steps: true, points: withEnds(points, latency) }
}

/** None is below the min, all are at or below the max, where these are known and consistent with the rest. */
function withEnds(points: readonly CumulativePoint[], { minMs, maxMs }: Latency): readonly CumulativePoint[] {
  const [first, last] = [points[0], points.at(-1)]
  const low = minMs !== null && first && minMs <= first.ms ? [{ ms: minMs, share: 0 }] : []
  const high = maxMs !== null && last && last.share < 1 && maxMs >= last.ms ? [{ ms: maxMs, share: 1 }] : []
  return [...low, ...points, ...high]
}

function recorded(
  encoded: Extract<Latency['histogram'], { kind: 'hdr' }>,
  { minMs, maxMs }: Latency,
  placesMs: readonly number[],
): Cumulative | null {
  const ranks = recordedRanks(encoded)
  const total = ranks.at(-1)?.rank ?? 0
  if (total === 0) return null
  // A histogram's slots are 0.1 % wide: exactly known ends take precedence.
  const all = ranks.map(({ ms, rank }): CumulativePoint => {
    return { ms: Math.max(minMs ?? ms, Math.min(maxMs ?? ms, ms)), share: rank / total }
  })
  const first = all[0]
  const start = first ? [{ ms: minMs ?? first.ms, share: 0 }] : []
  if (all.length <= placesMs.length) return { origin: 'recorded', steps: true, points: [...start, ...all] }
  return { origin: 'recorded', steps: false, points: [...start, ...readAt(all, placesMs)] }
}

/** The curve at its first and last point and at each place between them. */
function readAt(points: readonly CumulativePoint[], placesMs: readonly number[]): readonly CumulativePoint[] {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return points
  let at = 0
  const read = placesMs
    .filter((ms) => ms > first.ms && ms < last.ms)
    .map((ms) => {
      while ((points[at + 1]?.ms ?? Number.POSITIVE_INFINITY) <= ms) at += 1
      return { ms, share: points[at]?.share ?? 0 }
    })
  return [first, ...read, last]
}
