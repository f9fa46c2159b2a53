import { findMetric, type Metric } from '../run/metrics'
import type { ImportedRun, UtcIso } from '../run/run'
import { experimentOf, type Ended, type FinishedRound, type Plan, type Running } from './experiment'
import { base, control, head } from './round'
import { runOfRound, type Conditions } from './run-of-round'

/** What a plan may ask for. */
export const planLimits = { leastRounds: 6, mostRounds: 60, leastRatio: 0.001, mostRatio: 1 } as const

/** Share of experiments on identical code that end as different, over all evaluations. */
const alpha = 0.05

/** An arm that was given to a runner is awaited for so long, minutes; then its round is void. */
const awaitedMinutes = 60

/** Rounds that are read at most: of three, two may be void without ending it. */
const maxSeenRounds = 3 * planLimits.mostRounds

/** An arm of a round that was given to a runner. */
export interface GivenPlace {
  /** From 1; void rounds count. */
  readonly round: number
  readonly arm: string
  readonly givenAt: UtcIso
  /** Why the runner had no run; null: it did not say so. */
  readonly voidReason: string | null
}

/** An experiment as it was planned, and what was given out of it. */
export interface StoredExperiment {
  readonly id: string
  /** From 1 in its project. */
  readonly number: number
  readonly question: string
  /** What an arm is: a commit, a build. */
  readonly base: string
  readonly head: string
  /** Whether base runs a second time in each round. */
  readonly hasControl: boolean
  /** Of the metric that decides. */
  readonly metricId: string
  /** Smallest relative change that matters: 0.05 is 5 %. */
  readonly smallestRatio: number
  readonly maxRounds: number
  readonly seed: string
  readonly createdAt: UtcIso
  /** Null: nobody stopped it. */
  readonly stoppedAt: UtcIso | null
  readonly places: readonly GivenPlace[]
}

/** A run that says which arm of which round it is. */
export interface ArmRun {
  readonly id: string
  readonly round: number
  readonly arm: string
  readonly imported: ImportedRun
}

/** A round as far as it went. */
export interface SeenRound {
  readonly round: number
  /** Its arms, the first place first. */
  readonly order: readonly string[]
  readonly runIds: Readonly<Record<string, string>>
  /** In the metric that decides; void runs have none. */
  readonly values: Readonly<Record<string, number>>
  /** `head: exit 1`; null: it is not void. */
  readonly voidReason: string | null
}

export const experimentStates = ['running', 'decided', 'undecided', 'unproven', 'stopped'] as const
export type ExperimentState = (typeof experimentStates)[number]

/** What an experiment shows by its runs. */
export interface ExperimentProgress {
  readonly state: ExperimentState
  readonly plan: Plan
  readonly metric: Metric
  readonly standing: Ended | Running
  /** In time order, with the one that is open. */
  readonly rounds: readonly SeenRound[]
  /** The round that is open; null: the experiment is over. */
  readonly open: {
    readonly round: number
    /** The arm to be run next; null: all of them were given out. */
    readonly arm: string | null
    /** Arms that were given out and have no run yet. */
    readonly awaited: readonly string[]
  } | null
}

export const armsOf = ({ hasControl }: Pick<StoredExperiment, 'hasControl'>): readonly string[] =>
  hasControl ? [base, head, control] : [base, head]

/**
 * The same places and runs always show the same. `runs`: oldest first; of two for one place, the first counts. Throws if
 * the metric is unknown.
 */
