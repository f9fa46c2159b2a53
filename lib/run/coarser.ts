import type { LatencyBucket, Timeline, TimelineHeat } from './run'

/** Buckets of a histogram that are stored; a tool prints a dozen, a percentile table some hundred. */
export const maxBuckets = 2_000
/** Percentiles of a distribution; a table of them has a hundred rows. */
export const maxQuantiles = 300
/** Intervals of a timeline; raw results are counted in at most 200. */
const maxBins = 400
/** Columns and bands of a heat map. */
const maxHeatSide = 120

/** Percentiles that pages, rules and exports look up by name. */
const namedQuantiles = new Set([0, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 1])

/**
 * Merges neighbours until there are at most `most`, keeping all counts. A merged bucket is never wider than its lower
 * bound times `errorRatio` (0…1), about the smallest sufficient; values read from it are off by at most that. Infinity:
 * none is.
 */
export function mergeBuckets<Bucket extends LatencyBucket>(
  buckets: readonly Bucket[],
  most: number,
): { readonly buckets: readonly LatencyBucket[]; readonly errorRatio: number } {
  if (buckets.length <= most) return { buckets, errorRatio: 0 }
  for (let errorRatio = 0.001; errorRatio <= 1; errorRatio *= 1.25) {
    const merged = mergeWithin(buckets, errorRatio, most)
    if (merged !== null) return { buckets: merged, errorRatio }
  }
  return { buckets: mergeEvenly(buckets, most), errorRatio: Number.POSITIVE_INFINITY }
}

/** Null: still more than `most`. */
function mergeWithin(
  buckets: readonly LatencyBucket[],
  errorRatio: number,
  most: number,
): readonly LatencyBucket[] | null {
  const merged: LatencyBucket[] = []
  for (const bucket of buckets) {
    const last = merged.at(-1)
    const fits = last && (bucket.upperMs ?? Number.POSITIVE_INFINITY) <= last.lowerMs * (1 + errorRatio)
    if (fits) merged[merged.length - 1] = joined(last, bucket)
    else if (merged.push(bucket) > most) return null
  }
  return merged
}

/** Thousands of open ends, or of zero-width buckets at 0: no tool prints them. */
function mergeEvenly(buckets: readonly LatencyBucket[], most: number): readonly LatencyBucket[] {
  return groupsOf(buckets, Math.ceil(buckets.length / most)).map((group) => group.reduce(joined))
}

const joined = (one: LatencyBucket, other: LatencyBucket): LatencyBucket => ({
  lowerMs: one.lowerMs,
  upperMs: one.upperMs === null || other.upperMs === null ? null : Math.max(one.upperMs, other.upperMs),
  count: one.count + other.count,
})

/** `most` of them: the first, the last, those that pages name, and others in even steps, as in a percentile table. */
export function thinQuantiles<Point extends { readonly q: number }>(
  points: readonly Point[],
  most: number,
): readonly Point[] {
  if (points.length <= most) return points
  const named = points.filter(({ q }) => namedQuantiles.has(q)).slice(0, namedQuantiles.size)
  const kept = new Set(named)
  const steps = most - kept.size
  for (let step = 0; step < steps; step++) {
    const point = points[Math.round((step * (points.length - 1)) / (steps - 1))]
    if (point) kept.add(point)
  }
  return points.filter((point) => kept.has(point))
}

/**
 * Joins intervals in pairs, as often as needed: requests and failures are added, the max is the largest. Percentiles of
 * joined intervals are null, because they cannot be computed from those of their parts.
 */
export function coarserTimeline(timeline: Timeline): Timeline {
  const count = timeline.requests.length
  let factor = 1
  while (Math.ceil(count / factor) > maxBins) factor *= 2
  const heat = coarserHeat(timeline.heat, timeline.binMs, factor)
  if (factor === 1) return heat === timeline.heat ? timeline : { ...timeline, heat }
  const requests = groupsOf(timeline.requests, factor)
  const alone = (column: readonly (number | null)[]) =>
    requests.map((group, at) => {
      const used = group.flatMap((one, index) => (one > 0 ? [at * factor + index] : []))
      return used.length === 1 ? (column[used[0] ?? -1] ?? null) : null
    })
  return {
    ...timeline,
    binMs: timeline.binMs * factor,
    requests: requests.map(sum),
    errors: groupsOf(timeline.errors, factor).slice(0, requests.length).map(sum),
    p50Ms: alone(timeline.p50Ms),
    p90Ms: alone(timeline.p90Ms),
    p95Ms: alone(timeline.p95Ms),
    p99Ms: alone(timeline.p99Ms),
    maxMs: groupsOf(timeline.maxMs, factor).slice(0, requests.length).map(largest),
    heat,
  }
}

/** Joins columns and bands in pairs until both are few and a column spans whole intervals of the timeline. */
function coarserHeat(heat: TimelineHeat, binMs: number, factor: number): TimelineHeat {
  const columnCount = heat.counts.reduce((most, row) => Math.max(most, row.length), 0)
  const isWhole = (wide: number) => wide >= factor || (heat.binMs * wide) % (binMs * factor) === 0
  let wide = 1
  while (Math.ceil(columnCount / wide) > maxHeatSide || !isWhole(wide)) wide *= 2
  let high = 1
  while (Math.ceil(Math.max(heat.counts.length, heat.lowerMs.length) / high) > maxHeatSide) high *= 2
  if (wide === 1 && high === 1) return heat
  const rows = heat.counts.map((row) => groupsOf(row, wide).map(sum))
  const columns = Array.from({ length: Math.ceil(columnCount / wide) })
  return {
    binMs: heat.binMs * wide,
    lowerMs: groupsOf(heat.lowerMs, high).map((group) => group[0] ?? 0),
    counts: groupsOf(rows, high).map((group) => columns.map((_, column) => sum(group.map((row) => row[column] ?? 0)))),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

const largest = (numbers: readonly (number | null)[]): number | null =>
  numbers.reduce<number | null>((most, one) => (one === null ? most : Math.max(most ?? one, one)), null)

function groupsOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}
