import { commitPrior, type PastRun } from './commit-prior'
import { posteriorOf, type CommitRound, type Known, type Posterior } from './culprit-posterior'
import { orderOf } from './order'
import { base, grainDeviation } from './round'

/** A range of commits in which a change is, and what is known of it. */
export interface Search {
  /** GOOD first, BAD last, at least two. */
  readonly commits: readonly string[]
  /** The change from GOOD to BAD that is expected, as a signed ratio of the metric: 0.08 is 8 % higher. */
  readonly expectedRatio: number
  readonly past: readonly PastRun[]
  /** Of the set-up: deviation of one round's difference (log), and the smallest change that it shows. */
  readonly deviation: number
  readonly smallestVisibleRatio: number
  /** Of printed values, relative to them; 0: exact. */
  readonly grainRatio: number
  readonly seed: string
  readonly maxRuns: number
}

/** A round of GOOD and the commit at a position that is over. */
export type SearchRound =
  | ({ readonly kind: 'valid' } & CommitRound)
  | {
      readonly kind: 'void'
      readonly at: number
      /** `unbuildable`: this commit cannot be run at all. */
      readonly reason: string
      readonly runs: number
    }

/** The reason of a void round whose commit does not build (exit 125). */
export const unbuildable = 'unbuildable'

/**
 * found: one commit. set: neighbours that nothing buildable separates. none: BAD is as GOOD today. no-single-step: two
 * changes. not-started: the set-up does not show a change of this size. undecided: no runs are left. stopped: BAD cannot
 * be run.
 */
export type SearchVerdict = 'found' | 'set' | 'none' | 'no-single-step' | 'not-started' | 'undecided' | 'stopped'

export interface SearchEnded {
  readonly kind: 'ended'
  readonly verdict: SearchVerdict
  /** In order; of two steps those among which each is. Empty where none is named. */
  readonly commits: readonly string[]
  /** Of the verdict; null: nothing was measured. */
  readonly probability: number | null
  readonly posterior: readonly number[]
  readonly runs: number
}

export interface SearchRunning {
  readonly kind: 'running'
  /** Position of the commit to measure, and the order of the round. */
  readonly next: number
  readonly goodIsFirst: boolean
  /** By commit, GOOD first; null: before the first measured round. */
  readonly posterior: Posterior | null
}

const sure = 0.95
const sureOfTwo = 0.8
/** Two steps are asked for at every fourth round, and before an answer. */
const roundsBetweenTwo = 4
/** BAD is measured so often before anything else, and before an answer; after so many void rounds it is given up. */
const firstRoundsOfBad = 4
const minRoundsOfBad = 6
const maxFirstRounds = 12
/** BAD is measured again while it may be as GOOD, and so that it has a sixth of the rounds. */
const doubtful = 0.2
const partOfBad = 1 / 6
/** A commit that was void so often is treated as unbuildable. */
const maxVoid = 3

