import { plural } from '../../lib/format'
import { stateWords, type JudgedState } from '../../lib/run/judged-states'
import type { NamedLimit } from '../../lib/run/limits'
import type { MetricUnit } from '../../lib/run/metrics'
import { isNear, sideOf } from './limits'
import type { Strip, StripPlace } from './plot/rows/strip'
import { placeOfRun, type StripRead } from './plot/rows/strip-reads'

/** A run of a strip, or the runs of one experiment. */
export interface StripPoint {
  /** Null: it has no such figure, a gap. */
  readonly value: number | null
  /** It was judged to be outside of its expected range at the time. */
  readonly isOutside: boolean
  /** Absent: the pointer reads nothing there. */
  readonly run?: Omit<StripRead, 'value'>
}

/** A level of the series: where it begins, and the expected range of its runs. */
export interface StripLevel {
  /** Position of its first point; 0 or less: it began before the strip. */
  readonly from: number
  /** Null: not stored. */
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
}

/** The last runs of a series, oldest first, in their expected ranges. */
export interface StripInput {
  /** Name of the values: `p99`. */
  readonly metricName: string
  /** Of the values; absent: the pointer reads nothing. */
  readonly unit?: MetricUnit
  readonly points: readonly StripPoint[]
  /** Rising; empty: too few runs, no band. */
  readonly levels: readonly StripLevel[]
  /** State of the newest; null: none yet. */
  readonly state: JudgedState | null
  /** What its values are held against; absent: nothing. */
  readonly limits?: readonly NamedLimit[]
  /** When its environment was another; absent: not known. */
  readonly shifts?: readonly StripShift[]
}

/** A time at which the environment of a series moved; `overSince` null: it lasts. */
export interface StripShift {
  readonly since: string
  readonly overSince: string | null
  /** What is said of it. */
  readonly words: string
}

/** Runs that a strip shows. */
export const stripRuns = 30
/** From the top or the bottom to a limit that is beyond the strip, share of its height. */
const edge = 0.04
/** Room for the marks above and below, share of the height. */
const padY = 0.16

/**
 * Prepares a strip; null when fewer than two of its runs have the figure: one value is no history.
 */
export function prepareStrip(input: StripInput): Strip | null {
  const { metricName, points, levels, state, limits = [], shifts = [] } = input
  const skipped = Math.max(0, points.length - stripRuns)
  const shown = points.slice(skipped)
  const values = shown.flatMap(({ value }) => value ?? [])
  if (values.length < 2) return null
  const own = levels
    .map((level) => ({ ...level, from: level.from - skipped }))
    .filter(({ from }, at, all) => from < shown.length && (all[at + 1]?.from ?? Infinity) > 0)
  const bounds = [...values, ...own.flatMap(({ low, high }) => [low ?? [], high ?? []].flat())]
  const range = [Math.min(...bounds), Math.max(...bounds)] as const
  const near = limits.filter((one) => isNear(one, range)).map(({ value }) => value)
  const [min, max] = [Math.min(range[0], ...near), Math.max(range[1], ...near)]
  const right = (at: number) => placeOfRun(at, shown.length)
  const down = (value: number) => 1 - padY - (max === min ? 0.5 : (value - min) / (max - min)) * (1 - 2 * padY)
  const places = shown.map(({ value }, at): StripPlace | null => (value === null ? null : [right(at), down(value)]))
  const last = shown.length - 1
  const stretches = own.map((level, at) => {
    const next = own[at + 1]
    const span = { left: level.from <= 0 ? 0 : right(level.from - 0.5), right: next ? right(next.from - 0.5) : 1 }
    return { ...level, ...span }
  })
  const moved = shifts.flatMap((shift) => movedOf(shift, shown) ?? [])
  return {
    moved: moved.map(({ from, to, words }) => ({ left: right(from - 0.5), right: right(to + 0.5), words })),
    bands: stretches.flatMap(({ low, high, ...span }) =>
      low === null || high === null ? [] : [{ left: span.left, right: span.right, top: down(high), bottom: down(low) }],
    ),
    medians: stretches.flatMap(({ value, ...span }) =>
      value === null ? [] : [{ left: span.left, right: span.right, down: down(value) }],
    ),
    changes: own.flatMap(({ from }) => (from <= 0 ? [] : [right(from - 0.5)])),
    threads: stretchesOf(places),
    dots: places.flatMap((one, at) => (one === null || at === last || shown[at]?.isOutside ? [] : [one])),
    outside: places.flatMap((one, at) => (one === null || at === last || !shown[at]?.isOutside ? [] : [one])),
    newest: places[last] ?? null,
    reads: readsOf(input, shown, own),
    state,
    limits: limits.map(({ name, value }) => {
      const beyond = sideOf(value, [min, max])
      return { name, beyond, down: beyond === null ? down(value) : beyond === 'above' ? edge : 1 - edge }
    }),
    label: [
      labelOf(metricName, shown, state),
      ...moved.map(({ words }) => words),
      ...limits.map(({ name }) => name),
    ].join('; '),
  }
}

/** Positions of the runs while the environment was another; null: none of them. */
function movedOf(shift: StripShift, shown: readonly StripPoint[]) {
  const isThere = ({ run }: StripPoint) =>
    run !== undefined &&
    run.orderedAt !== null &&
    run.orderedAt >= shift.since &&
    (shift.overSince === null || run.orderedAt < shift.overSince)
  const [from, to] = [shown.findIndex(isThere), shown.findLastIndex(isThere)]
  return from < 0 ? null : { from, to, words: shift.words }
}

/** Null: the pointer reads nothing. */
function readsOf(
  { unit, metricName }: StripInput,
  shown: readonly StripPoint[],
  levels: readonly StripLevel[],
): Strip['reads'] {
  if (unit === undefined) return null
  const runs = shown.map(({ value, run }, at) => ({
    ...(run ?? { orderedAt: null, commit: null, runs: 0 }),
    value: run === undefined ? null : value,
    level: levels.findLastIndex(({ from }) => from <= at),
  }))
  return { unit, metricName, runs, ranges: levels }
}

function labelOf(metricName: string, shown: readonly StripPoint[], state: JudgedState | null): string {
  const outside = shown.slice(0, -1).filter((one) => one.isOutside).length
  const newest = state === null ? '' : `; newest: ${stateWords[state].toLowerCase()}`
  const past = outside === 0 ? '' : `; ${plural(outside, 'run')} before it outside`
  return `${metricName} of the last ${plural(shown.length, 'run')}${newest}${past}`
}

function stretchesOf(places: readonly (StripPlace | null)[]): readonly (readonly StripPlace[])[] {
  const parts: StripPlace[][] = [[]]
  for (const one of places) {
    if (one === null) parts.push([])
    else parts.at(-1)?.push(one)
  }
  return parts.filter((part) => part.length > 1)
}
