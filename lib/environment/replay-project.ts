import { groupBy } from '../group-by'
import { robustLocation } from '../stats/robust'
import { causeOfShift, causeOfStep } from './cause'
import { areRamps, evidenceOf, evidenceTogether, moveAt, moveTogether, sharpen, type Together } from './common-shift'
import { followCreep, isCreep, isSecondStep, rampInstead, rampOverBoth } from './creep'
import { FollowedSeries, lowerBound, type SeriesPlace } from './followed-series'
import { FollowedAlert, type AlertState, type ProjectAlert } from './project-alerts'
import { findStep, middlePlaceOf, placesOf, smallestEffect, type Step } from './step'
import { withoutShared } from './shared-noise'
import type { Ramp } from './straight-line'

/** A run: its time (s), series, commit, and value (above 0, lower is better), in order of time. */
export interface ProjectRun {
  readonly time: number
  readonly series: string
  readonly commit: string
  readonly value: number
}

type Series = FollowedSeries<FollowedAlert>

/** A shift of an environment. */
interface Shift {
  readonly time: number
  readonly factor: number
  isOpen: boolean
  readonly alert: FollowedAlert | null
}

const day = 86_400
/** A shift is looked for among this many newest runs of a series. */
const newestRuns = 15
/** While a shift is younger, three runs before the next one are enough. */
const youngShift = 9 * day
/** For as long, later evidence decides what could be commit or machine. */
const undecidedFor = 10 * day

/**
 * What would have been said of a project, run by run: what is raised at a run rests on the runs up to it. Alerts in
 * the order in which they were raised.
 */
export function replayProject(places: readonly SeriesPlace[], runs: readonly ProjectRun[]): readonly ProjectAlert[] {
  const replay = new Replay(places)
  runs.forEach((run, number) => replay.add(run, number))
  return replay.alerts.map((alert) => alert.told())
}

class Replay {
  readonly alerts: FollowedAlert[] = []
  readonly #series: ReadonlyMap<string, Series>
  readonly #environments: ReadonlyMap<string, readonly Series[]>
  readonly #shifts = new Map<string, Shift[]>()
  /** For how many runs of a series its neighbours were waited for. */
  readonly #waited = new Map<string, number>()
  #run = 0
  #time = 0

  constructor(places: readonly SeriesPlace[]) {
    const all = places.map((place) => new FollowedSeries<FollowedAlert>(place))
    this.#series = new Map(all.map((one) => [one.place.id, one]))
    this.#environments = groupBy(all, (one) => one.place.environment)
    for (const own of this.#environments.values())
      for (const one of own) one.neighbours = own.filter((other) => other !== one)
  }

  add({ time, series: id, commit, value }: ProjectRun, number: number): void {
    const series = this.#series.get(id)
    if (series === undefined) throw new Error(`run ${number}: series ${id} is unknown`)
    this.#run = number
    this.#time = time
    series.add(time, commit, value, number)
    this.#lookAtEnvironment(series)
    this.#lookAtSeries(series)
    this.#decideOpen(series.place.environment)
  }

  #neighbourhood({ place }: Series): readonly Series[] {
    return this.#environments.get(place.environment) ?? []
  }

