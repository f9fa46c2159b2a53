import { cachedStudentQuantile } from '../stats/student-quantile'

/** Probability with which a change of this size is shown. */
const power = 0.8

/**
 * The smallest relative change that so many rounds show with 80 % power at a two-sided `alpha`, evaluated once.
 * `deviation`: of one round's difference on the log scale.
 */
export function smallestVisible(deviation: number, rounds: number, alpha: number): number {
  const df = Math.max(1, rounds - 2)
  const reach = cachedStudentQuantile(alpha / 2, df) + cachedStudentQuantile(1 - power, df)
  return toRatio((reach * deviation) / Math.sqrt(rounds))
}

/** The fewest rounds, from `least` to `most`, that show a change of this size; null: more than `most`. */
export function fewestRounds(
  deviation: number,
  ratio: number,
  { alpha, least, most }: { readonly alpha: number; readonly least: number; readonly most: number },
): number | null {
  for (let rounds = least; rounds <= most; rounds += 1)
    if (smallestVisible(deviation, rounds, alpha) <= ratio) return rounds
  return null
}

/**
 * The smallest relative change that a build of `runs` runs shows against `against` earlier ones (infinite: a level) with
 * 80 % power at a two-sided `alpha`, by the noise of rounds with `df` degrees of freedom. Runs at other times differ by
 * more than that, never by less.
 */
export function smallestHeld(
  { deviation, df }: { readonly deviation: number; readonly df: number },
  { runs, against, alpha }: { readonly runs: number; readonly against: number; readonly alpha: number },
): number {
  const reach = cachedStudentQuantile(alpha / 2, df) + cachedStudentQuantile(1 - power, df)
  return toRatio(reach * (deviation / Math.SQRT2) * Math.sqrt(1 / runs + 1 / against))
}

/** A log difference as a relative change: 0.05 is +5 %. */
export const toRatio = (log: number): number => Math.expm1(Math.min(log, 20))
