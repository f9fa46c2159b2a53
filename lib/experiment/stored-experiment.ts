import { findMetric, type Metric } from '../run/metrics'
import type { ImportedRun, UtcIso } from '../run/run'
import { median } from '../stats/robust'
import {
  experimentOf,
  isVoid,
  maxVoidInARow,
  type Ended,
  type FinishedRound,
  type Plan,
  type Running,
} from './experiment'
import { addWork, doesLess, noWork, type DoesLess, type Work } from './does-less'
import { base, control, head } from './round'
import { planLimits } from './plan-limits'
import { runOfRound, type Conditions, type RunOfRound } from './run-of-round'

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
  /** Those of them that are over, as they are judged. */
  readonly finished: readonly FinishedRound[]
  /** Typical time from the start of a round to that of the next; null: fewer than two were given out. */
  readonly roundMs: number | null
  /** Whether rounds ended because head alone failed its requests. */
  readonly isFailing: boolean
  /** How a better head does less than base; null: it is not better, or does as much. */
  readonly doesLess: DoesLess | null
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

/** The rounds that count, oldest first. */
export const countedRounds = ({ rounds, plan }: Pick<ExperimentProgress, 'rounds' | 'plan'>): readonly SeenRound[] =>
  rounds.filter(({ voidReason, values }) => voidReason === null && plan.arms.every((arm) => values[arm] !== undefined))

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
  const read: ReadRound[] = []
  const seen: SeenRound[] = []
  for (let round = 1; round <= maxSeenRounds; round += 1) {
    const standing = experimentOf(plan, read.map(finishedOf))
    const known = { plan, metric, standing, rounds: seen, ...extrasOf(stored, read, standing) }
    if (standing.kind === 'ended') return { ...known, state: stateOf(standing), open: null }
    const one = reader.read(round, standing.next)
    const isOpen = one.seen.voidReason === null && !one.isWhole
    if (!isOpen || Object.keys(one.seen.runIds).length > 0 || reader.wasGiven(round)) seen.push(one.seen)
    if (isOpen) {
      const state = stored.stoppedAt === null ? 'running' : 'stopped'
      return { ...known, state, open: state === 'running' ? reader.open(round, standing.next) : null }
    }
    read.push(one)
  }
  throw new Error(`an experiment of more than ${maxSeenRounds} rounds`)
}

/** A round, and what is only needed to judge it. */
interface ReadRound {
  readonly seen: SeenRound
  readonly isWhole: boolean
  /** The server's fault in the arm that made it void: its requests failed. */
  readonly isFailing: boolean
  readonly voidArm: string | null
  readonly grainRatio: number
  readonly work: Readonly<Record<string, Work>>
}

const finishedOf = ({ seen: { order, values, voidReason, runIds }, grainRatio }: ReadRound): FinishedRound =>
  voidReason === null
    ? { kind: 'valid', order, values, grainRatio }
    : { kind: 'void', reason: voidReason, runs: Math.max(1, Object.keys(runIds).length) }

function extrasOf(
  { places }: Pick<StoredExperiment, 'places'>,
  read: readonly ReadRound[],
  standing: Ended | Running,
): Pick<ExperimentProgress, 'finished' | 'roundMs' | 'isFailing' | 'doesLess'> {
  const finished = read.map(finishedOf)
  const isBetter = standing.kind === 'ended' && standing.verdict === 'decided-better'
  const workOf = (arm: string) =>
    read.reduce((sum, { seen, work }) => addWork(sum, countedWork(seen, work[arm])), noWork)
  return {
    finished,
    roundMs: roundMsOf(places),
    isFailing:
      isVoid(finished) && read.slice(-maxVoidInARow).every(({ isFailing, voidArm }) => isFailing && voidArm === head),
    doesLess: isBetter ? doesLess(workOf(base), workOf(head)) : null,
  }
}

const countedWork = ({ voidReason }: SeenRound, work: Work | undefined): Work =>
  voidReason === null ? (work ?? noWork) : noWork

function roundMsOf(places: readonly GivenPlace[]): number | null {
  const starts = new Map<number, number>()
  for (const { round, givenAt } of places)
    starts.set(round, Math.min(Date.parse(givenAt), starts.get(round) ?? Infinity))
  const times = [...starts].sort(([one], [other]) => one - other).map(([, at]) => at)
  return times.length < 2 ? null : median(times.slice(1).map((at, index) => at - (times[index] ?? at)))
}

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

/** `isUnread`: it is void whatever its run says. */
type ReadArm = RunOfRound & { readonly isUnread: boolean }

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
  read(round: number, order: readonly string[]): ReadRound {
    const runIds: Record<string, string> = {}
    const values: Record<string, number> = {}
    const work: Record<string, Work> = {}
    let grainRatio = 0
    for (const arm of order) {
      const run = this.runOf.get(keyOf(round, arm))
      const found = this.readArm(round, arm, run)
      if (run !== undefined && !found?.isUnread) runIds[arm] = run.id
      if (found === null) continue
      if (found.kind === 'void') {
        const seen = { round, order, runIds, values, voidReason: `${arm}: ${found.reason}` }
        return { seen, isWhole: false, isFailing: found.isFailing, voidArm: arm, grainRatio, work }
      }
      values[arm] = found.value
      work[arm] = found.work
      grainRatio = Math.max(grainRatio, found.grainRatio)
    }
    const isWhole = order.every((arm) => values[arm] !== undefined)
    const seen = { round, order, runIds, values, voidReason: null }
    return { seen, isWhole, isFailing: false, voidArm: null, grainRatio, work }
  }

  /** Null: the arm has no run yet. */
  private readArm(round: number, arm: string, run: ArmRun | undefined): ReadArm | null {
    const place = this.placeOf.get(keyOf(round, arm))
    const isVoid = (reason: string): ReadArm => ({ kind: 'void', reason, isFailing: false, isUnread: true })
    if (place?.voidReason) return isVoid(place.voidReason)
    if (run === undefined)
      return place !== undefined && this.isOverdue(place) ? isVoid(`no run within ${awaitedMinutes} minutes`) : null
    const found = runOfRound(run.imported, this.known.metric, this.before)
    if (found.kind === 'valid') this.before ??= found.conditions
    return { ...found, isUnread: false }
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