  #openShift(environment: string): Shift | null {
    return this.#shifts.get(environment)?.findLast(({ isOpen }) => isOpen) ?? null
  }

  #raise(series: Series, state: AlertState, basis: FollowedAlert['basis']): FollowedAlert {
    const alert = new FollowedAlert(this.#run, series.place.environment, state, basis)
    this.alerts.push(alert)
    return alert
  }

  #lookAtEnvironment(series: Series): void {
    const all = this.#neighbourhood(series)
    if (all.length < 2 || series.length < 6) return
    const open = this.#openShift(series.place.environment)
    const least = open !== null && this.#time - open.time < youngShift ? 3 : 5
    const time = mostTelling(all, series, least)
    if (time === null) return
    const sharp = sharpen(all, time, series)
    const together = moveTogether(all, sharp, { least })
    if (evidenceTogether(together) === null || areRamps(all, sharp)) return
    this.#shift(series, sharp, together, open)
  }

  /** The environment moved, or a commit moved its series together. */
  #shift(series: Series, time: number, together: Together<FollowedAlert>, open: Shift | null): void {
    const all = this.#neighbourhood(series)
    const { environment } = series.place
    const { factor } = together
    if (open !== null && open.factor * factor < 0 && isAbout(open.factor, -factor, 0.3)) {
      open.isOpen = false
      open.alert?.close(this.#run)
      for (const one of all) one.moveWithEnvironment(one.firstSince(time), open.alert)
      return
    }
    const known = this.#shifts.get(environment) ?? []
    // A machine of two modes: the same shift came and went twice before.
    const isMode = known.filter((one) => !one.isOpen && isAbout(one.factor, factor, 0.25)).length >= 2
    const others = [...this.#environments].flatMap(([name, own]) => (name === environment ? [] : [own]))
    const { kind, commit } = causeOfShift(all, others, time, together)
    const isCommit = kind === 'commit'
    const begun = all.filter((one) => one.firstSince(time) < one.length)
    const moved = begun.filter((one) => (together.bySeries.get(one)?.evidence ?? 0) > 0)
    const shown = isCommit && moved.length > 0 ? moved : begun
    const state = { kind, commit, series: beginnings(shown, time) }
    const alert = isMode && !isCommit ? null : this.#tellShift(series, state, { time, factor })
    this.#shifts.set(environment, [...known, { time, factor, isOpen: !isCommit, alert }])
    for (const one of isCommit ? shown : all) one.moveWithEnvironment(one.firstSince(time), alert)
    for (const one of all) this.#waited.delete(one.place.id)
  }

  /** What was said of one of these series a moment ago is this shift: that alert says it from now on. */
  #tellShift(series: Series, state: AlertState, shift: { time: number; factor: number }): FollowedAlert {
    const earlier = this.alerts.slice(-12).find((alert) => this.#isSameShift(alert, series.place.environment, state))
    if (earlier === undefined) return this.#raise(series, state, { shift })
    earlier.basis = { ...earlier.basis, shift }
    earlier.update(this.#run, earlier.state.kind === 'environment' ? { ...state, kind: 'environment' } : state)
    return earlier
  }

  #isSameShift(alert: FollowedAlert, environment: string, { series }: AlertState): boolean {
    if (!alert.isOpen || alert.state.kind === 'drift' || alert.environment !== environment) return false
    return Object.entries(alert.state.series).some(([id, number]) => {
      const { numbers = [] } = this.#series.get(id) ?? {}
      const first = series[id]
      return first !== undefined && Math.abs(lowerBound(numbers, number) - lowerBound(numbers, first)) <= 6
    })
  }

  /** What could be commit or machine is looked at again: a control that gets its runs decides. */
  #decideOpen(environment: string): void {
    for (const alert of this.alerts.slice(-6)) {
      const { shift } = alert.basis
      if (!alert.isOpen || alert.state.kind !== 'commit-or-machine' || alert.environment !== environment) continue
      if (shift === null || this.#time === shift.time || this.#time - shift.time > undecidedFor) continue
      for (const control of this.#environments.get(environment) ?? []) {
        if (!control.place.isControl || control.place.id in alert.first.series) continue
        const move = moveAt(control, shift.time)
        const evidence = move === null || move.runs < 2 ? 0 : evidenceOf(move, shift.factor)
        if (evidence > 2.5) alert.update(this.#run, { kind: 'environment', series: beginnings([control], shift.time) })
        else if (evidence < -2.5) alert.update(this.#run, { kind: 'commit' })
      }
    }
  }

  #lookAtSeries(series: Series): void {
    if (series.length < 6) return
    const { id } = series.place
    if (series.creep !== null) return this.#lookAtCreep(series, series.creep)
    const back = series.backAt()
    if (back !== null) {
      const alert = series.last?.alert ?? null
      series.takeBack(back)
      if (alert?.isAbout(id)) alert.close(this.#run)
      return
    }
    const step = findStep(series.stepContext())
    if (step !== null) return this.#lookAtStep(series, step)
    const beside = withoutShared(series)
    if (beside === null) this.#waited.delete(id)
    else this.#sayStep(series, beside)
  }

  #lookAtStep(series: Series, step: Step): void {
    const ramp = rampInstead(series, step)
    if (ramp !== null) {
      const whole = rampOverBoth(series, ramp)
      if (whole !== null) this.#beginCreep(series, whole, series.last?.alert ?? null)
      else if (isCreep(ramp, series.length, step.noise)) this.#beginCreep(series, ramp, null)
      else this.#waited.delete(series.place.id)
      return
    }
    // With so few runs, a creep goes on as a step would.
    if (step.after < 5 && isSecondStep(series, step)) return
    const both = rampOverBoth(series, step)
    if (both !== null) this.#beginCreep(series, both, series.last?.alert ?? null)
    else this.#sayStep(series, step)
  }

  /** `joined`: the alert of a step that is part of it. */
  #beginCreep(series: Series, ramp: Ramp, joined: FollowedAlert | null): void {
    const { id } = series.place
    const isJoined = joined?.isOpen === true && joined.isAbout(id)
    const state = { kind: 'drift', commit: null, series: { [id]: series.numbers[ramp.from] ?? 0 } } as const
    if (isJoined) joined.update(this.#run, { kind: 'drift' })
    const alert = isJoined ? joined : this.#raise(series, state, { shift: null })
    series.creep = { ...ramp, alert }
  }

  #lookAtCreep(series: Series, creep: NonNullable<Series['creep']>): void {
    const news = followCreep(series, creep)
    if (news.kind === 'trend') {
      series.creep = { ...news.ramp, alert: creep.alert }
      const beside = withoutShared(series)
      if (beside === null) this.#waited.delete(series.place.id)
    } else if (news.kind === 'end') {
      creep.alert.close(this.#run)
      series.settle(news.at)
    } else {
      const { step } = news
      const cause = causeOfStep(series, step, new Map([[step.at, 1]]), this.#waitFor(series))
      if (cause === null) return
      series.takeOff(step.at, step.change)
      this.#say(series, step, step.at, { ...cause, places: new Map([[step.at, 1]]) })
    }
  }

  /** For how many of its runs the neighbours were waited for before this one. */
  #waitFor({ place }: Series): number {
    const waited = this.#waited.get(place.id) ?? 0
    this.#waited.set(place.id, waited + 1)
    return waited
  }

  #sayStep(series: Series, step: Step): void {
    const places = placesOf(step, series.values, series.start)
    const at = middlePlaceOf(places)
    const { last, place } = series
    const level = last?.own ?? null
    if (last !== null && level !== null && level.change * step.change < 0) {
      const near = Math.max(smallestEffect / 2, 0.3 * Math.abs(level.change))
      if (Math.abs(step.levelAfter - level.level) < near) {
        if (last.alert?.isAbout(place.id)) last.alert.close(this.#run)
        series.begin(at, step, null)
        return
      }
    }
    const waited = this.#waited.get(place.id) ?? 0
    const cause = causeOfStep(series, step, places, waited)
    if (cause === null) {
      this.#waited.set(place.id, waited + 1)
      return
    }
    series.begin(at, step, this.#say(series, step, at, { ...cause, places }))
  }

  /** An alert of one series, or a further series of an alert about the same commit. */
  #say(
    series: Series,
    step: Step,
    at: number,
    { kind, commit, places }: Omit<AlertState, 'series'> & { readonly places: ReadonlyMap<number, number> },
  ): FollowedAlert {
    const { id } = series.place
    const begins = { [id]: series.numbers[at] ?? 0 }
    const isRise = step.change > 0
    const commits = new Set([...places].flatMap(([run, share]) => (share > 0.03 ? (series.commits[run] ?? []) : [])))
    const namesCommit = kind === 'commit' || kind === 'commit-or-machine'
    const same = this.alerts.slice(-15).findLast(({ isOpen, state, basis }) => {
      const isNamed = state.kind === 'commit' || state.kind === 'commit-or-machine'
      if (!isOpen || !namesCommit || !isNamed || id in state.series) return false
      return state.commit !== null && commits.has(state.commit) && (basis.isRise ?? true) === isRise
    })
    if (same === undefined) return this.#raise(series, { kind, commit, series: begins }, { shift: null, isRise })
    same.update(this.#run, { series: begins, ...(kind === 'commit' ? { kind } : {}) })
    return same
  }
}

/** Whether two factors are the same machine's, up to a share. */
const isAbout = (known: number, factor: number, share: number): boolean =>
  Math.abs(known - factor) <= share * Math.abs(known) + 0.03

/** Run numbers at which the series' new levels begin. */
const beginnings = (all: readonly Series[], time: number): Readonly<Record<string, number>> =>
  Object.fromEntries(
    all.flatMap((one) => {
      const number = one.numbers[one.firstSince(time)]
      return number === undefined ? [] : [[one.place.id, number]]
    }),
  )

/** The time at which the series of an environment most likely moved together, of the newest of one series; null: none. */
function mostTelling(all: readonly Series[], series: Series, least: number): number | null {
  const { length, values, times, start } = series
  const from = Math.max(start, length - 55)
  if (length - from < least + 1) return null
  const { deviation } = series.quietNoise()
  const before = values.subarray(from, Math.max(from + least, length - newestRuns))
  const newest = ((values[length - 1] ?? 0) + (values[length - 2] ?? 0)) / 2
  const isQuiet = Math.abs(newest - robustLocation(before, deviation)) < deviation
  if (isQuiet && series.creep === null && length - from > 20) return null
  const moves = times.slice(-Math.min(newestRuns, length - 1)).flatMap((time) => {
    const move = moveAt(series, time, least)
    const t = move === null ? 0 : Math.abs(move.change) / move.standardError
    return t > 1.7 ? [{ time, t }] : []
  })
  const told = moves
    .toSorted((a, b) => b.t - a.t || b.time - a.time)
    .slice(0, 3)
    .flatMap(({ time }) => {
      const evidence = evidenceTogether(moveTogether(all, time, { least }))
      return evidence === null ? [] : [{ time, evidence }]
    })
  return (
    told.reduce<{ time: number; evidence: number } | null>(
      (best, one) => (best === null || one.evidence > best.evidence ? one : best),
      null,
    )?.time ?? null
  )
}
