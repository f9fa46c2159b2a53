import { bucketCount } from './buckets'
import { absentValue, maxValues, restValue, statusClassCount, type BucketCounts, type CubeValue } from './cube'

/**
 * Values of one attribute with those of the same name added up: most frequent first, the rest of them last. `mostKept`:
 * how many are told apart.
 */
export function joinValues(
  values: readonly CubeValue[],
  mostKept = maxValues,
): {
  readonly values: CubeValue[]
  readonly restValues: number
} {
  const byName = new Map<string, CubeValue>()
  for (const value of values) {
    const known = byName.get(value.value)
    byName.set(value.value, known === undefined ? value : addValues(known, value))
  }
  const rest = byName.get(restValue)
  byName.delete(restValue)
  // Rows without a value stay apart, however few they are.
  const sorted = [...byName.values()].sort((a, b) => isAbsent(b) - isAbsent(a) || b.rows - a.rows)
  const most = mostKept + (byName.has(absentValue) ? 1 : 0)
  const kept = sorted.slice(0, most).sort((a, b) => b.rows - a.rows)
  const others = [...sorted.slice(most), ...(rest === undefined ? [] : [rest])]
  const [first, ...more] = others
  if (first === undefined) return { values: kept, restValues: 0 }
  const joined = more.reduce((sum, one) => addValues(sum, one), first)
  return { values: [...kept, { ...joined, value: restValue }], restValues: sorted.length - kept.length }
}

const isAbsent = ({ value }: CubeValue): number => (value === absentValue ? 1 : 0)

const addValues = (own: CubeValue, other: CubeValue): CubeValue => ({
  value: own.value,
  rows: own.rows + other.rows,
  sumMs: own.sumMs + other.sumMs,
  counts: sumCounts([own.counts, other.counts]),
  statusClasses: Array.from(
    { length: statusClassCount },
    (_, at) => (own.statusClasses[at] ?? 0) + (other.statusClasses[at] ?? 0),
  ),
})

/** Rows by bucket, of several histograms together. */
export function sumCounts(some: readonly BucketCounts[]): BucketCounts {
  const sum = new Uint32Array(bucketCount)
  for (const counts of some)
    for (let bucket = 0; bucket < bucketCount; bucket++) sum[bucket] = (sum[bucket] ?? 0) + (counts[bucket] ?? 0)
  return sum
}
