import { factorOverTime, type FactorAt } from '../environment/factor-over-time'
import { varianceOfMean } from '../environment/level-noise'
import { follow } from '../environment/why-it-changed'
import type { Attribute } from '../environment/attributes'
import type { SeriesPoint, SeriesSummary } from '../history/stored-series'
import { findMetric, type Metric } from '../run/metrics'
import type { UtcIso } from '../run/run'
import { median } from '../stats/robust'
import { withFactors } from './environment-alert'
import { runsOfSeries, type Neighbour } from './explain-change'
import type { EnvironmentEvent } from './rule-events'

/** A series that runs on an environment. */
export interface SeriesOfEnvironment extends Pick<SeriesSummary, 'id' | 'scenario' | 'variant'> {
  /** Its code never changes: it measures the environment. */
  readonly isControl: boolean
}

/** A time at which an environment itself moved. */
export interface ReportedShift extends EnvironmentEvent {
  /** Null: it became faster, which raises no alert. */
  readonly alertId: string | null
  /** Nobody closed its alert, and it lasts. */
  readonly isOpen: boolean
  /** By series id, for those that are known. */
  readonly factors: Readonly<Record<string, number>>
}

/** An environment of a project. */
export interface ProjectEnvironment {
  readonly name: string
  /** Newest first. */
  readonly shifts: readonly ReportedShift[]
  /** Controls first. */
  readonly series: readonly SeriesOfEnvironment[]
}

/** All that is stored of one environment. */
export interface EnvironmentHistory {
  readonly name: string
  /** Newest first. */
  readonly shifts: readonly ReportedShift[]
  /** Controls first, then by their newest run; with their newest runs. */
  readonly series: readonly Neighbour[]
  /** What runs record of the machine. */
  readonly attributes: readonly Attribute[]
}

/** A change that a series has with its environment. */
export interface MovedSeries {
  readonly seriesId: string
  readonly isControl: boolean
  readonly since: UtcIso
  /** 2: takes twice as long since. */
  readonly factor: number
}

/** Changes this close are of one shift. */
const togetherMs = 36 * 3_600_000

/** The shift of its environment with which a series changed at this time; null: none. */
export function shiftAt(
  shifts: readonly EnvironmentEvent[],
  series: { readonly id: string; readonly environment: string | null },
  since: string,
): EnvironmentEvent | null {
  const isNear = (shift: EnvironmentEvent) => Math.abs(Date.parse(shift.since) - Date.parse(since)) <= togetherMs
  const isOwn = (shift: EnvironmentEvent) =>
    shift.environment === series.environment && shift.seriesIds.includes(series.id)
  return shifts.find((shift) => isOwn(shift) && isNear(shift)) ?? null
}

/**
 * When an environment became faster, newest first: no alert reports it. The return from a shift that one reports is
 * part of that. `moved`: what its series did with it, in any order.
 */
export function fasterShifts(
  environment: string,
  moved: readonly MovedSeries[],
  reported: readonly EnvironmentEvent[],
): readonly ReportedShift[] {
  const ends = reported.flatMap(({ overSince }) => (overSince === null ? [] : Date.parse(overSince)))
  const isReturn = (at: number) => ends.some((end) => Math.abs(end - at) <= togetherMs)
  const groups: MovedSeries[][] = []
  for (const one of moved.toSorted((a, b) => (a.since < b.since ? -1 : 1))) {
    const at = Date.parse(one.since)
    if (one.factor >= 1 || isReturn(at)) continue
    const group = groups.at(-1)
    if (group !== undefined && at - Date.parse(group[0]?.since ?? '') <= togetherMs) group.push(one)
    else groups.push([one])
  }
  return groups.flatMap((group) => shiftOf(environment, group)).toReversed()
}

function shiftOf(environment: string, group: readonly MovedSeries[]): readonly ReportedShift[] {
  const bySeries = new Map<string, MovedSeries>()
  for (const one of group) {
    const known = bySeries.get(one.seriesId)
    if (known === undefined || one.factor < known.factor) bySeries.set(one.seriesId, one)
  }
  const all = [...bySeries.values()]
  const [first] = all
  if (first === undefined || all.length < 2) return []
  const factors = Object.fromEntries(all.map(({ seriesId, factor }) => [seriesId, factor]))
  const event: EnvironmentEvent = {
    ...{ kind: 'environment', environment, factor: first.factor, leastFactor: first.factor, mostFactor: first.factor },
    ...{ seriesIds: Object.keys(factors), hasControl: all.some(({ isControl }) => isControl) },
    ...{ since: group[0]?.since ?? first.since, overSince: null },
  }
  return [{ ...withFactors(event, Object.values(factors)), alertId: null, isOpen: false, factors }]
}

/** Metrics that follow a machine, the quietest first. */
const instruments = ['p50', 'mean', 'p95', 'p99', 'requests-per-second']

/** How a machine shows in one metric. */
export interface EnvironmentFactor {
  readonly metric: Metric
  readonly nights: readonly FactorAt[]
  /** What is left of a deviation after one run, and how many independent runs ten are worth: of the middle series. */
  readonly autocorrelation: number
  readonly tenRuns: number
}

/** The common factor of an environment over time, in the metric that most of its series have; null: in none. */
export function environmentFactor({ series, shifts }: EnvironmentHistory): EnvironmentFactor | null {
  const has = (metric: Metric) => series.filter(({ history }) => hasFigure(history.points.at(-1), metric)).length
  const [metric] = instruments.flatMap((id) => findMetric(id) ?? []).toSorted((a, b) => has(b) - has(a))
  if (metric === undefined || has(metric) === 0) return null
  const stored = series.flatMap((one) => runsOfSeries(one, metric, undefined, Infinity))
  const times = shifts.flatMap(({ since, overSince }) => [since, ...(overSince === null ? [] : [overSince])])
  const noises = follow(stored, { time: Infinity }).map((one) => one.noise().autocorrelation)
  const autocorrelation = median(noises)
  return {
    metric,
    nights: factorOverTime(
      stored,
      times.map((at) => Date.parse(at) / 1000),
    ),
    autocorrelation,
    tenRuns: 1 / varianceOfMean(10, autocorrelation),
  }
}

const hasFigure = (point: SeriesPoint | undefined, metric: Metric): boolean =>
  point !== undefined && metric.read(point.figures) !== null
