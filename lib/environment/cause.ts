import {
  evidenceOf,
  lossesOfShift,
  moveAt,
  moveTogether,
  movedBeyond,
  stayedBelow,
  timesNear,
  type Together,
} from './common-shift'
import type { FollowedSeries } from './followed-series'
import type { Step } from './step'

/** What an alert blames. `commit-or-machine`: nothing that is known can tell, another run can. */
export type CauseKind = 'environment' | 'commit' | 'commit-or-machine' | 'control' | 'unexplained'

export interface Cause {
  readonly kind: CauseKind
  /** Blamed, or a candidate; null: none. */
  readonly commit: string | null
}

const environment: Cause = { kind: 'environment', commit: null }
const day = 86_400

/**
 * Why the series of an environment moved together: the first evidence that holds speaks. `others`: the series of other
 * environments, asked last.
 */
export function causeOfShift<Alert>(
  own: readonly FollowedSeries<Alert>[],
  others: Iterable<readonly FollowedSeries<Alert>[]>,
  time: number,
  { factor, bySeries }: Together<Alert>,
): Cause {
  const all = [...bySeries]
  const controls = all.filter(([series]) => series.place.isControl).map(([, { evidence }]) => evidence)
  const movers = all.flatMap(([series, { evidence }]) => (evidence > 1 && !series.place.isControl ? [series] : []))
  const stayed = all.filter(([, { evidence }]) => evidence < stayedBelow).length
  if (Math.max(...controls) > movedBeyond && all.length > controls.length) return environment
  const commit = commonCommit(own, movers, time)
  // Nothing is new in one of them at least, or not the same.
  if (commit === null) return environment
  if (Math.min(...controls) < stayedBelow) return { kind: 'commit', commit }
  if (stayed >= 1 && stayed >= 0.2 * all.length) return { kind: 'commit', commit }
  for (const machine of others) {
    const evidence = evidenceElsewhere(machine, commit, time, factor)
    if (evidence < -3) return environment
    if (evidence > 3) return { kind: 'commit', commit }
  }
  return { kind: 'commit-or-machine', commit }
}

/** The commit that is new in all series that moved, at the time of the shift or where it may as well be; null: none. */
function commonCommit<Alert>(
  own: readonly FollowedSeries<Alert>[],
  movers: readonly FollowedSeries<Alert>[],
  time: number,
): string | null {
  if (movers.length === 0) return null
  const newAt = (at: number) => new Set(movers.map((series) => newCommit(series, series.firstSince(at))))
  const only = (commits: ReadonlySet<string | null>) => (commits.size === 1 ? ([...commits][0] ?? null) : null)
  const there = only(newAt(time))
  if (there !== null) return there
  const lossAt = lossesOfShift(own)
  const least = lossAt(time)
  for (const one of timesNear(own, time, 1.3 * day)) {
    const commit = lossAt(one) - least <= 5 ? only(newAt(one)) : null
    if (commit !== null) return commit
  }
  return null
}

/** The commit of a run, if the run before it has another one; else null. */
function newCommit<Alert>({ commits }: FollowedSeries<Alert>, at: number): string | null {
  const [before, commit] = [commits[at - 1], commits[at]]
  return before === undefined || commit === undefined || before === commit ? null : commit
}

/** What the same commit did on another machine: sum of the log likelihood ratios. */
function evidenceElsewhere<Alert>(
  machine: readonly FollowedSeries<Alert>[],
  commit: string,
  time: number,
  factor: number,
): number {
  return machine.reduce((sum, series) => {
    if (!series.commits.slice(-60).includes(commit)) return sum
    const move = moveAt(series, series.times[series.commits.indexOf(commit)] ?? time)
    return move !== null && move.runs >= 2 ? sum + evidenceOf(move, factor) : sum
  }, 0)
}

/** Runs of a step after which its neighbours are no longer waited for. */
const lateRuns = 14
const longestWait = 4

/**
 * Why one series moved, from what its neighbours did: null to wait for them. `waited`: for how many of its runs they
 * were waited for already.
 */
export function causeOfStep<Alert>(
  series: FollowedSeries<Alert>,
  step: Pick<Step, 'at' | 'change' | 'after'>,
  places: ReadonlyMap<number, number>,
  waited: number,
): Cause | null {
  const { neighbours, commits, times } = series
  const { bySeries } = moveTogether(neighbours, times[step.at] ?? 0, { factor: step.change })
  const evidence = [...bySeries.values()].map((one) => one.evidence)
  const total = evidence.reduce((sum, one) => sum + one, 0)
  const isLate = step.after > lateRuns
  if (series.place.isControl) {
    const waits = evidence.length > 0 && total > -1 && waited < longestWait * (neighbours.length + 1)
    return waits && !isLate ? null : { kind: 'control', commit: null }
  }
  const along = evidence.filter((one) => one > 0.7).length
  if (total > -2 && along > 0.4 * evidence.length && !isLate && waited < longestWait) return null
  const likely = [...places].filter(([at, share]) => share > 0.05 && newCommit(series, at) !== null)
  const best = likely.reduce<[number, number] | null>((most, one) => (most && most[1] >= one[1] ? most : one), null)
  if (best === null) return { kind: 'unexplained', commit: null }
  const knows = evidence.length > 0 && (total < -1 || isLate)
  return { kind: knows ? 'commit' : 'commit-or-machine', commit: commits[best[0]] ?? null }
}
