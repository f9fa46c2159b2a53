import type { AutocorrelationPrior } from '../detect/series-noise'
import { robustLocation } from '../stats/robust'
import { noiseOfLevels, usualPrior, type LevelNoise } from './level-noise'
import type { Ramp } from './straight-line'
import { farShare, withoutBlips, type Step, type StepContext } from './step'

/** Of a project: a scenario's variant on an environment. */
export interface SeriesPlace {
  readonly id: string
  readonly environment: string
  /** Its code never changes: it measures the environment. */
  readonly isControl: boolean
}

/** The newest change of a level. */
export interface LastChange<Alert> {
  /** Position of the first run of the new level, and of the old one. */
  readonly at: number
  readonly from: number
  /** Logarithm of the old level, and the change; null: the environment moved, or a creep ended. */
  readonly own: { readonly level: number; readonly change: number } | null
  readonly alert: Alert | null
  /** The change before it, if both are the series' own and of one direction; null: it is not. */
  readonly earlier: LastChange<Alert> | null
}

/** Runs that may be on a level that is not known yet: noise is estimated without them. */
const newestRuns = 15
/** Earlier levels that still say something of the noise. */
const rememberedLevels = 4

/** A series as it was known at each run: its values, its present level and those before, blips and creep. */
export class FollowedSeries<Alert> {
  readonly times: number[] = []
  readonly commits: string[] = []
  /** Positions of its runs in the project's list of runs. */
  readonly numbers: number[] = []
  /** Position of the first run of the present level. */
  start = 0
  readonly blips = new Set<number>()
  creep: (Ramp & { readonly alert: Alert }) | null = null
  last: LastChange<Alert> | null = null
  neighbours: readonly FollowedSeries<Alert>[] = []
  /** Steps within a creep, which are taken off. */
  #shift = 0
  #values = new Float64Array(64)
  #levels: { readonly from: number; readonly to: number }[] = []
  #noise: LevelNoise | null = null
  #quiet: { readonly key: string; readonly noise: LevelNoise } | null = null
  #shown = { autocorrelation: usualPrior.autocorrelation, runs: 0 }

  constructor(readonly place: SeriesPlace) {}

  get length(): number {
    return this.times.length
  }

  /** Logarithms, oldest first. */
  get values(): Float64Array {
    return this.#values.subarray(0, this.length)
  }

  add(time: number, commit: string, value: number, number: number): void {
    if (this.length === this.#values.length) {
      const wider = new Float64Array(2 * this.length)
      wider.set(this.#values)
      this.#values = wider
    }
    this.#values[this.length] = Math.log(value) - this.#shift
    this.times.push(time)
    this.commits.push(commit)
    this.numbers.push(number)
    this.#noise = null
  }

  /** Position of its first run at or after a time; `length`: it has none. */
  firstSince(time: number): number {
    return lowerBound(this.times, time)
  }

  /** Values of the level before the present one, and those before that. */
  earlierLevels(): readonly Float64Array[] {
    return this.#levels.slice(-rememberedLevels).map(({ from, to }) => this.values.subarray(from, to))
  }

  /** Values from one position to another, without blips. */
  between(from: number, to: number): Float64Array {
    return withoutBlips(this.values, from, to, this.blips)
  }

  /** About the present level and those before it. */
  noise(): LevelNoise {
    return (this.#noise ??= noiseOfLevels(
      [...this.earlierLevels(), this.between(this.start, this.length)],
      this.prior(),
    ))
  }

