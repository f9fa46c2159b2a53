import { cachedStudentQuantile } from '../stats/student-quantile'
import type { Fit } from './fit'
import { control } from './round'
import { toRatio } from './visible'

/** Level of what is said of the set-up: it is said beside verdicts, of every experiment. */
const level = 0.01
/** Part of what matters by which a control must seem to move: its estimate scatters, too. */
const movedPart = 1 / 2

/** A relative change with its interval. */
export interface Change {
  readonly effectRatio: number
  readonly low: number
  readonly high: number
}

/** What a place in a round costs, against the first. */
export interface PlaceEffect extends Change {
  /** From 2. */
  readonly place: number
  /** Whether it is one, at 99 % over all places: what runs in a fixed order on this set-up is compared wrongly. */
  readonly isNamed: boolean
}

/** A change on the log scale, and half of its interval, as ratios. */
export const changeOf = (log: number, half: number): Change => ({
  ...{ effectRatio: toRatio(log), low: toRatio(log - half), high: toRatio(log + half) },
})

/** The place that differs most clearly from the first. Null: no arm but base. */
export function placeEffect({ places, df }: Fit): PlaceEffect | null {
  const t = cachedStudentQuantile(level / 2 / Math.max(1, places.length), df)
  const found = places.map(({ log, error }, at) => ({ clear: Math.abs(log) / error, at, log, half: t * error }))
  const [first, ...rest] = found
  if (first === undefined) return null
  const { at, log, half } = rest.reduce((best, one) => (one.clear > best.clear ? one : best), first)
  return { place: at + 2, ...changeOf(log, half), isNamed: Math.abs(log) > half }
}

/** How far base is from itself. */
export interface ControlEffect extends Change {
  /** Surely, and by more than half of what matters: the set-up makes a difference, and nothing is said of head. */
  readonly hasMoved: boolean
}

/** Null: no control arm. */
export function controlEffect({ arms, df }: Fit, smallestRatio: number): ControlEffect | null {
  const effect = arms.get(control)
  if (effect === undefined) return null
  const half = cachedStudentQuantile(level / 2, df) * effect.error
  const isFar = Math.abs(effect.log) >= Math.log1p(smallestRatio) * movedPart
  return { ...changeOf(effect.log, half), hasMoved: isFar && Math.abs(effect.log) > half }
}
