import { chiSquaredQuantile, studentQuantile } from '../stats/distributions'

/** Rounds from which signs are flipped; fewer have too few patterns for a small p. */
export const minFlipRounds = 7
/** Rounds planned for an experiment of which nothing is known yet. */
export const firstRounds = 8
/** Beyond this many rounds the noise cannot be overcome: say so instead of a number. */
export const maxRounds = 200

/**
 * The fewest rounds in all (more than `have`) that decide at 80 % power if deviation and effect are as seen: the effect
 * shows as a difference, or lies within the smallest that matters. Null beyond 200. Deviation of a round's difference,
 * effect and smallest in one unit (logarithms where values are positive).
 */
export function roundsToDecide(
  deviation: number,
  effect: number,
  smallest: number,
  alpha: number,
  have: number,
): number | null {
  const size = Math.abs(effect)
  for (let count = Math.max(6, have + 1); count <= maxRounds; count += 1) {
    const error = deviation / Math.sqrt(count)
    const df = count - 1
    const asDifference = tOf(alpha / 2, df) + quantileOf(0.2, df)
    const asSame = tOf(alpha, df) + quantileOf(size > error ? 0.2 : 0.1, df)
    if (size >= asDifference * error || smallest - size >= asSame * error) return count
  }
  return null
}

/** Quantiles that were found: every metric of a page asks for the same hundreds, and each takes a hundred incomplete betas. */
const knownQuantiles = new Map<string, number>()
const maxKnown = 10_000

function quantileOf(tail: number, df: number): number {
  const key = `${tail} ${df}`
  const known = knownQuantiles.get(key)
  if (known !== undefined) return known
  if (knownQuantiles.size >= maxKnown) knownQuantiles.clear()
  const found = studentQuantile(tail, df)
  knownQuantiles.set(key, found)
  return found
}

/** The deviation of a round's difference as the history of a series predicts it, before any round was run. */
export const historyPilot = ({ sdStep, runs }: { readonly sdStep: number; readonly runs: number }): Pilot => ({
  deviation: Math.SQRT2 * sdStep,
  df: Math.max(1, runs - 1),
})

/** What is known of the deviation of a round's difference, and by how many degrees of freedom. */
export interface Pilot {
  readonly deviation: number
  readonly df: number
}

/** At an alpha of 0 nothing is ever decided. */
const tOf = (tail: number, df: number) => (tail > 0 ? quantileOf(tail, df) : Number.POSITIVE_INFINITY)

/**
 * Planner: the fewest rounds that show a relative effect with this power. The pilot's deviation is taken at its upper
 * 80 % limit (Browne 1995); `pilotDf` 0: it is known. Null beyond 200.
 */
export function planRounds(
  deviation: number,
  pilotDf: number,
  effectRatio: number,
  { alpha = 0.05, power = 0.95 }: { readonly alpha?: number; readonly power?: number } = {},
): number | null {
  const wide = pilotDf > 0 ? deviation * Math.sqrt(pilotDf / chiSquaredQuantile(0.2, pilotDf)) : deviation
  const effect = Math.log1p(Math.abs(effectRatio))
  for (let count = minFlipRounds; count <= maxRounds; count += 1) {
    const df = count - 1
    if ((effect * Math.sqrt(count)) / wide >= quantileOf(alpha / 2, df) + quantileOf(1 - power, df)) return count
  }
  return null
}