  /** The same without the newest 15 runs; estimated anew with every third run. */
  quietNoise(): LevelNoise {
    const { length, start } = this
    const turn = length - start > 12 ? Math.floor(length / 3) : length
    const key = [start, this.#levels.length, length - start > 12, turn].join()
    if (this.#quiet?.key === key) return this.#quiet.noise
    const earlier = this.earlierLevels()
    let levels = [...earlier, this.values.subarray(start, Math.max(start + 5, length - newestRuns))]
    if (countOf(levels) < 12) levels = [...earlier, this.values.subarray(start, length)]
    const noise = noiseOfLevels(levels, this.prior())
    const { autocorrelation } = noiseOfLevels(levels, { ...usualPrior, runs: 5 })
    this.#shown = { autocorrelation, runs: Math.min(100, countOf(levels)) }
    this.#quiet = { key, noise }
    return noise
  }

  /** Autocorrelation to begin with: what the neighbours on this machine show. */
  prior(): AutocorrelationPrior {
    const weight = 60
    const known = this.neighbours.map((one) => one.#shown)
    const runs = known.reduce((sum, one) => sum + one.runs, weight)
    const sum = known.reduce((all, one) => all + one.autocorrelation * one.runs, usualPrior.autocorrelation * weight)
    return { ...usualPrior, autocorrelation: sum / runs }
  }

  stepContext(): StepContext {
    return {
      ...{ values: this.values, start: this.start, blips: this.blips },
      ...{ earlier: this.earlierLevels(), prior: this.prior() },
      neighbours: () => this.neighbours.flatMap((one) => one.#residuals() ?? []),
    }
  }

  /** Of the present level's newest runs, in deviations; null: too few, or it creeps. */
  #residuals(): Float64Array | null {
    const newest = this.values.subarray(this.start).subarray(-80)
    if (newest.length < 10 || this.creep !== null) return null
    const { deviation } = this.quietNoise()
    const level = robustLocation(newest, deviation)
    return newest.map((value) => (value - level) / deviation)
  }

  /** A new level begins at `at` with this step. */
  begin(at: number, step: Step, alert: Alert | null): void {
    const own = { level: step.levelBefore, change: step.change }
    const { last } = this
    const isOfOneDirection = last?.own != null && last.own.change * step.change > 0
    this.#open(at, { at, from: this.start, own, alert, earlier: isOfOneDirection ? last : null })
  }

  /** Position at which the runs were back on the old level, if the newest change was a blip; null: it stands. */
  backAt(): number | null {
    const { last } = this
    const since = last === null ? 0 : this.length - last.at
    if (last?.own == null || since < 3 || since > 9) return null
    const { level, change } = last.own
    const isBack = Array.from(this.values.subarray(last.at), (value) => (value - level) / change < farShare)
    if (!isBack.slice(-2).every(Boolean)) return null
    let at = since - 2
    while (at > 1 && isBack[at - 1]) at -= 1
    return at <= 5 ? last.at + at : null
  }

  /** The newest change was a blip until `back`: the old level goes on. */
  takeBack(back: number): void {
    if (this.last === null) return
    for (let at = this.last.at; at < back; at += 1) this.blips.add(at)
    this.#reopen()
    this.last = null
    this.#noise = null
  }

  /** The environment moved: another level from `at` on, without a change of the series' own. */
  moveWithEnvironment(at: number, alert: Alert | null): void {
    this.creep = null
    if (at <= this.start) {
      if (this.last !== null && this.last.at >= at) this.#reopen()
      if (at <= this.start) return
    }
    this.#open(at, { at, from: this.start, own: null, alert, earlier: null })
  }

  /** The creep ended: its level begins at `at`. */
  settle(at: number): void {
    const alert = this.creep?.alert ?? null
    this.creep = null
    this.start = at
    this.last = { at, from: at, own: null, alert, earlier: null }
    this.#noise = null
  }

  /** A step beyond the trend of a creep: it is taken off, for the trend to go on. */
  takeOff(at: number, change: number): void {
    for (let later = at; later < this.length; later += 1) this.#values[later] = (this.#values[later] ?? 0) - change
    this.#shift += change
  }

  #open(at: number, last: LastChange<Alert>): void {
    this.#levels.push({ from: this.start, to: at })
    this.start = at
    this.last = last
    this.#noise = null
  }

  #reopen(): void {
    const level = this.#levels.pop()
    if (level !== undefined) this.start = level.from
  }
}

const countOf = (levels: readonly Float64Array[]): number => levels.reduce((sum, { length }) => sum + length, 0)

/** Position of the first of the rising values that is not below `value`. */
export function lowerBound(rising: readonly number[], value: number): number {
  let [low, high] = [0, rising.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rising[middle] ?? Infinity) < value) low = middle + 1
    else high = middle
  }
  return low
}
