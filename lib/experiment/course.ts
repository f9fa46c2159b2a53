import { boundsAhead, isEvaluated, type Bounds } from './boundary'
import { experimentOf, type FinishedRound, type Plan } from './experiment'
import { fitRounds } from './fit'
import type { Change } from './place-effect'
import { grainOf, head } from './round'

/** What an experiment showed when so many rounds were valid. */
export interface CoursePoint {
  readonly rounds: number
  /** Head against base, with the interval that this many rounds are judged by. Null: too few of them. */
  readonly effect: Change | null
  /** Whether it was evaluated then; elsewhere the interval decides nothing. */
  readonly isEvaluated: boolean
}

/** Where an evaluation ends an experiment. */
export interface CourseBounds extends Bounds {
  readonly rounds: number
  /** Whether it is to come: it then holds if further rounds scatter as those so far. */
  readonly isAhead: boolean
}

/** An experiment round by round. */
export interface Course {
  readonly points: readonly CoursePoint[]
  /** Of each planned evaluation; empty: too few rounds. */
  readonly bounds: readonly CourseBounds[]
}

/** How an experiment came to where it is, as `experimentOf` judged it after each round. */
export function courseOf(plan: Plan, finished: readonly FinishedRound[]): Course {
  const points: CoursePoint[] = []
  const bounds: CourseBounds[] = []
  for (const [at, round] of finished.entries()) {
    if (round.kind === 'void') continue
    const { rounds, effect, bounds: own } = experimentOf(plan, finished.slice(0, at + 1))
    const counts = isEvaluated(rounds, plan.maxRounds)
    points.push({ rounds, effect, isEvaluated: counts })
    if (counts && own !== null) bounds.push({ rounds, ...own, isAhead: false })
  }
  return { points, bounds: [...bounds, ...aheadOf(plan, finished)] }
}

/** Where the evaluations to come end an experiment, soonest first. Empty: too few rounds to say. */
export function aheadOf(plan: Plan, finished: readonly FinishedRound[]): readonly CourseBounds[] {
  const valid = finished.filter((round) => round.kind === 'valid')
  const fit = fitRounds(valid, plan.arms)
  if (fit === null) return []
  const [rounds, grain] = [valid.length, grainOf(valid)]
  return Array.from({ length: plan.maxRounds - rounds }, (_, at) => rounds + at + 1).flatMap((total) => {
    const bounds = isEvaluated(total, plan.maxRounds) ? boundsAhead(fit, head, { rounds, total }, plan, grain) : null
    return bounds === null ? [] : [{ rounds: total, ...bounds, isAhead: true }]
  })
}