export function progressOf(stored: StoredExperiment, runs: readonly ArmRun[], nowMs: number): ExperimentProgress {
  const metric = findMetric(stored.metricId)
  if (metric === null || metric.direction === 'neutral') throw new Error(`${stored.metricId} decides nothing`)
  const { smallestRatio, maxRounds, seed } = stored
  const { direction } = metric
  const plan: Plan = { arms: armsOf(stored), direction, seed, smallestRatio, maxRounds, alpha, maxRuns: null }
  const reader = new RoundReader(stored, runs, { metric, nowMs })
  const finished: FinishedRound[] = []
  const rounds: SeenRound[] = []
  for (let round = 1; round <= maxSeenRounds; round += 1) {
    const standing = experimentOf(plan, finished)
    if (standing.kind === 'ended') return { state: stateOf(standing), plan, metric, standing, rounds, open: null }
    const { seen, isWhole } = reader.read(round, standing.next)
    const isOpen = seen.voidReason === null && !isWhole
    if (!isOpen || Object.keys(seen.runIds).length > 0 || reader.wasGiven(round)) rounds.push(seen)
    if (isOpen) {
      const state = stored.stoppedAt === null ? 'running' : 'stopped'
      const open = state === 'running' ? reader.open(round, standing.next) : null
      return { state, plan, metric, standing, rounds, open }
    }
    finished.push(finishedOf(seen))
  }
  throw new Error(`an experiment of more than ${maxSeenRounds} rounds`)
}

const finishedOf = ({ order, values, voidReason, runIds }: SeenRound): FinishedRound =>
  voidReason === null
    ? { kind: 'valid', order, values }
    : { kind: 'void', reason: voidReason, runs: Math.max(1, Object.keys(runIds).length) }

function stateOf({ verdict }: Ended): ExperimentState {
  switch (verdict) {
    case 'decided-better':
    case 'decided-worse':
    case 'same':
      return 'decided'
    case 'undecided':
    case 'unproven':
    case 'stopped':
      return verdict
  }
}

/** Reads rounds in turn: what the first run was asked to do is what the others must be asked. */
class RoundReader {
  private before: Conditions | null = null
  private readonly runOf = new Map<string, ArmRun>()
  private readonly placeOf: ReadonlyMap<string, GivenPlace>

  constructor(
    { places }: Pick<StoredExperiment, 'places'>,
    runs: readonly ArmRun[],
    private readonly known: { readonly metric: Metric; readonly nowMs: number },
  ) {
    for (const run of runs) {
      const key = keyOf(run.round, run.arm)
      if (!this.runOf.has(key)) this.runOf.set(key, run)
    }
    this.placeOf = new Map(places.map((place) => [keyOf(place.round, place.arm), place]))
  }

  /** A round in this order. It is void with its first void arm; later ones are not read. */
  read(round: number, order: readonly string[]): { readonly seen: SeenRound; readonly isWhole: boolean } {
    const runIds: Record<string, string> = {}
    const values: Record<string, number> = {}
    for (const arm of order) {
      const reason = this.readArm(round, arm, runIds, values)
      if (reason !== null)
        return { seen: { round, order, runIds, values, voidReason: `${arm}: ${reason}` }, isWhole: false }
    }
    const isWhole = order.every((arm) => values[arm] !== undefined)
    return { seen: { round, order, runIds, values, voidReason: null }, isWhole }
  }

  /** Why the arm is void; null: it has a run that counts, or none yet. */
  private readArm(
    round: number,
    arm: string,
    runIds: Record<string, string>,
    values: Record<string, number>,
  ): string | null {
    const [run, place] = [this.runOf.get(keyOf(round, arm)), this.placeOf.get(keyOf(round, arm))]
    if (place?.voidReason) return place.voidReason
    if (run === undefined)
      return place !== undefined && this.isOverdue(place) ? `no run within ${awaitedMinutes} minutes` : null
    runIds[arm] = run.id
    const found = runOfRound(run.imported, this.known.metric, this.before)
    if (found.kind === 'void') return found.reason
    this.before ??= found.conditions
    values[arm] = found.value
    return null
  }

  /** What is to be run of an open round. */
  open(round: number, order: readonly string[]): NonNullable<ExperimentProgress['open']> {
    const missing = order.filter((arm) => !this.runOf.has(keyOf(round, arm)))
    const awaited = missing.filter((arm) => this.placeOf.has(keyOf(round, arm)))
    return { round, arm: missing.find((arm) => !awaited.includes(arm)) ?? null, awaited }
  }

  wasGiven(round: number): boolean {
    return [...this.placeOf.values()].some((place) => place.round === round)
  }

  private isOverdue({ givenAt }: GivenPlace): boolean {
    return this.known.nowMs - Date.parse(givenAt) > awaitedMinutes * 60_000
  }
}

const keyOf = (round: number, arm: string): string => `${round} ${arm}`
