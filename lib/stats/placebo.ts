import { median } from './robust'
import { walshMedian } from './sign-flip'

/** Placements of an order over identical code required before their largest difference is meaningful. */
const minPlacements = 20

/** How two sides are arranged in time, where they follow a pattern. */
export interface PlacedSides {
  /** By place, in time order: whether the head runs there. */
  readonly heads: readonly boolean[]
  /** One side runs completely before the other; else neighbours are pairs. */
  readonly isBlocks: boolean
}

/**
 * The head's distance from the base: the median of all differences across blocks, the Walsh median of neighbouring
 * pairs.
 */
function differenceOf({ heads, isBlocks }: PlacedSides, values: readonly number[]): number {
  if (isBlocks) {
    const of = (isHead: boolean) => values.filter((_, at) => heads[at] === isHead)
    const base = of(false)
    return median(of(true).flatMap((value) => base.map((other) => value - other)))
  }
  const pairs = values.flatMap((value, at) =>
    at % 2 === 0 ? [(heads[at + 1] ? 1 : -1) * ((values[at + 1] ?? value) - value)] : [],
  )
  return walshMedian(pairs)
}

/**
 * The largest difference that an order of sides shows when laid over identical code, at every second place; the side
 * that runs first in the order runs first here. Null: too few values for 20 placements.
 */
export function placeboBound(sides: PlacedSides, values: readonly number[]): number | null {
  const found: number[] = []
  for (let from = 0; from + sides.heads.length <= values.length; from += 2) {
    found.push(Math.abs(differenceOf(sides, values.slice(from, from + sides.heads.length))))
  }
  return found.length < minPlacements ? null : Math.max(...found)
}
