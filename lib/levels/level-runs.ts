import { sinceWords, type MetricJudgement } from '../run/judgement'
import type { PastRun } from '../history/neighbours'
import { profileName } from '../history/series'
import type { StoredRun } from '../history/stored-runs'

/** The runs that a run is compared with, according to its stored judgement; all oldest first. */
export interface LevelHistory {
  /** At most 60 earlier runs of its tool and load. */
  readonly all: readonly PastRun[]
  /** Those of its level; if its level changed, of the level before. */
  readonly level: readonly PastRun[]
  /** Runs of the new level, without the run itself; null: the level did not change. */
  readonly since: {
    /** `8de2d48`, or the day of the change. */
    readonly name: string
    readonly metricId: string
    readonly afterRunId: string
    readonly runs: readonly PastRun[]
  } | null
}

/** The fields read from a run whose history is shown. */
export type HistoricRun = Pick<StoredRun, 'judgement' | 'tool' | 'load' | 'uploadId'>

/** Groups the runs before a run into levels, from its stored judgement; detects nothing. */
export function levelHistoryOf(run: HistoricRun, past: readonly PastRun[]): LevelHistory {
  const { judgement } = run
  const profile = profileName(run.tool, run.load)
  const isRepeat = (one: PastRun) => judgement !== null && judgement.runs > 1 && one.uploadId === run.uploadId
  const all = past.filter((one) => profileName(one.tool, one.load) === profile && !isRepeat(one))
  const metrics = judgement?.metrics ?? []
  const leading = leadingJudgement(metrics, judgement?.metricId ?? null)
  const change = leading?.change ?? null
  if (leading === null || change === null) {
    // A run barred from judgement has no known start of its level.
    const isKnown = leading !== null && leading.state !== 'barred'
    return { all, level: isKnown ? lastOf(all, leading.before) : all, since: null }
  }
  const before = all.filter(({ orderedAt }) => orderedAt < change.since)
  const since = all.filter(({ orderedAt }) => orderedAt >= change.since)
  const { metricId } = leading
  return {
    all,
    level: lastOf(before, leading.before),
    since: { name: sinceWords(change), metricId, afterRunId: change.afterRunId, runs: since },
  }
}

const lastOf = <One>(all: readonly One[], count: number): readonly One[] => (count <= 0 ? [] : all.slice(-count))

/** Of the metric that the state is about, else of the one with the most runs before it. */
function leadingJudgement(metrics: readonly MetricJudgement[], metricId: string | null): MetricJudgement | null {
  const own = metrics.find((one) => one.metricId === metricId)
  if (own) return own
  return [...metrics].sort((a, b) => b.before - a.before)[0] ?? null
}
