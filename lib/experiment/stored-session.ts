import * as z from 'zod'
import { findMetric, type Metric } from '../run/metrics'
import type { UtcIso } from '../run/run'
import type { Work } from './does-less'
import { base } from './round'
import { runOfRound, type Conditions } from './run-of-round'
import {
  attemptOf,
  best,
  confirmationOf,
  failing,
  levelOf,
  reused,
  roomFor,
  type SessionPlan,
  type SessionRound,
} from './session'
import { toRatio } from './visible'
import type { ArmRun, GivenPlace } from './stored-experiment'

/** What a session may ask for. */
export const sessionLimits = {
  ...{ leastRounds: 6, mostRounds: 60, mostPlanned: 500, leastRuns: 50, mostRuns: 20_000 },
} as const
/** The arm of what is tried, beside `best`. */
export const attemptArm = 'attempt'
/** Why a place is void whose output was the same as an earlier one. */
export const sameOutput = 'the same output as before'

const alpha = 0.05
const awaitedMinutes = 60
const maxSeenRounds = 3 * sessionLimits.mostRounds

const change = { effectRatio: z.number(), low: z.number(), high: z.number(), rounds: z.number() }

/** What became of an attempt, or of the confirmation. `gainLog`: on the log scale, above 0 is better. */
export const attemptResultSchema = z.discriminatedUnion('verdict', [
  z.object({ verdict: z.literal('keep'), gainLog: z.number(), deviation: z.number(), runs: z.number() }),
  z.object({
    verdict: z.literal('revert'),
    why: z.enum(['not-shown', 'would-not-show', 'budget', 'void']),
    gainLog: z.number().nullable(),
    deviation: z.number().nullable(),
    runs: z.number(),
  }),
  z.object({
    verdict: z.literal('suspect'),
    why: z.enum(['fewer-requests', 'failures', 'other-status', 'fewer-bytes', 'reused-output']),
    runs: z.number(),
  }),
  z.object({ verdict: z.literal('duplicate'), of: z.string(), runs: z.literal(0) }),
  z.object({ verdict: z.literal('not-run'), runs: z.literal(0) }),
  z.object({ verdict: z.literal('confirmed'), confirmed: z.object(change).nullable(), runs: z.number() }),
])
export type AttemptResult = Readonly<z.infer<typeof attemptResultSchema>>

/** One change that was tried, or the confirmation of the best. */
export interface StoredAttempt {
  /** Its runs have it as the label `experiment`. */
  readonly id: string
  /** From 1 in its session. */
  readonly number: number
  readonly name: string
  /** Of the change: equal ones are one attempt; null: not given. */
  readonly digest: string | null
  readonly isConfirmation: boolean
  readonly createdAt: UtcIso
  /** Null: it is measured. */
  readonly result: AttemptResult | null
}

/** A session as it was planned, and what was tried, in order. */
export interface StoredSession {
  readonly id: string
  /** From 1 in its project. */
  readonly number: number
  readonly question: string
  /** What base is: a commit, a build. */
  readonly base: string
  readonly metricId: string
  /** Smallest gain that matters: 0.02 is 2 %. */
  readonly smallestRatio: number
  /** Of an attempt. */
  readonly maxRounds: number
  readonly plannedAttempts: number
  /** Of the whole session, with those that confirm the best. */
  readonly maxRuns: number
  readonly seed: string
  readonly createdAt: UtcIso
  readonly attempts: readonly StoredAttempt[]
}

export type SessionState = 'open' | 'measuring' | 'confirming' | 'concluded'

export function stateOfSession({ attempts }: Pick<StoredSession, 'attempts'>): SessionState {
  const last = attempts.at(-1)
  if (last === undefined) return 'open'
  if (last.isConfirmation) return last.result === null ? 'confirming' : 'concluded'
  return last.result === null ? 'measuring' : 'open'
}

export const runsOfSession = ({ attempts }: Pick<StoredSession, 'attempts'>): number =>
  attempts.reduce((sum, { result }) => sum + (result?.runs ?? 0), 0)

/** What `best` is before an attempt, by its number: the last one that was kept, else base. */
export const bestBefore = ({ attempts, base: first }: StoredSession, number: number): string =>
  attempts.findLast((one) => one.number < number && one.result?.verdict === 'keep')?.name ?? first

/** Sum of the gains that were kept, as a relative change of the metric. */
export function claimedRatio(session: Pick<StoredSession, 'attempts' | 'metricId'>): number {
  const kept = session.attempts.map(({ result }) => (result?.verdict === 'keep' ? result.gainLog : 0))
  return effectOf(
    session,
    kept.reduce((sum, one) => sum + one, 0),
  )
}

