import { causeOfShift, causeOfStep, type CauseKind } from './cause'
import {
  areRamps,
  evidenceTogether,
  movedBeyond,
  moveTogether,
  sharedHours,
  sharpen,
  stayedBelow,
  type Together,
} from './common-shift'
import { FollowedSeries, type SeriesPlace } from './followed-series'

/** A run of a stored series: time (s), commit, and value (above 0, lower is better). Null: its commit is unknown. */
export interface StoredRun {
  readonly time: number
  readonly commit: string | null
  readonly value: number
}

/** A series of an environment with its newest runs, oldest first. */
export interface StoredSeries {
  readonly place: SeriesPlace
  readonly runs: readonly StoredRun[]
  /** Times (s) of the first runs of its levels. */
  readonly levels: readonly number[]
}

/** A change of level that was found in one series. */
export interface FoundChange {
  readonly seriesId: string
  /** Time (s) of the first run of the new level. */
  readonly time: number
  /** Logarithm; above 0 is slower. */
  readonly change: number
}

/** What the series of an environment did together. */
export interface EnvironmentShift {
  /** Time (s) since which they moved. */
  readonly time: number
  /** 2: everything takes twice as long. Of all series, and the least and the most of those that moved. */
  readonly factor: number
  readonly leastFactor: number
  readonly mostFactor: number
  readonly seriesIds: readonly string[]
  /** A control is among them. */
  readonly hasControl: boolean
}

/** Why a series changed. `wait`: its neighbours seem to go along, and need more runs to tell. */
export interface Why {
  readonly kind: CauseKind | 'wait'
  /** Blamed (`commit`) or a candidate (`commit-or-machine`); else null. */
  readonly commit: string | null
  /** Null: it moved alone. */
  readonly shift: EnvironmentShift | null
}

type Series = FollowedSeries<null>

/** Runs that a step has when it is found first; its neighbours are waited for from then on. */
const firstFound = 3
/** A level that began as recently before a change is known from three runs. */
const youngLevel = 9 * 86_400
/** Levels that begin as close to the change are this change: runs. */
const samePlace = 5

/**
 * Why a series changed, from what the other series of its environment did at that time; `elsewhere`: the series of
 * other environments, by environment. Null: nothing else is known there, so the change is all there is to tell.
 */
export function whyItChanged(
  found: FoundChange,
  neighbourhood: readonly StoredSeries[],
  elsewhere: readonly (readonly StoredSeries[])[],
): Why | null {
  if (neighbourhood.length < 2) return null
  const all = follow(neighbourhood, found)
  const series = all.find(({ place }) => place.id === found.seriesId)
  if (series === undefined) return null
  const at = series.firstSince(found.time)
  const least = at - series.start >= 5 || found.time - (series.times[series.start] ?? 0) > youngLevel ? 5 : 3
  const time = sharpen(all, found.time, series)
  const together = moveTogether(all, time, { least })
  const own = together.bySeries.get(series)
  if (own !== undefined && own.evidence > 0 && evidenceTogether(together) !== null && !areRamps(all, time)) {
    return whyTogether(all, followEach(elsewhere, found), time, together)
  }
  const step = { at, change: found.change, after: series.length - at }
  const cause = causeOfStep(series, step, new Map([[at, 1]]), Math.max(0, step.after - firstFound))
  return cause === null ? { kind: 'wait', commit: null, shift: null } : { ...known(cause), shift: null }
}

/**
 * Whether a single run is off because its environment is: the control of that night is off by as much, or, without one,
 * most series that ran that night are, and not by one commit that is new in all of them. With so few runs this excuses
 * a run; it raises nothing.
 */
export function isOffWithEnvironment(found: FoundChange, neighbourhood: readonly StoredSeries[]): boolean {
  const all = follow(neighbourhood, found)
  const series = all.find(({ place }) => place.id === found.seriesId)
  if (series === undefined) return false
  const at = series.firstSince(found.time)
  const before = series.times[at - 1] ?? 0
  const night = Math.max(found.time - sharedHours, before + 1)
  const { bySeries } = moveTogether(series.neighbours, night, { factor: found.change })
  const told = [...bySeries]
  const controls = told.filter(([{ place }]) => place.isControl).map(([, { evidence }]) => evidence)
  if (controls.length > 0) return Math.max(...controls) > movedBeyond && Math.min(...controls) > stayedBelow
  const moved = told.filter(([, { evidence }]) => evidence > movedBeyond).map(([one]) => one)
  const stayed = told.filter(([, { evidence }]) => evidence < stayedBelow).length
  if (moved.length < 2 || moved.length < 0.75 * (moved.length + stayed)) return false
  const commits = [series.commits[at], ...moved.map((one) => one.commits[one.firstSince(night)])]
  return !commits.includes(unknownCommit) && new Set(commits).size > 1
}

function whyTogether(
  all: readonly Series[],
  others: Iterable<readonly Series[]>,
  time: number,
  together: Together<null>,
): Why | null {
  const moved = [...together.bySeries].filter(([, { evidence }]) => evidence > 0)
  const cause = causeOfShift(all, others, time, together)
  const hasControl = moved.some(([{ place }]) => place.isControl)
  // That no commit is new says something only of runs whose commit is known.
  const isKnown = moved.every(([one]) => one.commits[one.firstSince(time)] !== unknownCommit)
  if (!isKnown && !hasControl) return null
  const factors = moved.map(([, { change }]) => Math.exp(change))
  const shift = {
    time,
    factor: Math.exp(together.factor),
    leastFactor: Math.min(...factors),
    mostFactor: Math.max(...factors),
    seriesIds: moved.map(([{ place }]) => place.id),
    hasControl,
  }
  return { ...known(cause), shift }
}

/** No commit has this name. */
const unknownCommit = ''

const known = ({ kind, commit }: Pick<Why, 'commit'> & { readonly kind: CauseKind }) => ({
  kind,
  commit: commit === unknownCommit ? null : commit,
})

/** One machine after the other, as far as they are asked. */
function* followEach(machines: readonly (readonly StoredSeries[])[], found: FoundChange) {
  for (const machine of machines) yield follow(machine, found)
}

/** Series with the levels that they were known to have before a change. */
export function follow(
  stored: readonly StoredSeries[],
  { time }: Pick<FoundChange, 'time'>,
): readonly FollowedSeries<null>[] {
  const all = stored.map(({ place, runs, levels }) => {
    const series: Series = new FollowedSeries<null>(place)
    runs.forEach((run, at) => series.add(run.time, run.commit ?? unknownCommit, run.value, at))
    const changedAt = series.firstSince(time)
    for (const level of levels) {
      const at = series.firstSince(level)
      if (at > series.start && at <= changedAt - samePlace) series.moveWithEnvironment(at, null)
    }
    return series
  })
  for (const series of all) series.neighbours = all.filter((other) => other !== series)
  return all
}
