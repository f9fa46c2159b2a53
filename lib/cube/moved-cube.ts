import { bucketCount, logWidth } from './buckets'
import type { BucketCounts, Cube } from './cube'

/** A run whose latencies are all moved by a factor, given by its logarithm. Sums of latencies are, too. */
export function movedCube(cube: Cube, by: number): Cube {
  const factor = Math.exp(by)
  const move = (counts: BucketCounts) => movedCounts(counts, by / logWidth)
  return {
    ...cube,
    sumMs: cube.sumMs * factor,
    all: move(cube.all),
    slices: cube.slices.map(move),
    attributes: cube.attributes.map((attribute) => ({
      ...attribute,
      values: attribute.values.map((one) => ({ ...one, sumMs: one.sumMs * factor, counts: move(one.counts) })),
    })),
    numbers: cube.numbers.map((one) => ({
      ...one,
      counts: move(one.counts),
      restCounts: move(one.restCounts),
      clientCounts: move(one.clientCounts),
    })),
  }
}

/** Counts moved by so many buckets, in whole rows: each bucket's lie evenly within it. */
function movedCounts(counts: BucketCounts, by: number): BucketCounts {
  const whole = Math.floor(by)
  const part = by - whole
  const moved = new Uint32Array(bucketCount)
  const last = bucketCount - 1
  let [before, rounded] = [0, 0]
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    const count = counts[bucket] ?? 0
    if (count === 0) continue
    // Up to the upper edge of the bucket below, where they are moved to.
    const low = Math.min(last, Math.max(0, bucket + whole))
    const high = Math.min(last, Math.max(0, bucket + whole + 1))
    const upTo = Math.round(before + (1 - part) * count)
    moved[low] = (moved[low] ?? 0) + upTo - rounded
    before += count
    moved[high] = (moved[high] ?? 0) + before - upTo
    rounded = before
  }
  return moved
}