/** A gain on the log scale as a relative change of the metric. */
export const effectOf = (session: Pick<StoredSession, 'metricId'>, gainLog: number): number =>
  toRatio(metricOf(session).direction === 'lower-is-better' ? -gainLog : gainLog)

/**
 * What becomes of a new attempt before anything is run: it is the same change as an earlier one, or the runs that are
 * left confirm the best. Null: it is measured.
 */
export function resultAtStart(session: StoredSession, digest: string | null): AttemptResult | null {
  const same = session.attempts.find(
    (one) => digest !== null && one.digest === digest && one.result?.verdict !== 'not-run',
  )
  if (same !== undefined) return { verdict: 'duplicate', of: same.name, runs: 0 }
  return roomFor(planOf(session, false), runsOfSession(session)) === null ? { verdict: 'not-run', runs: 0 } : null
}

/** A round of an attempt as far as it went. */
export interface AttemptRound {
  readonly round: number
  readonly order: readonly string[]
  readonly runIds: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, number>>
  readonly voidReason: string | null
}

export interface AttemptProgress {
  readonly rounds: readonly AttemptRound[]
  /** Null: it is measured. */
  readonly result: AttemptResult | null
  /** The round that is open; null: it is over. */
  readonly open: {
    readonly round: number
    /** Null: all arms were given out. */
    readonly arm: string | null
    readonly awaited: readonly string[]
  } | null
}

interface Measured {
  readonly places: readonly GivenPlace[]
  /** Oldest first; of two for one place, the first counts. */
  readonly runs: readonly ArmRun[]
}

/** An attempt that is measured, by its runs so far. The same runs always show the same. */
export function progressOfAttempt(
  session: StoredSession,
  attempt: StoredAttempt,
  measured: Measured,
  nowMs: number,
): AttemptProgress {
  const reader = new AttemptReader(metricOf(session), measured, nowMs)
  const before = runsOfSession({ attempts: session.attempts.filter(({ number }) => number < attempt.number) })
  const rounds: AttemptRound[] = []
  const finished: SessionRound[] = []
  for (let round = 1; round <= maxSeenRounds; round += 1) {
    const standing = standingOf(session, attempt, { finished, before, comparesRequests: reader.comparesRequests })
    if (standing.kind === 'ended') return { rounds, result: standing.result, open: null }
    const seen = reader.read(round, standing.next)
    if (seen.isOpen) {
      if (Object.keys(seen.round.runIds).length > 0) rounds.push(seen.round)
      return { rounds, result: null, open: reader.open(round, standing.next) }
    }
    rounds.push(seen.round)
    finished.push(seen.finished)
  }
  throw new Error(`an attempt of more than ${maxSeenRounds} rounds`)
}

type Standing =
  | { readonly kind: 'running'; readonly next: readonly string[] }
  | { readonly kind: 'ended'; readonly result: AttemptResult }

function standingOf(
  session: StoredSession,
  attempt: StoredAttempt,
  seen: { readonly finished: readonly SessionRound[]; readonly before: number; readonly comparesRequests: boolean },
): Standing {
  const { finished, before } = seen
  const runs = finished.reduce((sum, round) => sum + (round.kind === 'valid' ? 2 : round.runs), 0)
  const plan = planOf(session, seen.comparesRequests)
  if (attempt.isConfirmation) {
    const standing = confirmationOf(plan, finished, before + runs)
    if (standing.kind === 'running') return standing
    return { kind: 'ended', result: { verdict: 'confirmed', confirmed: standing.confirmed, runs } }
  }
  const room = roomFor(plan, before)
  if (room === null) return { kind: 'ended', result: { verdict: 'not-run', runs: 0 } }
  const level = levelOf(measuredBefore(session, attempt.number) + 1, plan)
  const own = { ...plan, seed: `${plan.seed} ${attempt.number}` }
  const standing = attemptOf(own, { name: attemptArm, level, room }, finished)
  switch (standing.kind) {
    case 'running':
      return standing
    case 'suspect':
      return { kind: 'ended', result: { verdict: 'suspect', why: standing.why, runs } }
    case 'keep': {
      const { gainLog, deviation } = standing
      return { kind: 'ended', result: { verdict: 'keep', gainLog, deviation, runs } }
    }
    case 'revert': {
      const { why, gainLog, deviation } = standing
      return { kind: 'ended', result: { verdict: 'revert', why, gainLog, deviation, runs } }
    }
  }
}

