import type { ExperimentHistory } from './experiment'
import type { NoiseOf, ReportedStep, Side, StepOf } from './sides'
import { metrics } from '../run/metrics'
import { profilesOf, profileName } from '../run/series'
import type { RunRow, SeriesHistory } from '../run/stored'
import { stepNoise } from '../detect/series-noise'
import { trendOf, type Trend } from '../detect/trend'

/** Newest runs of a series that the noise of one of its runs is read from. */
export const noiseHistoryRuns = 60

/** What was known of one metric of a side by its first run, at some time: the noise of its history, what an alert reports. */
export interface FrozenNoise {
  readonly runId: string
  readonly metricId: string
  /** Standard deviation of its log; null: not known. */
  readonly noiseRatio: number | null
  /** Of successive differences of the log / √2; absent: frozen before it was read, and as large. */
  readonly stepRatio?: number | undefined
  /** Runs of the history; absent: not known, and many. */
  readonly runs?: number | undefined
  /** The step from the base that an alert reports; absent: none. */
  readonly step?: ReportedStep | undefined
}

/** Series whose histories are read for a matrix at most: their noise is computed as it opens. */
const maxMatrixSeries = 50

/** The newest run of each series and load: what the cells of a matrix are judged by; of 50 series at most, newest first. */
export function newestOfSeries<Run extends HistoricRun & Pick<RunRow, 'orderedAt'>>(
  runs: readonly Run[],
): readonly (readonly [Run])[] {
  const newest = new Map<string, Run>()
  const inTime = [...runs].sort((a, b) => b.orderedAt.localeCompare(a.orderedAt))
  for (const run of inTime) {
    const key = `${run.seriesId}|${profileName(run.tool, run.load)}`
    if (!newest.has(key)) newest.set(key, run)
  }
  return [...newest.values()].slice(0, maxMatrixSeries).map((run) => [run])
}

type HistoricRun = Pick<RunRow, 'id' | 'seriesId' | 'tool' | 'load'>

/** Series whose histories show the noise of these sides. */
export function seriesOfSides(sides: readonly (readonly Pick<RunRow, 'seriesId'>[])[]): readonly string[] {
  return [...new Set(sides.flatMap(([run]) => (run ? [run.seriesId] : [])))]
}

/**
 * The noise of a side as the history of its first run's series under the same tool and load shows it: 5 experiments with
 * the figure at least, else null.
 */
export function noiseOfHistories(histories: readonly SeriesHistory[]): NoiseOf<HistoricRun> {
  const profiles = new Map(histories.flatMap(profilesOf).map((profile) => [profile.key, profile]))
  const known = new Map<string, ExperimentHistory | null>()
  return ([run], metric) => {
    const profile = profiles.get(`${run.seriesId}|${profileName(run.tool, run.load)}`)
    if (profile === undefined) return null
    const key = `${profile.key} ${metric.id}`
    const found = known.get(key)
    if (found !== undefined) return found
    const history = historyOf(trendOf(profile, metric))
    known.set(key, history)
    return history
  }
}

/**
 * What a trend shows of the noise of one run between its changes; null with fewer than 5 experiments, and for shares. Its
 * points are medians of repeats, which are quieter than a run: what repeats differ by is added to their noise.
 */
function historyOf({ profile, metric, points, changes, noiseRatio }: Trend): ExperimentHistory | null {
  if (noiseRatio === null) return null
  const valueOf = new Map(profile.points.map(({ runId, figures }) => [runId, metric.read(figures)]))
  const ends = [0, ...changes.map(({ at }) => at), points.length]
  const segments = ends.slice(1).map((end, at) =>
    Float64Array.from(
      points.slice(ends[at], end).flatMap(({ runIds }) => runIds.flatMap((id) => valueOf.get(id) ?? [])),
      Math.log,
    ),
  )
  const runs = segments.reduce((sum, { length }) => sum + length, 0)
  const experiments = points.filter(({ value }) => value !== null).length
  const sdStep = stepNoise(segments, noiseRatio)
  return { runs: experiments, sdLog: Math.sqrt(noiseRatio ** 2 + sdStep ** 2 * (1 - experiments / runs)), sdStep }
}

/** Everything that histories say about the noise of these sides, and alerts of the steps from the first, to be stored beside them. */
export function freezeNoise<Run extends HistoricRun>(
  sides: readonly (readonly Run[])[],
  histories: readonly SeriesHistory[],
  stepOf: StepOf<Run> = () => null,
): readonly FrozenNoise[] {
  const noiseOf = noiseOfHistories(histories)
  const known = sides.flatMap(([first, ...rest]): Side<Run>[] => (first ? [[first, ...rest]] : []))
  const [base] = known
  return known.flatMap((side) =>
    metrics.flatMap((metric): readonly FrozenNoise[] => {
      const [run] = side
      const history = noiseOf([run], metric)
      const step = base === undefined || base === side ? null : stepOf(base, side, metric)
      if (history === null && step === null) return []
      const noise = { noiseRatio: history?.sdLog ?? null, stepRatio: history?.sdStep, runs: history?.runs }
      return [{ runId: run.id, metricId: metric.id, ...noise, ...(step === null ? {} : { step }) }]
    }),
  )
}

/** The noise that was stored of a side's first run. */
export function noiseAsFrozen(frozen: readonly FrozenNoise[]): NoiseOf<Pick<RunRow, 'id'>> {
  const known = new Map(frozen.map((one) => [`${one.runId} ${one.metricId}`, one]))
  return ([run], metric) => {
    const one = known.get(`${run.id} ${metric.id}`)
    if (one === undefined || one.noiseRatio === null) return null
    return { runs: one.runs ?? noiseHistoryRuns, sdLog: one.noiseRatio, sdStep: one.stepRatio ?? one.noiseRatio }
  }
}

/** What was stored of the steps from the base to other sides. */
export function stepAsFrozen(frozen: readonly FrozenNoise[]): StepOf<Pick<RunRow, 'id'>> {
  return (_base, [run], metric) =>
    frozen.find((one) => one.runId === run.id && one.metricId === metric.id)?.step ?? null
}
