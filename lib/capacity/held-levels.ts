import type { Level } from './levels'

/** Where a level lies: surely inside of an objective, surely outside, or not sure. */
export type Place = 'inside' | 'outside' | 'unsure'

/** A level's value with its range; milliseconds, or the share of bad requests. */
export interface LevelValue {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** One objective held against all levels, ascending. Each list has an entry for each level. */
export interface HeldLevels {
  /** The objective's metric; `served`: what is asked of every sweep without an objective for success. */
  readonly name: string
  /** In the unit of `values`. */
  readonly limit: number
  /** Whether `values` are shares of bad requests. */
  readonly isShare: boolean
  /** By the level and its neighbours. */
  readonly places: readonly Place[]
  /** By the level by itself, which contradictions are told from. */
  readonly alone: readonly Place[]
  /** Made to rise with the load; null: no run of the level has the metric. */
  readonly rising: readonly (number | null)[]
  /** As measured. */
  readonly values: readonly (LevelValue | null)[]
  /** How far from the limit (as a logarithm) so many runs of one load must lie to be probably sure. */
  margin(runs: number): number
}

/** One side of one level: the chance that a level is called sure although it is not. */
export const errorOfSide = 0.03

export const lastInside = (places: readonly Place[]): number => places.lastIndexOf('inside')

/** The number of levels if none is. */
export function firstOutside(places: readonly Place[]): number {
  const at = places.indexOf('outside')
  return at === -1 ? places.length : at
}

/** Two levels that contradict each other: one surely outside below one surely inside. Null: none. */
export function contradictionOf(
  { alone }: HeldLevels,
  levels: readonly Level[],
): readonly [outside: number, inside: number] | null {
  const [outside, inside] = [levels[firstOutside(alone)], levels[lastInside(alone)]]
  return outside !== undefined && inside !== undefined && outside.load < inside.load
    ? [outside.load, inside.load]
    : null
}
