import { addCubes } from '../cube/add-cubes'
import { bucketBelow } from '../cube/buckets'
import type { BucketCounts, Cube } from '../cube/cube'
import { movedCube } from '../cube/moved-cube'
import { studentQuantile } from '../stats/distributions'
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

/** Fewer runs of a side say nothing about how much they differ. */
export const fewestRounds = 3
const comparedQuantiles = [0.25, 0.5, 0.75] as const
/** With fewer rows a value of a run says nothing about its level. */
const fewestRowsOfLevel = 30
/** Chance that sides of equal levels are called different, either way. */
const mostChance = 0.001

type Cubes = readonly [Cube, ...Cube[]]

/** Runs of two sides, laid on one level, and each side's as one. */
export interface AlignedRounds {
  readonly base: Cube
  readonly head: Cube
  /** How many times the variance between runs of a side, once they are aligned, is that of independent requests. */
  readonly scatter: number
}

/**
 * Runs of a machine that wanders are all slower together, or all faster: a factor that says nothing about the sides, and
 * hides what does. Each run is moved to the level of its side, and both sides to one level unless their levels differ by
 * more than those of the runs do (Student's t). Null: a side has fewer than three runs.
 */
export function alignRounds(base: Cubes, head: Cubes): AlignedRounds | null {
  if (Math.min(base.length, head.length) < fewestRounds) return null
  const levels = levelsOf([...base, ...head])
  const [own, other] = [levels.slice(0, base.length), levels.slice(base.length)]
  const areLevelsApart = areApart(own, other)
  const both = (meanOf(own) + meanOf(other)) / 2
  const moved = (cubes: Cubes, at: readonly number[]): [Cube, ...Cube[]] => {
    const level = areLevelsApart ? meanOf(at) : both
    const [first, ...others] = cubes.map((cube, place) => movedCube(cube, level - (at[place] ?? 0)))
    return [first ?? cubes[0], ...others]
  }
  const sides = [moved(base, own), moved(head, other)] as const
  const sums = [addCubes(sides[0]), addCubes(sides[1])] as const
  const scatter = Math.max(roundScatter(sides[0], sums[0]), roundScatter(sides[1], sums[1]))
  return { base: sums[0], head: sums[1], scatter }
}

/** How much runs of one side scatter: as slices of a run do. `sum`: all of them. */
export const roundScatter = (cubes: readonly Cube[], sum: Cube): number =>
  cubes.length < fewestRounds ? 1 : scatterOf({ ...sum, slices: cubes.map(({ all }) => all) })

const meanOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length

function areApart(own: readonly number[], other: readonly number[]): boolean {
  const squares = (values: readonly number[]) => values.reduce((sum, one) => sum + (one - meanOf(values)) ** 2, 0)
  const freedom = own.length + other.length - 2
  const variance = (squares(own) + squares(other)) / freedom
  const error = Math.sqrt(variance * (1 / own.length + 1 / other.length))
  return Math.abs(meanOf(other) - meanOf(own)) > studentQuantile(mostChance, freedom) * error
}

/**
 * How much slower than all of them together each run is, as a logarithm: the median over its targets, weighted by their
 * traffic, so that one target cannot drag it.
 */
function levelsOf(cubes: readonly Cube[]): readonly number[] {
  const [first, ...others] = cubes
  if (first === undefined) return []
  const whole = addCubes([first, ...others])
  const values = whole.attributes.find(({ name }) => name === 'target')?.values ?? []
  const known = new Map(values.map((one) => [one.value, quantilesOf(one.counts, whole.resolutionMs)]))
  const all = quantilesOf(whole.all, whole.resolutionMs)
  return cubes.map((cube) => {
    const own = cube.attributes.find(({ name }) => name === 'target')?.values ?? []
    const found = own.flatMap(({ value, rows, counts }) => {
      const reference = known.get(value)
      if (reference === undefined || rows < fewestRowsOfLevel) return []
      return [{ weight: rows, log: apart(quantilesOf(counts, cube.resolutionMs), reference) }]
    })
    return found.length === 0 ? apart(quantilesOf(cube.all, cube.resolutionMs), all) : weightedMedian(found)
  })
}

function quantilesOf(counts: BucketCounts, resolutionMs: number): readonly number[] {
  const distribution = new Distribution(counts, resolutionMs)
  return comparedQuantiles.map((q) => distribution.logQuantile(q))
}

const apart = (own: readonly number[], reference: readonly number[]): number =>
  meanOf(own.map((log, at) => log - (reference[at] ?? 0)))

function weightedMedian(found: readonly { readonly weight: number; readonly log: number }[]): number {
  const sorted = [...found].sort((a, b) => a.log - b.log)
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2
  let below = 0
  for (const { weight, log } of sorted) {
    below += weight
    if (below >= half) return log
  }
  return 0
}
