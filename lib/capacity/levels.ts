import { groupBy } from '../group-by'
import type { CapacityRun } from './capacity-run'

/** The runs at one load: a rate per second, or connections. */
export interface Level {
  readonly load: number
  /** In the order given; never empty. */
  readonly runs: readonly CapacityRun[]
}

/** Durations that are farther apart belong to different sweeps. */
const maxDurationFactor = 1.5

/** What a group shares; two groups differ in some of it. */
const sharedFields = ['system', 'loop', 'tool', 'machine', 'instances', 'payload'] as const

/** Runs that differ in nothing but the load, in the order of their first one. Nothing is averaged over groups. */
export function groupRuns(runs: readonly CapacityRun[]): readonly (readonly CapacityRun[])[] {
  const bands: number[] = []
  for (const duration of [...new Set(runs.flatMap(({ durationMs }) => durationMs ?? []))].sort((a, b) => a - b)) {
    const last = bands.at(-1)
    if (last === undefined || duration > last * maxDurationFactor) bands.push(duration)
  }
  const bandOf = ({ durationMs }: CapacityRun) =>
    durationMs === null ? -1 : bands.findLastIndex((band) => durationMs >= band)
  return [...groupBy(runs, (run) => JSON.stringify([...sharedFields.map((field) => run[field]), bandOf(run)])).values()]
}

/** Runs by load, ascending; those whose load is not known are left out. */
export function levelsOf(runs: readonly CapacityRun[]): readonly Level[] {
  const loaded = runs.flatMap((run) => {
    const load = run.loop === 'open' ? run.ratePerSecond : run.loop === 'closed' ? run.connections : null
    return load !== null && load > 0 ? [{ load, run }] : []
  })
  return [...groupBy(loaded, ({ load }) => load)]
    .map(([load, at]) => ({ load, runs: at.map(({ run }) => run) }))
    .sort((a, b) => a.load - b.load)
}
