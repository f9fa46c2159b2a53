import {
  isOffWithEnvironment,
  whyItChanged,
  type FoundChange,
  type StoredRun,
  type StoredSeries,
} from '../environment/why-it-changed'
import { groupBy } from '../group-by'
import { profilesOf, type LoadProfile } from '../history/series'
import type { SeriesHistory } from '../history/stored-series'
import type { KnownChanges } from '../levels/trend'
import { isBarred } from '../run/guard'
import type { Metric } from '../run/metrics'
import type { UtcIso } from '../run/run'
import type { Explain, NewChange } from './evaluate-profile'

/** A series that may tell why another one of its project changed. */
export interface Neighbour {
  readonly isControl: boolean
  readonly history: SeriesHistory
  /** When its environment is known to have moved. */
  readonly shifts: readonly UtcIso[]
  /** Known changes of level, by load profile and metric. */
  readonly changes: Readonly<Record<string, Readonly<Record<string, KnownChanges>>>>
}

/**
 * Explains changes of a profile by what the series of its environment did at that time. Null: it has no environment, or
 * nothing else is known there.
 */
export function explainBy(profile: LoadProfile, neighbours: readonly Neighbour[]): Explain {
  const { id, environment } = profile.series
  const isControl = neighbours.some((one) => one.history.id === id && one.isControl)
  return (change) => {
    const { metric } = change
    const found = foundChange(profile, change)
    const series = canTell(metric) ? neighbours.flatMap((one) => storedSeries(one, metric, profile)) : []
    const machines = groupBy(series, ({ place }) => place.environment)
    const own = machines.get(environment ?? '') ?? []
    const others = [...machines].flatMap(([name, all]) => (name === environment ? [] : [all]))
    const why = whyItChanged(found, own, others)
    return why ?? (isControl ? { kind: 'control', commit: null, shift: null } : null)
  }
}

/**
 * Whether the newest run of a profile is off because its environment is, as a control's always is; `effectRatio`: from
 * its level.
 */
export function isRunOffWithEnvironment(
  profile: LoadProfile,
  neighbours: readonly Neighbour[],
  run: NewChange,
): boolean {
  if (!canTell(run.metric)) return false
  if (neighbours.some(({ history, isControl }) => isControl && history.id === profile.series.id)) return true
  const own = neighbours.filter(({ history }) => history.environment === profile.series.environment)
  const series = own.flatMap((one) => storedSeries(one, run.metric, profile))
  return isOffWithEnvironment(foundChange(profile, run), series)
}

function foundChange(profile: LoadProfile, change: NewChange): FoundChange {
  const first = profile.points.find(({ runId }) => runId === change.afterRunId)
  return { seriesId: profile.series.id, time: secondsOf(first?.orderedAt ?? ''), change: slowingOf(change) }
}

/** Shares of failures, and figures without a good side, do not follow the speed of a machine. */
const canTell = ({ unit, direction }: Metric): boolean => unit !== 'ratio' && direction !== 'neutral'

const slowingOf = ({ metric, effectRatio }: NewChange): number =>
  metric.direction === 'higher-is-better' ? -Math.log1p(effectRatio) : Math.log1p(effectRatio)

const secondsOf = (at: string): number => Date.parse(at) / 1000

/** One metric of a series under its newest load; of the series that is explained, of the explained profile. */
function storedSeries(one: Neighbour, metric: Metric, explained: LoadProfile): readonly StoredSeries[] {
  return runsOfSeries(one, metric, one.history.id === explained.series.id ? explained : undefined)
}

/** One metric of a series under its newest load, or another one, with its levels: its newest `most` runs. */
export function runsOfSeries(
  { history, isControl, changes, shifts }: Neighbour,
  metric: Metric,
  profile = newestProfile(history),
  most = maxRuns,
): readonly StoredSeries[] {
  if (profile === undefined) return []
  const runs = storedRuns(profile, metric).slice(-most)
  const known = changes[profile.name]?.[metric.id]?.changes ?? []

  const begins = [...known.map(({ since }) => since), ...shifts]
  const levels = begins.map(secondsOf).sort((a, b) => a - b)
  const place = { id: history.id, environment: history.environment ?? '', isControl }
  return runs.length === 0 ? [] : [{ place, runs, levels }]
}

const maxRuns = 90

/** By their runs: a neighbour is asked about many changes. */
const newestProfiles = new WeakMap<SeriesHistory['points'], LoadProfile>()

function newestProfile(history: SeriesHistory): LoadProfile | undefined {
  const known = newestProfiles.get(history.points)
  if (known?.series.id === history.id) return known
  const [profile] = profilesOf(history)
  if (profile !== undefined) newestProfiles.set(history.points, profile)
  return profile
}

/** By the runs of a profile and metric. */
const knownRuns = new WeakMap<LoadProfile['points'], Map<string, readonly StoredRun[]>>()

function storedRuns({ points }: LoadProfile, metric: Metric): readonly StoredRun[] {
  const byMetric = knownRuns.get(points) ?? new Map<string, readonly StoredRun[]>()
  knownRuns.set(points, byMetric)
  const known = byMetric.get(metric.id)
  if (known !== undefined) return known
  // Run by run: repeats of a commit that runs every night are what a machine shows, and one experiment elsewhere.
  const runs = points.flatMap(({ orderedAt, labels, guards, figures }): readonly StoredRun[] => {
    const value = isBarred(guards, metric.id) ? null : metric.read(figures)
    if (value === null || value <= 0) return []
    const slowness = metric.direction === 'higher-is-better' ? 1 / value : value
    return [{ time: secondsOf(orderedAt), commit: labels.commit ?? labels.version ?? null, value: slowness }]
  })
  byMetric.set(metric.id, runs)
  return runs
}
