import type { DetectorSettings } from '../detect/change-points'
import type { Metric } from '../run/metrics'
import type { ChangeOrigin } from './change'
import type { TrackedChange } from './change-tracker'
import { findCreep, followCreep, isBeyondLine, type Creep, type LineBeside } from './creep'
import { matters } from './judged-values'

/** A creep goes on, or is over. */
export const creepStates = ['lasts', 'over'] as const
export type CreepState = (typeof creepStates)[number]

/** Where a creep began, or ended. */
export interface CreepMarker {
  readonly state: CreepState
  readonly direction: TrackedChange['direction']
  /** Position of the value. */
  readonly at: number
}

/** A metric of a profile with the changes that the detector finds, and what was known of them. */
export interface CreepInput {
  readonly metric: Metric
  readonly values: readonly number[]
  readonly settings: DetectorSettings
  /** Known changes, and those found now. */
  readonly known: readonly {
    readonly one: TrackedChange
    readonly origin: ChangeOrigin | null
    /** An alert reports it. */
    readonly isAlerted: boolean
  }[]
  readonly fresh: readonly TrackedChange[]
  /** As stored; null: none began so far. */
  readonly marker: CreepMarker | null
  /** Another metric of the profile creeps along this line; null: none does. */
  readonly beside: LineBeside | null
}

/** A metric's creep, and what it makes of the changes. */
export interface CreepOfMetric {
  readonly creep: Creep | null
  /** To be stored. */
  readonly marker: CreepMarker | null
  /** Changes that are part of it: none of their own. */
  readonly parts: ReadonlySet<TrackedChange>
  /** Changes that were taken for parts and are changes after all. */
  readonly released: ReadonlySet<TrackedChange>
  /** Changes that a line explains as well, too early to tell. */
  readonly waiting: ReadonlySet<TrackedChange>
}

/** A change this close to a step beyond the trend is that step. */
const samePlace = 5
/** With as many runs, a step that is not clearer than another metric's creep is a part of it. */
const longestWait = 8

/** Whether a metric creeps, by its runs up to the newest one. Shares have no line. */
export function creepOfMetric(input: CreepInput): CreepOfMetric {
  if (input.metric.unit === 'ratio') return nothing
  return input.marker?.state === 'lasts' ? follow(input, input.marker) : find(input)
}

const nothing: CreepOfMetric = {
  creep: null,
  marker: null,
  parts: new Set(),
  released: new Set(),
  waiting: new Set(),
}

function find(input: CreepInput): CreepOfMetric {
  const { metric, values, settings, known, fresh, marker, beside } = input
  const found = known.filter(({ one }) => one.missed === 0)
  const all = [...found.map(({ one }) => one), ...fresh].sort((a, b) => a.change.index - b.change.index)
  const steps = all.map((one) => {
    const before = found.find((other) => other.one === one)
    // What another metric's creep explains may be this one's creep as well.
    const isPart = before?.origin === 'drift' && marker === null
    const isOpen = before === undefined || isPart || (before.isAlerted && before.origin === null)
    return { index: one.change.index, change: logOf(one), isOpen, isFresh: before === undefined }
  })
  const start = marker?.at ?? 0
  const since = Math.max(start, ...known.map(({ one }) => one.change.index), ...fresh.map(({ change }) => change.index))
  // A creep that ended is cut into steps anew by each evaluation.
  const late = fresh.filter((one) => isOfEnded(one, marker))
  const creep = findCreep(values, steps, { start, since, isBeside: beside !== null, settings })
  if (creep === 'wait') return { ...nothing, marker, parts: new Set(late), waiting: new Set(fresh.slice(-1)) }
  if (creep === null || !isLarge(metric, creep, settings)) {
    // Its alert may stand a moment longer than the step that it reports.
    const alerted = known.flatMap(({ one, isAlerted, origin }) => (isAlerted && origin !== 'environment' ? one : []))
    const along = [...alerted, ...fresh].filter((one) => isAlong(one, all, input))
    const waiting = along.filter((one) => fresh.includes(one) && !late.includes(one) && one.change.after < longestWait)
    const parts = along.filter((one) => !waiting.includes(one))
    return { ...nothing, marker, parts: new Set([...late, ...parts]), waiting: new Set(waiting) }
  }
  const direction = creep.after > creep.before ? 'up' : 'down'
  // Those that are not found now may be found again.
  const parts = [...known.map(({ one }) => one), ...fresh].filter(
    (one) => one.change.index >= creep.from && one.direction === direction,
  )
  return { ...nothing, creep, marker: { state: 'lasts', direction, at: creep.from }, parts: new Set(parts) }
}

/** Whether a change is what another metric does as well, which creeps. `found`: those of this evaluation, in order. */
function isAlong(one: TrackedChange, found: readonly TrackedChange[], input: CreepInput): boolean {
  const { values, settings, marker, beside } = input
  const { index } = one.change
  const isOfLine = beside !== null && (one.direction === 'up' ? beside.slope > 0 : beside.slope < 0)
  if (!isOfLine || index < beside.from - samePlace) return false
  const places = found.map(({ change }) => change.index)
  const start = Math.max(marker?.at ?? 0, ...places.filter((at) => at < index))
  const until = Math.min(values.length, ...places.filter((at) => at > index))
  return !isBeyondLine(values, beside, { index, start, until }, settings)
}

/** How far behind its end a creep may seem to have a step. */
const endReach = 12

const isOfEnded = (one: TrackedChange, marker: CreepMarker | null): boolean =>
  marker !== null && one.direction === marker.direction && one.change.index <= marker.at + endReach

function follow(input: CreepInput, marker: CreepMarker): CreepOfMetric {
  const { values, known, fresh } = input
  const { direction, at: markedAt } = marker
  const sign = direction === 'up' ? 1 : -1
  const found = known.filter(({ one }) => one.missed === 0 && one.change.index > markedAt)
  const within = [
    ...found.flatMap(({ one, origin }) => (origin === 'drift' ? [one] : [])),
    ...fresh.filter((one) => logOf(one) * sign > 0 && one.change.index > markedAt),
  ]
  const back = fresh.find((one) => logOf(one) * sign < 0 && one.change.index > markedAt)
  const ended = (at: number): CreepOfMetric => ({ ...nothing, marker: { state: 'over', direction, at } })
  // What brings it back is a change of its own, and the end of the creep.
  if (back !== undefined) return ended(back.change.index)
  const beyond = found.flatMap(({ one, origin }) =>
    origin === 'drift' ? [] : [{ index: one.change.index, change: logOf(one), isOpen: true, isFresh: false }],
  )
  const state = followCreep(values, markedAt, { beyond, within: within.map(({ change }) => change.index) })
  if (state.kind === 'step') return { ...nothing, released: new Set(within) }
  if (state.kind === 'ended') return { ...ended(state.at), parts: new Set(within) }
  const { creep, stepAt } = state
  // A rule asks for more by now, or the line lies flatter.
  if (!isLarge(input.metric, creep, input.settings)) return nothing
  const isBeyond = (one: TrackedChange) =>
    fresh.includes(one) && stepAt !== null && Math.abs(one.change.index - stepAt) <= samePlace
  return { ...nothing, creep, marker, parts: new Set(within.filter((one) => !isBeyond(one))) }
}

const logOf = ({ change }: TrackedChange): number => Math.log1p(change.effectRatio)

function isLarge(metric: Metric, { before, after }: Creep, { minEffect }: DetectorSettings): boolean {
  return matters(metric, before, after) && Math.abs(Math.log(after / before)) >= Math.log1p(minEffect)
}
