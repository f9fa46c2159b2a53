import { studentQuantile } from '../stats/distributions'
import { median } from '../stats/robust'
import { errorOfSide } from './held-levels'
import type { Level } from './levels'

/** How much the log served rate differs from run to run before repeats tell more, and the weight of that. */
const assumed = { deviation: 0.03, freedom: 4 }
/** Degrees of freedom that a level's bound counts on. */
const boundFreedom = 6

const servedOf = ({ runs }: Level): readonly number[] =>
  runs.flatMap(({ servedPerSecond: served }) => (served !== null && served > 0 ? [served] : []))

/** The deviation of the log served rate between runs of one load, and the degrees of freedom behind it. */
export function servedDeviation(levels: readonly Level[]): { readonly deviation: number; readonly freedom: number } {
  let [squares, { freedom }] = [assumed.freedom * assumed.deviation ** 2, assumed]
  for (const level of levels) {
    const logs = servedOf(level).map(Math.log)
    if (logs.length === 0) continue
    const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length
    squares += logs.reduce((sum, one) => sum + (one - mean) ** 2, 0)
    freedom += logs.length - 1
  }
  return { deviation: Math.sqrt(squares / freedom), freedom }
}

/** How the served rate goes on between levels: it rises to one peak. */
interface ServedLaw {
  readonly sigma: { readonly value: number }
  readonly kappa: { readonly value: number }
  at(connections: number): number
}

/** What a closed loop was served up to a number of connections, per second. */
export interface ServedRates {
  readonly capacityPerSecond: number | null
  readonly lowPerSecond: number | null
  readonly highPerSecond: number | null
}

/** The places of a bracket among the levels (−1 and their number: none), and the estimate in connections. */
export interface Bracket {
  readonly low: number
  readonly high: number
  readonly at: number | null
}

/** A closed loop offers no rate: its capacity is the most that it served at that many connections or fewer. */
export function servedWithin(levels: readonly Level[], { low, high, at }: Bracket, law: ServedLaw | null): ServedRates {
  const reach = studentQuantile(errorOfSide, boundFreedom) * servedDeviation(levels).deviation
  const bounds = (upTo: number, sign: 1 | -1) =>
    levels.slice(0, upTo + 1).flatMap((level) => {
      const served = servedOf(level)
      return served.length === 0 ? [] : [median(served) * Math.exp((sign * reach) / Math.sqrt(served.length))]
    })
  const lowPerSecond = most(bounds(low, -1))
  const byLevels = high < levels.length ? most(bounds(high, 1)) : null
  const highPerSecond = byLevels === null ? null : Math.max(byLevels, lawBetween(levels, low, high, law))
  const grown = at === null ? null : grownAt(levels, at)
  const isBound = grown !== null && lowPerSecond !== null && highPerSecond !== null
  const capacityPerSecond = isBound ? Math.min(Math.max(grown, lowPerSecond), highPerSecond) : null
  return { capacityPerSecond, lowPerSecond, highPerSecond }
}

const most = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.max(...values))

/** The most that the law serves between two levels; 0: there is no law. */
function lawBetween(levels: readonly Level[], low: number, high: number, law: ServedLaw | null): number {
  const [from, to] = [Math.max(1, Math.ceil(levels[low]?.load ?? 1)), levels[high]?.load ?? 0]
  if (law === null) return 0
  // The law has one peak, so its most is there or at an end.
  const peak = law.kappa.value > 0 ? Math.sqrt(Math.max(0, 1 - law.sigma.value) / law.kappa.value) : to
  return Math.max(...[from, to, Math.min(to, Math.max(from, peak))].map((n) => law.at(n)))
}

/** The most served up to so many connections, on a line over their logarithm between levels. */
function grownAt(levels: readonly Level[], connections: number): number | null {
  const medians = levels.map((level) => ({ load: level.load, served: servedOf(level) }))
  const grown = medians.map((_, at) =>
    most(medians.slice(0, at + 1).flatMap(({ served }) => (served.length === 0 ? [] : [median(served)]))),
  )
  const at = medians.findLastIndex(({ load }) => load <= connections)
  const [from, to, below, above] = [medians[at], medians[at + 1], grown[at] ?? null, grown[at + 1] ?? null]
  if (from === undefined || below === null) return null
  if (to === undefined || above === null) return below
  return below + (Math.log(connections / from.load) / Math.log(to.load / from.load)) * (above - below)
}
