import { expect, it } from 'vitest'
import { bucketBelow, bucketCount } from '@/lib/cube/buckets'
import { cubeVersion, sliceCount, type Cube } from '@/lib/cube/cube'
import { explain } from '@/lib/explain/explain'
import { randomOf } from './generated-pairs'

const rows = 3_000

/** Requests around one latency. `spread`: standard deviation of its logarithm. */
function runAround(levelMs: number, spread: number, random: () => number): Cube {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const all = new Uint32Array(bucketCount)
  const slices = Array.from({ length: sliceCount }, () => new Uint32Array(bucketCount))
  let sumMs = 0
  for (let row = 0; row < rows; row++) {
    const ms = levelMs * Math.exp(spread * normal())
    const bucket = bucketBelow(Math.log(ms)) + 1
    sumMs += ms
    for (const counts of [all, slices[Math.floor((row * sliceCount) / rows)] ?? all])
      counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  return {
    ...{ version: cubeVersion, tool: 'vegeta', rows, resolutionMs: 0, spanMs: 30_000, sumMs, users: null },
    ...{ peakInFlight: null, isOpenLoop: true, all, slices, attributes: [], numbers: [], dropped: [] },
  }
}

const spreads = [0, 0.002, 0.005, 0.01, 0.05, 0.3]
it.each(spreads.flatMap((spread) => [1.1, 1.4, 3, 0.6].map((factor) => [spread, factor] as const)))(
  'latencies that spread by %d are all moved by the factor %d, though nothing overlaps',
  (spread, factor) => {
    const random = randomOf(7)
    const found = explain(runAround(5, spread, random), runAround(5 * factor, spread, random))
    expect(found.kind).toBe('shift')
    const { log = 0, addedMs = 0 } = found.candidates[0]?.shift ?? {}
    const moved = 5 * Math.exp(log) + addedMs
    // A bucket, or what 3,000 requests say of their level.
    expect(Math.abs(moved / (5 * factor) - 1)).toBeLessThan(0.016 + 3 * spread * Math.sqrt(2 / rows))
  },
)
