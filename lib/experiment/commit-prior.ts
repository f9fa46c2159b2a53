/** An earlier run of a commit. */
export interface PastRun {
  /** Its commit's position in the range, from 0. */
  readonly at: number
  /** ln of its value. */
  readonly log: number
}

/** Past runs wander together: each counts as half of one. */
const trust = 1 / 2
/** Part of the mass that the history cannot take from any commit. */
const evenRatio = 0.2
const minRuns = 4
/** Variance of a run at least; without runs on one side, a step is a little less likely. */
const floor = 0.0004
const oneSided = -0.7

/**
 * Probability that each commit of `count` brought the change, given that one did: the likelihood of one step along past
 * runs. The first is GOOD, which has none.
 */
export function commitPrior(count: number, past: readonly PastRun[]): readonly number[] {
  const suspects = Array.from({ length: count - 1 }, (_, at) => at + 1)
  if (past.length < minRuns) return [0, ...suspects.map(() => 1 / suspects.length)]
  const likelihoods = suspects.map((at) => logLikelihood(at, past))
  const top = Math.max(...likelihoods)
  const weights = likelihoods.map((log) => Math.exp(trust * (log - top)))
  const sum = weights.reduce((all, weight) => all + weight, 0)
  return [0, ...weights.map((weight) => ((1 - evenRatio) * weight) / sum + evenRatio / suspects.length)]
}

/** Of a step between the commit before `at` and it, with a level of its own on each side. */
function logLikelihood(at: number, past: readonly PastRun[]): number {
  const sides = [past.filter((run) => run.at < at), past.filter((run) => run.at >= at)]
  const squares = sides.map((side) => {
    const mean = side.reduce((sum, { log }) => sum + log, 0) / side.length
    return side.reduce((sum, { log }) => sum + (log - mean) ** 2, 0)
  })
  const total = squares.reduce((sum, one) => sum + one, 0)
  const penalty = sides.some((side) => side.length === 0) ? oneSided : 0
  return -0.5 * past.length * Math.log(total + floor * past.length) + penalty
}
