import { chiSquaredQuantile, normalTail } from '../stats/distributions'
import { cachedStudentQuantile } from '../stats/student-quantile'

/** From this many rounds on, signs are flipped; fewer have too few patterns for a small p. */
export const minFlipRounds = 7
/**
 * From this many rounds on, a growing experiment, or one with unknown noise, decides: fewer have at most four sign
 * patterns.
 */
export const minDecidingRounds = 4
/** Rounds planned for an experiment of which nothing is known yet. */
export const firstRounds = 8
/** Beyond this many rounds the noise cannot be overcome: that is stated instead of a number. */
export const maxRounds = 200

/** Probability required for a promise of rounds. */
export const promiseProbability = 0.8
/**
 * The deviation of further rounds is taken at its upper 65 % limit: the one seen in few rounds is too small half of the
 * time.
 */
const deviationShare = 0.35

/** The deviation of further rounds, for a promise about them, of one that was seen with `df` degrees of freedom. */
export const deviationToPromise = (deviation: number, df: number): number =>
  deviation * Math.sqrt(df / chiSquaredQuantile(deviationShare, df))

/** What has been seen, in one unit (logarithms if values are positive). */
export interface SeenEffect {
  readonly effect: number
  /** Smallest effect that matters. */
  readonly smallest: number
  /** Of a round's difference, with its degrees of freedom. */
  readonly deviation: number
  readonly df: number
  /** Number of judged rounds. */
  readonly rounds: number
  /** Standard error of an effect not measured in rounds; null: it is that of the rounds. */
  readonly error: number | null
}

/**
 * The fewest rounds in all that decide with a probability of 80 %, judging by what has been seen: the effect of that
 * many rounds shows as a difference, or is within the smallest that matters. Null beyond 200 further ones. `alphaAt`:
 * the alpha at which that many rounds would be judged.
 */
export function roundsToDecide(
  { effect, smallest, deviation, df, rounds, error }: SeenEffect,
  alphaAt: (rounds: number) => number,
): number | null {
  const wide = deviationToPromise(deviation, df)
  for (let count = Math.max(minDecidingRounds, rounds + 1); count <= rounds + maxRounds; count += 1) {
    const alpha = alphaAt(count)
    const toCome = wide / Math.sqrt(count)
    const shown = cachedStudentQuantile(alpha / 2, count - 1) * toCome
    const same = Math.min(shown, smallest - cachedStudentQuantile(alpha, count - 1) * toCome)
    const spread = error === null ? wide * Math.sqrt(1 / rounds - 1 / count) : Math.hypot(error, toCome)
    const beyond = (bound: number) => normalTail((bound - effect) / spread)
    const isShown = beyond(shown) + 1 - beyond(-shown)
    const isSame = same > 0 ? beyond(-same) - beyond(same) : 0
    if (isShown + isSame >= promiseProbability) return count
  }
  return null
}

/** What rounds are planned by. */
export interface Pilot {
  /** Of a round's difference. */
  readonly deviation: number
  /** Its degrees of freedom; 0: it is known. */
  readonly df: number
  /** At which the further rounds are judged. */
  readonly alpha: number
}

/** What the history of a series predicts of rounds before any round was run. */
export const historyPilot = (
  { sdStep, runs }: { readonly sdStep: number; readonly runs: number },
  alpha: number,
): Pilot => ({ deviation: Math.SQRT2 * sdStep, df: Math.max(1, runs - 1), alpha })

/** Probability with which planned rounds show the effect that they are planned for. */
export const plannedPower = 0.8

/**
 * Planner: the fewest rounds that show a relative effect with 80 % power. The pilot's deviation is taken at its upper
 * 80 % limit (Browne 1995). Null beyond 200.
 */
export function planRounds({ deviation, df, alpha }: Pilot, effectRatio: number): number | null {
  const wide = df > 0 ? deviation * Math.sqrt(df / chiSquaredQuantile(0.2, df)) : deviation
  const effect = Math.log1p(Math.abs(effectRatio))
  for (let count = minFlipRounds; count <= maxRounds; count += 1) {
    const reach = cachedStudentQuantile(alpha / 2, count - 1) + cachedStudentQuantile(1 - plannedPower, count - 1)
    if ((effect * Math.sqrt(count)) / wide >= reach) return count
  }
  return null
}
