import { normalQuantile } from '../stats/distributions'
import { risingValues } from '../stats/isotonic'
import { median } from '../stats/robust'
import { boundOfNone, wilsonBounds } from '../stats/share-interval'
import { badCount, badRatio, type CapacityRun } from './capacity-run'
import { errorOfSide, type HeldLevels, type LevelValue, type Place } from './held-levels'
import type { Level } from './levels'

/** A rate of which less was made in the median run was not offered: the guard `rate-missed`. */
const madeFromRatio = 0.98
/** A share cannot vary so much between runs that fewer requests than this would remain. */
const minEffective = 50
const maxMargin = 2.5

/** Holds the levels of a sweep against the share of bad requests that is allowed, 0…1. */
export function holdShare(levels: readonly Level[], name: string, limit: number): HeldLevels {
  const z = normalQuantile(errorOfSide)
  const shares = levels.map((level) => shareAt(level, z))
  const alone = levels.map(({ runs }, at): Place => {
    const share = shares[at]
    if (share === undefined || share === null) return 'unsure'
    if (share.isRateMissed) return 'outside'
    if (share.high < limit) return 'inside'
    const ratios = runs.flatMap((run) => badRatio(run) ?? [])
    // Runs of one load that disagree (a storm of retries that some escape) leave it unsure.
    const isMostly = ratios.filter((ratio) => ratio > limit).length * 2 > ratios.length
    return share.low > limit && isMostly ? 'outside' : 'unsure'
  })
  const places = withFlawlessAbove(levels, alone, limit)
  const known = shares.flatMap((share, at) => (share === null ? [] : [{ at, value: share.shown }]))
  const rising = risingValues(
    known.map(({ value }) => value),
    known.map(() => 1),
  )
  const risingAt = new Map(known.map(({ at }, index) => [at, rising[index] ?? 0]))
  const typical = median(levels.flatMap(({ runs }) => runs.flatMap(({ requests }) => requests ?? [])))
  return {
    ...{ name, limit, isShare: true, places, alone: places },
    rising: levels.map((_, at) => risingAt.get(at) ?? null),
    values: shares.map((share) => (share === null ? null : { value: share.value, low: share.low, high: share.high })),
    margin: (runs) => Math.min(maxMargin, (z + 1) / Math.sqrt(Math.max(1, (typical || 1) * limit * runs))),
  }
}

interface ShareAt extends LevelValue {
  /** The share, or how much of the rate was not made if that is more. */
  readonly shown: number
  readonly isRateMissed: boolean
}

/** Null: neither requests nor a rate are known. */
function shareAt({ runs }: Level, z: number): ShareAt | null {
  const made = runs
    .flatMap(({ loop, madePerSecond, ratePerSecond }) =>
      loop === 'open' && madePerSecond !== null && ratePerSecond !== null ? [madePerSecond / ratePerSecond] : [],
    )
    .sort((a, b) => a - b)
  // The lower of two middle ones: if half of the runs missed it, the level did.
  const isRateMissed = (made[(made.length - 1) >> 1] ?? 1) < madeFromRatio
  const counted = runs.filter(({ requests }) => requests !== null && requests > 0)
  if (counted.length === 0 && !isRateMissed) return null
  const [bad, total] = [sum(counted, badCount), sum(counted, ({ requests }) => requests ?? 0)]
  const value = total > 0 ? Math.min(1, bad / total) : 0
  const effect = designEffect(counted, value, total)
  const [low, high] = wilsonBounds(value * (total / effect), total / effect, z)
  const shown = isRateMissed ? Math.max(value, 1 - (made[0] ?? 1)) : value
  return { value, low, high: bad === 0 ? boundOfNone(total) : high, shown, isRateMissed }
}

const sum = (runs: readonly CapacityRun[], of: (run: CapacityRun) => number): number =>
  runs.reduce((total, run) => total + of(run), 0)

/** By how much runs of one load spread more than a binomial: χ² ÷ (runs − 1), at least 1. */
function designEffect(runs: readonly CapacityRun[], share: number, total: number): number {
  if (runs.length < 2 || share <= 0 || share >= 1) return 1
  const squares = sum(runs, (run) => (run.requests ?? 0) * ((badRatio(run) ?? share) - share) ** 2)
  const effect = squares / (share * (1 - share)) / (runs.length - 1)
  return Math.max(1, Math.min(effect, total / minEffective))
}

/** A level without a bad request is inside also if it and those above, as far as they have none, show it together. */
function withFlawlessAbove(levels: readonly Level[], alone: readonly Place[], limit: number): readonly Place[] {
  let requests = 0
  const together = levels.map(() => 0)
  for (let at = levels.length - 1; at >= 0; at -= 1) {
    const runs = levels[at]?.runs ?? []
    requests = sum(runs, badCount) > 0 || alone[at] === 'outside' ? 0 : requests + sum(runs, (run) => run.requests ?? 0)
    together[at] = requests
  }
  return alone.map((place, at) => (place === 'unsure' && (together[at] ?? 0) * limit >= 3 ? 'inside' : place))
}
