import { chiSquaredQuantile, normalTail, studentQuantile } from '../stats/distributions'

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
const promiseProbability = 0.8
/**
 * The deviation of further rounds is taken at its upper 65 % limit: the one seen in few rounds is too small half of the
 * time.
 */
const deviationShare = 0.35

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
  const wide = deviation * Math.sqrt(df / chiSquaredQuantile(deviationShare, df))
  for (let count = Math.max(minDecidingRounds, rounds + 1); count <= rounds + maxRounds; count += 1) {
    const alpha = alphaAt(count)
    const toCome = wide / Math.sqrt(count)
    const shown = quantileOf(alpha / 2, count - 1) * toCome
    const same = Math.min(shown, smallest - quantileOf(alpha, count - 1) * toCome)
    const spread = error === null ? wide * Math.sqrt(1 / rounds - 1 / count) : Math.hypot(error, toCome)
    const beyond = (bound: number) => normalTail((bound - effect) / spread)
    const isShown = beyond(shown) + 1 - beyond(-shown)
    const isSame = same > 0 ? beyond(-same) - beyond(same) : 0
    if (isShown + isSame >= promiseProbability) return count
  }
  return null
}

/** Cached quantiles: every metric of a page needs the same hundreds, and each takes a hundred incomplete betas. */
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
    const reach = quantileOf(alpha / 2, count - 1) + quantileOf(1 - plannedPower, count - 1)
    if ((effect * Math.sqrt(count)) / wide >= reach) return count
  }
  return null
}
