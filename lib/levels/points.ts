import { isBarred } from '../run/guard'
import type { Metric } from '../run/metrics'
import type { LoadProfile } from '../history/series'
import type { SeriesPoint } from '../history/stored-series'
import { median } from '../stats/robust'

/** One experiment in a profile: a run, or the runs of one upload or commit, which are repeats. */
export interface TrendPoint {
  /** All its runs, oldest first; links go to the last. */
  readonly runIds: readonly string[]
  readonly orderedAt: string
  readonly labels: Readonly<Record<string, string>>
  /** Median of its runs, with their min and max; unit of the metric. Null: no run has the figure. */
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
  /** Guards refuse a verdict on the figure in all its runs: it is shown but not judged. */
  readonly isBarred: boolean
}

/** Labels whose equal values mark repeats of one experiment. */
export const experimentLabels = ['experiment', 'commit', 'version', 'build'] as const

/** Runs of one upload this far apart are a history in a document, not repeats. */
export const longestExperimentMs = 3_600_000

type Repeatable = Pick<SeriesPoint, 'labels' | 'uploadId' | 'orderedAt' | 'isOfControl'>

/** A control has one commit for ever: only what names an experiment marks its repeats. */
const labelsOfControl = ['experiment'] as const

/**
 * Points of a profile: neighbours of the same experiment, commit, version or build, else of one upload and hour, merge.
 */
export function trendPoints(profile: LoadProfile, metric: Metric): readonly TrendPoint[] {
  return experimentsOf(profile.points).map((group) => pointOf(group, metric))
}

/** Cached by the runs of a profile: every metric of an evaluation needs the same ones. */
const knownExperiments = new WeakMap<LoadProfile['points'], readonly (readonly SeriesPoint[])[]>()

function experimentsOf(points: LoadProfile['points']): readonly (readonly SeriesPoint[])[] {
  const known = knownExperiments.get(points)
  if (known) return known
  const groups: SeriesPoint[][] = []
  for (const point of points) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && repeats(last, point)) group.push(point)
    else groups.push([point])
  }
  knownExperiments.set(points, groups)
  return groups
}

/**
 * Whether `b`, the next run of a profile after `a`, repeats it: the same experiment, commit, version or build, else one
 * upload within an hour. Runs of a control: the same experiment, else one upload.
 */
export function repeats(a: Repeatable, b: Repeatable): boolean {
  const keys = a.isOfControl === true ? labelsOfControl : experimentLabels
  const label = keys.find((key) => a.labels[key] !== undefined || b.labels[key] !== undefined)
  if (label !== undefined) return a.labels[label] === b.labels[label]
  return a.uploadId === b.uploadId && Date.parse(b.orderedAt) - Date.parse(a.orderedAt) <= longestExperimentMs
}

function pointOf(group: readonly SeriesPoint[], metric: Metric): TrendPoint {
  const sound = group.filter((run) => !isBarred(run.guards, metric.id))
  const known = (runs: readonly SeriesPoint[]) =>
    runs.map((run) => metric.read(run.figures)).filter((value) => value !== null)
  const areAllBarred = known(sound).length === 0 && known(group).length > 0
  const values = known(areAllBarred ? group : sound)
  const last = group.at(-1)
  return {
    runIds: group.map((run) => run.runId),
    orderedAt: last?.orderedAt ?? '',
    labels: last?.labels ?? {},
    value: values.length === 0 ? null : median(values),
    low: values.length === 0 ? null : Math.min(...values),
    high: values.length === 0 ? null : Math.max(...values),
    isBarred: areAllBarred,
  }
}
