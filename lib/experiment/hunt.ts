import { deviationToPromise } from '../judge/rounds-needed'
import { searchOf, type SearchEnded, type SearchRound, type SearchRunning } from './culprit'
import { experimentOf, maxVoidInARow, type Ended, type FinishedRound, type Plan } from './experiment'
import { fitRounds } from './fit'
import type { Change } from './place-effect'
import { base, grainDeviation, head } from './round'

/** A search of which nothing is known before it begins: GOOD against BAD first, until the change shows. */
export interface Hunt {
  /** GOOD first, BAD last, at least two. */
  readonly commits: readonly string[]
  /** How GOOD (base) and BAD (head) are compared before the search. */
  readonly plan: Plan
  /** Runs at most, those of GOOD against BAD as well. */
  readonly maxRuns: number
  /** Of printed values, relative to them; 0: exact. */
  readonly grainRatio: number
}

/** The reason of a void round whose run of GOOD did not count. */
export const goodIsVoid = 'good'

export type HuntRunning = SearchRunning & { readonly phase: 'comparing' | 'searching'; readonly change: Change | null }
export type HuntEnded = SearchEnded & { readonly change: Change | null; readonly rounds: number }

/** What finished rounds, in time order, say: the culprit, or the commit to measure next. */
export function huntOf(hunt: Hunt, finished: readonly SearchRound[]): HuntEnded | HuntRunning {
  const { commits, plan, maxRuns, grainRatio } = hunt
  const rounds = finished.filter(({ kind }) => kind === 'valid').length
  const runs = finished.reduce((sum, round) => sum + (round.kind === 'valid' ? 2 : round.runs), 0)
  const end = (verdict: SearchEnded['verdict'], change: Change | null): HuntEnded => ({
    ...{ kind: 'ended', verdict, commits: [], probability: null, posterior: [], runs, change, rounds },
  })
  const search = { commits, past: [], seed: plan.seed, maxRuns, grainRatio }
  const last = commits.length - 1
  if (last === 1) {
    const only = searchOf({ ...search, expectedRatio: 1, deviation: 1, smallestVisibleRatio: 0 }, [])
    if (only.kind === 'ended') return { ...only, change: null, rounds }
  }
  if (isGoodVoid(finished)) return end('stopped', null)
  const compared = comparisonOf(hunt, finished)
  if (compared === null) {
    const standing = experimentOf(
      plan,
      finished.map((round) => asCompared(round, grainRatio)),
    )
    const [first] = standing.kind === 'running' ? standing.next : []
    const goodIsFirst = first === base
    return { kind: 'running', phase: 'comparing', next: last, goodIsFirst, posterior: null, change: standing.effect }
  }
  const { ended, deviation } = compared
  if (ended.verdict === 'stopped') return end('stopped', ended.effect)
  if (ended.verdict === 'same') return end('none', ended.effect)
  if (ended.effect === null || deviation === null || ended.reason !== 'different')
    return end('not-started', ended.effect)
  const known = { expectedRatio: ended.effect.effectRatio, deviation, smallestVisibleRatio: 0 }
  const found = searchOf({ ...search, ...known }, finished)
  return found.kind === 'ended'
    ? { ...found, change: ended.effect, rounds }
    : { ...found, phase: 'searching', change: ended.effect }
}

const isGoodVoid = (finished: readonly SearchRound[]): boolean =>
  finished.length >= maxVoidInARow &&
  finished.slice(-maxVoidInARow).every((round) => round.kind === 'void' && round.reason === goodIsVoid)

/** How GOOD against BAD ended, and the deviation of a round's difference then. Null: it has not. */
function comparisonOf(
  { plan, grainRatio }: Hunt,
  finished: readonly SearchRound[],
): { readonly ended: Ended; readonly deviation: number | null } | null {
  const rounds = finished.map((round) => asCompared(round, grainRatio))
  for (let count = 1; count <= rounds.length; count += 1) {
    const standing = experimentOf(plan, rounds.slice(0, count))
    if (standing.kind === 'running') continue
    const fit = fitRounds(
      rounds.slice(0, count).filter((round) => round.kind === 'valid'),
      plan.arms,
    )
    // What few rounds show is too small half of the time.
    return {
      ended: standing,
      deviation: fit && Math.max(grainDeviation(grainRatio), deviationToPromise(fit.pairDeviation, fit.df)),
    }
  }
  return null
}

function asCompared(round: SearchRound, grainRatio: number): FinishedRound {
  if (round.kind === 'void') return round
  const order = round.wasSecond ? [base, head] : [head, base]
  return { kind: 'valid', order, values: { [base]: 1, [head]: Math.exp(round.log) }, grainRatio }
}