/** Attempts that spent a part of the budget of error. */
const measuredBefore = ({ attempts }: StoredSession, number: number): number =>
  attempts.filter(
    (one) => one.number < number && one.result?.verdict !== 'duplicate' && one.result?.verdict !== 'not-run',
  ).length

/** Throws if the metric decides nothing. */
export function metricOf({ metricId }: Pick<StoredSession, 'metricId'>): Metric {
  const metric = findMetric(metricId)
  if (metric === null) throw new Error(`no metric ${metricId}`)
  return metric
}

export function planOf(session: StoredSession, comparesRequests: boolean): SessionPlan {
  const { direction } = metricOf(session)
  if (direction === 'neutral') throw new Error(`${session.metricId} decides nothing`)
  const { seed, smallestRatio, maxRounds, plannedAttempts, maxRuns } = session
  return { direction, seed, smallestRatio, maxRounds, alpha, plannedAttempts, maxRuns, comparesRequests }
}

interface ReadRound {
  readonly round: AttemptRound
  readonly isOpen: boolean
  readonly finished: SessionRound
}

/** Reads rounds in turn: what the first run was asked to do is what the others must be asked. */
class AttemptReader {
  private before: Conditions | null = null
  private readonly runs: ReadonlyMap<string, ArmRun>
  private readonly places: ReadonlyMap<string, GivenPlace>

  constructor(
    private readonly metric: Metric,
    { places, runs }: Measured,
    private readonly nowMs: number,
  ) {
    this.runs = new Map(runs.toReversed().map((run) => [keyOf(run.round, run.arm), run]))
    this.places = new Map(places.map((place) => [keyOf(place.round, place.arm), place]))
  }

  /** Whether runs are asked for a number of requests: then fewer of them are suspect. */
  get comparesRequests(): boolean {
    return this.before !== null && (this.before.requests !== null || this.before.ratePerSecond !== null)
  }

  read(round: number, order: readonly string[]): ReadRound {
    const runIds: Record<string, string> = {}
    const values: Record<string, number> = {}
    const work: Record<string, Work> = {}
    let grainRatio = 0
    for (const arm of order) {
      const { run, found } = this.find(round, arm)
      if (run !== null) runIds[arm] = run.id
      if (found === null) continue
      if (found.kind === 'void') {
        const voidReason = `${arm}: ${found.reason}`
        const finished = {
          kind: 'void',
          reason: voidKind(arm, found),
          runs: Math.max(1, Object.keys(runIds).length),
        } as const
        return { round: { round, order, runIds, values, voidReason }, isOpen: false, finished }
      }
      values[arm] = found.value
      work[arm] = found.work
      grainRatio = Math.max(grainRatio, found.grainRatio)
    }
    const isOpen = order.some((arm) => values[arm] === undefined)
    const finished = { kind: 'valid', order, values, work, grainRatio } as const
    return { round: { round, order, runIds, values, voidReason: null }, isOpen, finished }
  }

  /** Null: it has no run yet. */
  private find(round: number, arm: string) {
    const [run = null, place] = [this.runs.get(keyOf(round, arm)), this.places.get(keyOf(round, arm))]
    const isVoid = (reason: string) => ({ kind: 'void', reason, isFailing: false }) as const
    if (place?.voidReason) return { run, found: isVoid(place.voidReason) }
    if (run === null) {
      const isOverdue = place !== undefined && this.nowMs - Date.parse(place.givenAt) > awaitedMinutes * 60_000
      return { run, found: isOverdue ? isVoid(`no run within ${awaitedMinutes} minutes`) : null }
    }
    const found = runOfRound(run.imported, this.metric, this.before)
    if (found.kind === 'valid') this.before ??= found.conditions
    return { run, found }
  }

  open(round: number, order: readonly string[]): NonNullable<AttemptProgress['open']> {
    const missing = order.filter((arm) => !this.runs.has(keyOf(round, arm)))
    const awaited = missing.filter((arm) => this.places.has(keyOf(round, arm)))
    return { round, arm: missing.find((arm) => !awaited.includes(arm)) ?? null, awaited }
  }
}

const keyOf = (round: number, arm: string): string => `${round} ${arm}`

/** Reasons that make an attempt suspect have words of their own. */
function voidKind(
  arm: string,
  { reason, isFailing }: { readonly reason: string; readonly isFailing: boolean },
): string {
  if (reason === sameOutput) return reused
  return isFailing && arm !== best && arm !== base ? failing : reason
}