/** What finished rounds, in time order, say: the culprit, or the commit to measure next. */
export function searchOf(search: Search, finished: readonly SearchRound[]): SearchEnded | SearchRunning {
  const { commits, maxRuns, expectedRatio, smallestVisibleRatio } = search
  const last = commits.length - 1
  const runs = finished.reduce((sum, round) => sum + (round.kind === 'valid' ? 2 : round.runs), 0)
  const end = (
    verdict: SearchVerdict,
    at: readonly number[],
    probability: number | null,
    single: readonly number[] = [],
  ): SearchEnded => ({
    ...{ kind: 'ended', verdict, commits: at.map((one) => commits[one] ?? ''), probability, posterior: single, runs },
  })
  if (last === 1) return end('found', [1], 1)
  if (Math.abs(expectedRatio) < smallestVisibleRatio) return end('not-started', [], null)
  const rounds = finished.filter((round) => round.kind === 'valid')
  const go = (next: number, posterior: Posterior | null): SearchRunning => ({
    ...{ kind: 'running', next, posterior },
    goodIsFirst: orderOf([base, 'commit'], search.seed, rounds.length)[0] === base,
  })
  const ofBad = rounds.filter(({ at }) => at === last).length
  // Void rounds of BAD count here: they would otherwise go on for ever.
  if (rounds.every(({ at }) => at === last) && ofBad < firstRoundsOfBad && finished.length < maxFirstRounds)
    return go(last, null)
  if (ofBad === 0) return end('stopped', [], null)
  const known: Known = {
    last,
    expected: Math.log1p(expectedRatio),
    deviation: search.deviation,
    minDeviation: grainDeviation(search.grainRatio),
    prior: commitPrior(commits.length, search.past),
  }
  const broken = brokenCommits(finished)
  const groups = inseparable(last, broken)
  let posterior = posteriorOf(rounds, known, rounds.length % roundsBetweenTwo === 0)
  const massOf = (group: readonly number[]) => group.reduce((sum, at) => sum + (posterior.single[at] ?? 0), 0)
  const likeliest = groups.reduce((most, group) => (massOf(group) > massOf(most) ? group : most))
  const isOver = runs >= maxRuns
  if (Math.max(posterior.none, massOf(likeliest)) >= sure || isOver) {
    posterior = posteriorOf(rounds, known, true)
    const probability = massOf(likeliest)
    if (probability >= sure && ofBad < minRoundsOfBad && !isOver) return go(last, posterior)
    if (probability >= sure)
      return end(likeliest.length === 1 ? 'found' : 'set', likeliest, probability, posterior.single)
    if (posterior.none >= sure) return end('none', [], posterior.none, posterior.single)
  }
  if (posterior.two >= sureOfTwo) return end('no-single-step', posterior.places, posterior.two, posterior.single)
  if (isOver) return end('undecided', likeliest, massOf(likeliest), posterior.single)
  return go(nextCommit(rounds, posterior, broken), posterior)
}

/** Commits that cannot be measured. */
function brokenCommits(finished: readonly SearchRound[]): ReadonlySet<number> {
  const voids = new Map<number, number>()
  for (const round of finished)
    if (round.kind === 'void')
      voids.set(round.at, (voids.get(round.at) ?? 0) + (round.reason === unbuildable ? maxVoid : 1))
  return new Set([...voids].flatMap(([at, count]) => (count >= maxVoid ? [at] : [])))
}

/** Neighbours that no measurable commit separates, in order; each but perhaps the last one ends with one that is. */
function inseparable(last: number, broken: ReadonlySet<number>): readonly (readonly number[])[] {
  const groups: number[][] = [[]]
  for (let at = 1; at <= last; at += 1) {
    groups.at(-1)?.push(at)
    if (!broken.has(at) && at < last) groups.push([])
  }
  return groups
}

/** BAD while it is open whether anything changed; else the commit that halves the posterior. */
function nextCommit(rounds: readonly CommitRound[], { none, single }: Posterior, broken: ReadonlySet<number>): number {
  const last = single.length - 1
  const countOf = (commit: number) => rounds.filter(({ at }) => at === commit).length
  if (none > doubtful || countOf(last) < rounds.length * partOfBad) return last
  const total = single.reduce((sum, one) => sum + one, 0)
  let share = 0
  let before: { readonly at: number; readonly share: number } | null = null
  for (let at = 1; at <= last; at += 1) {
    share += (single[at] ?? 0) / total
    if (broken.has(at)) continue
    if (share < 0.5) {
      before = { at, share }
      continue
    }
    return before === null ? at : halving(before, { at, share }, countOf)
  }
  return last
}

interface Cut {
  readonly at: number
  /** Of the posterior up to it. */
  readonly share: number
}

/** Of the two commits beside the median: the one nearer to it by much, else the one that was measured less. */
function halving(before: Cut, after: Cut, countOf: (commit: number) => number): number {
  const [below, above] = [0.5 - before.share, after.share - 0.5]
  if (below > 2 * above && countOf(after.at) < 2) return after.at
  if (Math.abs(below - above) > 0.2) return below < above ? before.at : after.at
  return countOf(before.at) <= countOf(after.at) ? before.at : after.at
}
