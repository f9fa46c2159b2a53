import { chiSquaredQuantile, normalTail, studentQuantile } from '../stats/distributions'

/** Rounds from which signs are flipped; fewer have too few patterns for a small p. */
export const minFlipRounds = 7
/** Rounds from which an experiment that grows, or of whose noise nothing is known, decides: fewer have four sign patterns at most. */
export const minDecidingRounds = 4
/** Rounds planned for an experiment of which nothing is known yet. */
export const firstRounds = 8
/** Beyond this many rounds the noise cannot be overcome: say so instead of a number. */
export const maxRounds = 200

/** How likely a promise of rounds must be to be made. */
const promiseProbability = 0.8
/** The deviation of the rounds to come is taken at its upper 65 % limit: what few rounds show of it is too small as often as not. */
const deviationShare = 0.35

/** What has been seen, in one unit (logarithms where values are positive). */
export interface SeenEffect {
  readonly effect: number
  /** Smallest effect that matters. */
  readonly smallest: number
  /** Of a round's difference, and its degrees of freedom. */
  readonly deviation: number
  readonly df: number
  /** Rounds that were judged. */
  readonly rounds: number
  /** Standard error of an effect that no rounds show; null: it is that of the rounds. */
  readonly error: number | null
}

/**
 * The fewest rounds in all that decide with a probability of 80 %, as far as what has been seen tells: the effect of so many
 * rounds shows as a difference, or lies within the smallest that matters. Null beyond 200 further ones. `alphaAt`: the alpha at
 * which so many rounds would be judged.
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

/** What rounds are planned by. */
export interface Pilot {
  /** Of a round's difference. */
  readonly deviation: number
  /** Its degrees of freedom; 0: it is known. */
  readonly df: number
  /** At which the rounds to come are judged. */
  readonly alpha: number
}

/** What the history of a series predicts of rounds, before any round was run. */
export const historyPilot = (
  { sdStep, runs }: { readonly sdStep: number; readonly runs: number },
  alpha: number,
): Pilot => ({ deviation: Math.SQRT2 * sdStep, df: Math.max(1, runs - 1), alpha })

/** How likely planned rounds show the effect that they are planned for. */
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
