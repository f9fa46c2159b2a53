import { sliceCount, type BucketCounts, type Cube } from '../cube/cube'
import { rowsAbove, rowsOf } from './scatter'

/** A stretch of one run that differs from the other run, from the same stretch there, and from its own rest. */
export interface TimeWindow {
  readonly side: 'base' | 'head'
  /** First slice, and the one after the last. */
  readonly from: number
  readonly to: number
  /** The smallest of its three differences, in standard deviations. */
  readonly z: number
  /** Share of the excess of slow requests that lies within it, beyond its share of the time. */
  readonly share: number
}

const widest = 24
const fewestRows = 6
/** A window that stands out less is chance: 60 slices and 24 widths are looked at. */
const leastZ = 7

/** Sums of slices before each: rows, and those above a bucket. */
interface Running {
  readonly rows: Float64Array
  readonly above: Float64Array
}

/** Null: none stands out. `scatter`: φ of both runs. */
export function windowOf(one: Cube, other: Cube, scatter: number, side: TimeWindow['side']): TimeWindow | null {
  if (one.slices.length !== sliceCount || other.slices.length !== sliceCount) return null
  const found = [0.5, 0.75, 0.9].map((q) => {
    const bucket = mixtureBucket(one, other, q)
    return scan(runningOf(one.slices, bucket), runningOf(other.slices, bucket), scatter)
  })
  const best = found.reduce((most, each) => (each.z > most.z ? each : most))
  if (best.z < leastZ) return null
  const { from, to, z, inside, outside } = best
  const excess = inside / Math.max(inside + Math.max(outside, 0), 1e-9)
  const time = (to - from) / sliceCount
  return { side, from, to, z, share: (excess - time) / (1 - time) }
}

/** The bucket of a quantile of the mixture, one half of each run. */
function mixtureBucket(one: Cube, other: Cube, q: number): number {
  let share = 0
  for (let bucket = 0; bucket < one.all.length; bucket++) {
    share += ((one.all[bucket] ?? 0) / one.rows + (other.all[bucket] ?? 0) / other.rows) / 2
    if (share >= q) return bucket
  }
  return one.all.length - 1
}

function runningOf(slices: readonly BucketCounts[], bucket: number): Running {
  const rows = new Float64Array(sliceCount + 1)
  const above = new Float64Array(sliceCount + 1)
  slices.forEach((slice, at) => {
    rows[at + 1] = (rows[at] ?? 0) + rowsOf(slice)
    above[at + 1] = (above[at] ?? 0) + rowsAbove(slice, bucket)
  })
  return { rows, above }
}

function scan(one: Running, other: Running, scatter: number) {
  const between = (sums: Float64Array, from: number, to: number) => (sums[to] ?? 0) - (sums[from] ?? 0)
  const [allRows, allAbove] = [one.rows[sliceCount] ?? 0, one.above[sliceCount] ?? 0]
  const [otherRows, otherAbove] = [other.rows[sliceCount] ?? 0, other.above[sliceCount] ?? 0]
  const otherShare = otherAbove / Math.max(otherRows, 1)
  let best = { from: 0, to: 0, z: 0, inside: 0, outside: 0 }
  for (let width = 1; width <= widest; width++)
    for (let from = 0; from + width <= sliceCount; from++) {
      const to = from + width
      const [rows, above] = [between(one.rows, from, to), between(one.above, from, to)]
      if (rows < fewestRows || rows > 0.5 * allRows) continue
      const z = Math.min(
        zBetween(above, rows, otherAbove, otherRows, scatter),
        1.2 * zBetween(above, rows, between(other.above, from, to), between(other.rows, from, to), scatter),
        zBetween(above, rows, allAbove - above, allRows - rows, scatter),
      )
      if (z <= best.z) continue
      const inside = (rows / allRows) * (above / rows - otherShare)
      const outside = (allAbove - above) / allRows - ((allRows - rows) / allRows) * otherShare
      best = { from, to, z, inside, outside }
    }
  return best
}

/** Difference of two shares in standard deviations. */
function zBetween(above: number, rows: number, otherAbove: number, otherRows: number, scatter: number): number {
  const [n, m] = [Math.max(rows, 1), Math.max(otherRows, 1)]
  const share = (above + otherAbove + 1) / (n + m + 2)
  return (above / n - otherAbove / m) / Math.sqrt(share * (1 - share) * (1 / n + 1 / m) * scatter)
}
