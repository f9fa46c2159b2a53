import type { NoiseOf } from '@/lib/comparison'
import { linesOf, loadProfile } from '@/lib/series'
import type { SeriesHistory, StoredRun } from '@/lib/stored'
import { trendOf } from '@/lib/trend'

/**
 * The noise of one run as the history of its series under the same tool and load shows it: 5 experiments with the figure
 * at least, else null.
 */
export function noiseOfHistories(histories: readonly SeriesHistory[]): NoiseOf<StoredRun> {
  const lines = new Map(histories.flatMap(linesOf).map((line) => [line.key, line]))
  return ([run], metric) => {
    const line = lines.get(`${run.seriesId}|${loadProfile(run.tool, run.load)}`)
    return line ? trendOf(line, metric).noiseRatio : null
  }
}
