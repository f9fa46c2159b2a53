import { valueOf, type CapacityRun } from './capacity-run'
import { crossingOf } from './crossing'
import { forTarget, type ForTarget } from './headroom'
import { contradictionOf, firstOutside, lastInside, type HeldLevels } from './held-levels'
import { holdLatency } from './hold-latency'
import { holdShare } from './hold-share'
import { groupRuns, levelsOf, type Level } from './levels'
import { nextRun, type NextRun } from './next-run'
import type { Objective } from './objective'
import { fitLaw, type ScalabilityLaw } from './scalability-law'
import { servedWithin } from './served-rate'
import { servedFromRatio } from '../matrix/sweep-findings'

export type Refusal =
  | { readonly reason: 'no-load' | 'mixed' }
  | { readonly reason: 'metric-missing'; readonly metric: Objective['metric'] }
  /** A level surely outside of an objective below one surely inside. */
  | { readonly reason: 'non-monotone'; readonly name: string; readonly outside: number; readonly inside: number }

export type CapacityWarning = 'no-repeats' | 'served-not-offered' | 'coordinated-omission'

/** Which ends of a bracket are known; or why there is none. */
export const capacityKinds = ['between', 'at-least', 'below', 'undecided', 'refused'] as const

/** How much a group of runs holds. Rates per second; null: not known, or none. */
export interface CapacityAnswer {
  readonly runs: readonly CapacityRun[]
  readonly kind: (typeof capacityKinds)[number]
  readonly refusal: Refusal | null
  readonly isOpen: boolean
  readonly levels: readonly Level[]
  /** Each objective against the levels. */
  readonly held: readonly HeldLevels[]
  readonly capacityPerSecond: number | null
  readonly lowPerSecond: number | null
  readonly highPerSecond: number | null
  /** The bracket of a closed loop. */
  readonly lowConnections: number | null
  readonly highConnections: number | null
  /** The objective that is left first. */
  readonly limitedBy: string | null
  readonly next: NextRun | null
  readonly law: ScalabilityLaw | null
  readonly warnings: readonly CapacityWarning[]
  readonly forTarget: ForTarget | null
}

const minLevelsForPoint = 3
/** Beyond saturation, these wait for a reply before they send the next request. */
const waitingTools: readonly string[] = ['hey', 'wrk']

/** One answer for each group of runs that differ in nothing but the load; one refusal if no group has two loads. */
export function answersOf(
  runs: readonly CapacityRun[],
  objectives: readonly Objective[],
  targetPerSecond: number | null,
): readonly CapacityAnswer[] {
  const groups = groupRuns(runs)
  if (groups.length > 1 && groups.every((group) => levelsOf(group).length < 2))
    return [
      groups.some((group) => levelsOf(group).length > 0)
        ? refused(runs, { reason: 'mixed' })
        : refused(runs, { reason: 'no-load' }),
    ]
  return groups.map((group) => answerOf(group, objectives, targetPerSecond))
}

function answerOf(
  runs: readonly CapacityRun[],
  objectives: readonly Objective[],
  targetPerSecond: number | null,
): CapacityAnswer {
  const levels = levelsOf(runs)
  if (levels.length === 0) return refused(runs, { reason: 'no-load' })
  const lacking = objectives.find((objective) => runs.every((run) => valueOf(run, objective) === null))
  if (lacking !== undefined) return refused(runs, { reason: 'metric-missing', metric: lacking.metric })
  const held = holdLevels(levels, objectives)
  for (const one of held) {
    const contradiction = contradictionOf(one, levels)
    if (contradiction === null) continue
    const [outside, inside] = contradiction
    return refused(runs, { reason: 'non-monotone', name: one.name, outside, inside })
  }
  const answer = bracketOf(runs, levels, held)
  const { instances } = runs[0] ?? {}
  return targetPerSecond === null
    ? answer
    : { ...answer, forTarget: forTarget(targetPerSecond, answer, instances ?? 1) }
}

/** Without an objective for success, most requests must be served all the same. */
function holdLevels(levels: readonly Level[], objectives: readonly Objective[]): readonly HeldLevels[] {
  const held = objectives.map((one) =>
    one.metric === 'success'
      ? holdShare(levels, one.metric, 1 - one.value)
      : holdLatency(levels, one.metric, one.value),
  )
  const asksSuccess = objectives.some(({ metric }) => metric === 'success')
  return asksSuccess ? held : [...held, holdShare(levels, 'served', 1 - servedFromRatio)]
}

function bracketOf(
  runs: readonly CapacityRun[],
  levels: readonly Level[],
  held: readonly HeldLevels[],
): CapacityAnswer {
  const isOpen = runs[0]?.loop === 'open'
  const low = Math.min(...held.map(({ places }) => lastInside(places)))
  const high = Math.min(...held.map(({ places }) => firstOutside(places)))
  const [lowLoad, highLoad] = [levels[low]?.load ?? null, levels[high]?.load ?? null]
  const crossings = held.map((one) => ({ one, at: crossingOf(one, levels, one.limit) }))
  const first = crossings.reduce((least, other) => (other.at < least.at ? other : least))
  const hasPoint = lowLoad !== null && highLoad !== null && levels.length >= minLevelsForPoint
  const at = hasPoint ? Math.max(lowLoad, Math.min(highLoad, first.at)) : null
  const law = isOpen ? null : fitLaw(levels)
  const rates = isOpen
    ? { capacityPerSecond: at, lowPerSecond: lowLoad, highPerSecond: highLoad }
    : servedWithin(levels, { low, high, at }, law)
  const known = {
    ...{ isOpen, low: lowLoad, high: highLoad, at },
    levels: levels.map(({ load, runs: { length } }) => ({ load, count: length })),
    grey: (count: number) => {
      const { one } = first
      const beside = (sign: number) => crossingOf(one, levels, one.limit * Math.exp(sign * one.margin(count)))
      return [beside(-1), beside(1)] as const
    },
  }
  return {
    ...{ runs, refusal: null, isOpen, levels, held, ...rates, law, forTarget: null },
    kind: kindOf(lowLoad, highLoad),
    lowConnections: isOpen ? null : lowLoad,
    highConnections: isOpen ? null : highLoad,
    limitedBy: first.one.name,
    next: nextRun(known),
    warnings: warningsOf(runs, levels, high < levels.length),
  }
}

function kindOf(low: number | null, high: number | null): CapacityAnswer['kind'] {
  if (low !== null && high !== null) return 'between'
  if (low !== null) return 'at-least'
  return high === null ? 'undecided' : 'below'
}

function warningsOf(
  [run]: readonly CapacityRun[],
  levels: readonly Level[],
  isLeft: boolean,
): readonly CapacityWarning[] {
  return [
    ...(levels.every(({ runs }) => runs.length === 1) ? (['no-repeats'] as const) : []),
    ...(run?.loop === 'closed' ? (['served-not-offered'] as const) : []),
    ...(isLeft && waitingTools.includes(run?.tool ?? '') ? (['coordinated-omission'] as const) : []),
  ]
}

function refused(runs: readonly CapacityRun[], refusal: Refusal): CapacityAnswer {
  return {
    ...{ runs, kind: 'refused', refusal, isOpen: runs[0]?.loop === 'open', levels: levelsOf(runs), held: [] },
    ...{ capacityPerSecond: null, lowPerSecond: null, highPerSecond: null },
    ...{ lowConnections: null, highConnections: null, limitedBy: null, next: null, law: null },
    ...{ warnings: [], forTarget: null },
  }
}
