import { studentQuantile } from '../stats/distributions'

/** Rounds from which signs are flipped; fewer have too few patterns for a small p. */
export const minFlipRounds = 7
/** Beyond this many rounds the noise cannot be overcome: say so instead of a number. */
const maxRounds = 200

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
    const asDifference = tOf(alpha / 2, df) + studentQuantile(0.2, df)
    const asSame = tOf(alpha, df) + studentQuantile(size > error ? 0.2 : 0.1, df)
    if (size >= asDifference * error || smallest - size >= asSame * error) return count
  }
  return null
}

/** At an alpha of 0 nothing is ever decided. */
const tOf = (tail: number, df: number) => (tail > 0 ? studentQuantile(tail, df) : Number.POSITIVE_INFINITY)
