import { experimentOf, type Ended, type FinishedRound, type Plan } from '@/lib/experiment/experiment'
import { searchOf, type Search, type SearchEnded, type SearchRound, type SearchRunning } from '@/lib/experiment/culprit'
import { huntOf, type Hunt, type HuntEnded } from '@/lib/experiment/hunt'
import { placeOf } from '@/lib/experiment/round'
import type { Work } from '@/lib/experiment/does-less'
import {
  attemptOf,
  confirmationOf,
  levelOf,
  roomFor,
  type Confirmed,
  type SessionPlan,
  type SessionRound,
} from '@/lib/experiment/session'
import { SimulatedMachine, type MachineOptions } from './simulated-machine'

export const planOf = (more: Partial<Plan> = {}): Plan => ({
  ...{ arms: ['base', 'head'], direction: 'lower-is-better', smallestRatio: 0.05, maxRounds: 24, alpha: 0.05 },
  ...{ seed: 'a', maxRuns: null },
  ...more,
})

/** An experiment on a simulated machine, to its end. `ratios`: by arm, what it differs from base in truth. */
export function playExperiment(
  plan: Plan,
  options: MachineOptions,
  ratios: Readonly<Record<string, number>>,
): Ended & { readonly finished: readonly FinishedRound[] } {
  const machine = new SimulatedMachine(options)
  const logs = Object.fromEntries(Object.entries(ratios).map(([arm, ratio]) => [arm, Math.log1p(ratio)]))
  const finished: FinishedRound[] = []
  for (;;) {
    const standing = experimentOf(plan, finished)
    if (standing.kind === 'ended') return { ...standing, finished }
    const round = machine.round(standing.next, logs)
    finished.push(round === null ? { kind: 'void', reason: 'exit 1', runs: 1 } : { kind: 'valid', ...round })
  }
}

/** A search on a simulated machine, to its end. `logs`: the level of each commit. */
export function playSearch(
  search: Search,
  options: MachineOptions,
  logs: readonly number[],
  unbuildable: ReadonlySet<number> = new Set(),
): SearchEnded & { readonly finished: readonly SearchRound[] } {
  const machine = new SimulatedMachine(options)
  const finished: SearchRound[] = []
  for (;;) {
    const standing = searchOf(search, finished)
    if (standing.kind === 'ended') return { ...standing, finished }
    const at = standing.next
    if (unbuildable.has(at)) finished.push({ kind: 'void', at, reason: 'unbuildable', runs: 1 })
    else finished.push(measure(machine, standing, logs))
  }
}

export interface PlayedSession {
  readonly kept: readonly string[]
  readonly suspect: readonly string[]
  readonly claimedLog: number
  readonly confirmed: Confirmed | null
  readonly runs: number
}

const plainWork: Work = { requests: 20_000, failures: 0, bytes: 2_000_000, status: { '200': 20_000 } }

/** A session on a simulated machine. `attempts`: what each changes in truth, and what it does if that is less. */
export function playSession(
  plan: SessionPlan,
  options: MachineOptions,
  attempts: readonly { readonly name: string; readonly ratio: number; readonly work?: Work }[],
): PlayedSession {
  const machine = new SimulatedMachine(options)
  const [kept, suspect]: [string[], string[]] = [[], []]
  let [runs, claimedLog, bestLog, measured] = [0, 0, 0, 0]
  const play = (order: readonly string[], logs: Readonly<Record<string, number>>, work?: Work): SessionRound => {
    runs += 2
    const round = machine.round(order, logs)
    if (round === null) return { kind: 'void', reason: 'exit 1', runs: 2 }
    const works = order.map((arm) => [arm, arm === 'best' || arm === 'base' ? plainWork : (work ?? plainWork)])
    return { kind: 'valid', ...round, work: Object.fromEntries(works) as Record<string, Work> }
  }
  for (const { name, ratio, work } of attempts) {
    const room = roomFor(plan, runs)
    if (room === null) break
    measured += 1
    const attempt = { name, level: levelOf(measured, plan), room }
    const logs = { best: bestLog, [name]: bestLog + Math.log1p(ratio) }
    const finished: SessionRound[] = []
    let standing = attemptOf(plan, attempt, finished)
    while (standing.kind === 'running') {
      finished.push(play(standing.next, logs, work))
      standing = attemptOf(plan, attempt, finished)
    }
    if (standing.kind === 'suspect') suspect.push(name)
    if (standing.kind !== 'keep') continue
    kept.push(name)
    claimedLog += standing.gainLog
    bestLog += Math.log1p(ratio)
  }
  const finished: SessionRound[] = []
  let standing = confirmationOf(plan, finished, runs)
  while (kept.length > 0 && standing.kind === 'running') {
    finished.push(play(standing.next, { base: 0, best: bestLog }))
    standing = confirmationOf(plan, finished, runs)
  }
  return { kept, suspect, claimedLog, confirmed: standing.kind === 'ended' ? standing.confirmed : null, runs }
}

/** A search without knowledge on a simulated machine, to its end. `logs`: the level of each commit. */
export function playHunt(
  hunt: Hunt,
  options: MachineOptions,
  logs: readonly number[],
): HuntEnded & { readonly finished: readonly SearchRound[] } {
  const machine = new SimulatedMachine(options)
  const finished: SearchRound[] = []
  for (;;) {
    const standing = huntOf(hunt, finished)
    if (standing.kind === 'ended') return { ...standing, finished }
    finished.push(measure(machine, standing, logs))
  }
}

function measure(
  machine: SimulatedMachine,
  { next: at, goodIsFirst }: SearchRunning,
  logs: readonly number[],
): SearchRound {
  const order = goodIsFirst ? ['good', 'commit'] : ['commit', 'good']
  const round = machine.round(order, { good: logs[0] ?? 0, commit: logs[at] ?? 0 })
  if (round === null) return { kind: 'void', at, reason: 'exit 1', runs: 1 }
  const { good = 1, commit = 1 } = round.values
  return { kind: 'valid', at, wasSecond: placeOf(round, 'commit') === 1, log: Math.log(commit / good) }
}
