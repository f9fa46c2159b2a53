import type { NoiseOf, Side } from './comparison'
import { metrics } from '../run/metrics'
import { profilesOf, profileName } from '../run/series'
import type { SeriesHistory, StoredRun } from '../run/stored'
import { trendOf } from '../detect/trend'

/** Newest runs of a series that the noise of one of its runs is read from. */
export const noiseHistoryRuns = 60

/** Noise of one metric of a run, as its history showed it at some time: the standard deviation of its log. */
export interface FrozenNoise {
  readonly runId: string
  readonly metricId: string
  readonly noiseRatio: number
}

/**
 * Series whose histories show the noise of these sides; none when runs are repeated, since their spread is the noise.
 */
export function seriesOfLoneRuns(sides: readonly (readonly StoredRun[])[]): readonly string[] {
  return sides.every((side) => side.length === 1) ? sides.flatMap((side) => side.map((run) => run.seriesId)) : []
}

/**
 * The noise of one run as the history of its series under the same tool and load shows it: 5 experiments with the figure
 * at least, else null.
 */
export function noiseOfHistories(histories: readonly SeriesHistory[]): NoiseOf<StoredRun> {
  const profiles = new Map(histories.flatMap(profilesOf).map((profile) => [profile.key, profile]))
  return ([run], metric) => {
    const profile = profiles.get(`${run.seriesId}|${profileName(run.tool, run.load)}`)
    return profile ? trendOf(profile, metric).noiseRatio : null
  }
}

/** Everything that histories say about the noise of single runs, to be stored beside them. */
export function freezeNoise(runs: readonly StoredRun[], histories: readonly SeriesHistory[]): readonly FrozenNoise[] {
  const noiseOf = noiseOfHistories(histories)
  return runs.flatMap((run) =>
    metrics.flatMap((metric) => {
      const noiseRatio = noiseOf([run], metric)
      return noiseRatio === null ? [] : [{ runId: run.id, metricId: metric.id, noiseRatio }]
    }),
  )
}

/** The noise that was stored; sides of several runs have none. */
export function noiseAsFrozen(frozen: readonly FrozenNoise[]): NoiseOf<StoredRun> {
  const known = new Map(frozen.map(({ runId, metricId, noiseRatio }) => [`${runId} ${metricId}`, noiseRatio]))
  return ([run, ...more]: Side<StoredRun>, metric) =>
    more.length > 0 ? null : (known.get(`${run.id} ${metric.id}`) ?? null)
}
