import { bucketBelow } from '../cube/buckets'
import type { Cube } from '../cube/cube'
import { madAroundZero, median } from '../stats/robust'
import { Distribution } from './distribution'

const fewestRows = 10
const mostScatter = 6

/** Rows above the buckets up to one. */
export function rowsAbove(counts: ArrayLike<number>, bucket: number): number {
  let above = 0
  for (let at = bucket + 1; at < counts.length; at++) above += counts[at] ?? 0
  return above
}

export function rowsOf(counts: ArrayLike<number>): number {
  return rowsAbove(counts, -1)
}

/**
 * φ: how many times the variance between slices of a run is that of independent requests, 1…6. By median absolute
 * deviation, so that one stall does not hide itself.
 */
export function scatterOf(cube: Cube): number {
  const all = new Distribution(cube.all, cube.resolutionMs)
  const slices = cube.slices.filter((slice) => rowsOf(slice) >= fewestRows)
  if (slices.length < 2) return 1
  const found = [0.25, 0.5, 0.75, 0.9].map((q) => {
    const bucket = bucketBelow(all.logQuantile(q))
    const share = rowsAbove(cube.all, bucket) / cube.rows
    const shares = slices.map((slice) => rowsAbove(slice, bucket) / rowsOf(slice))
    const middle = median(shares)
    const variance = Math.max(share * (1 - share), 1e-6)
    const z = shares.map((one, at) => (one - middle) / Math.sqrt(variance / (slices[at] ? rowsOf(slices[at]) : 1)))
    return madAroundZero(z) ** 2
  })
  return Math.min(mostScatter, Math.max(1, median(found)))
}
