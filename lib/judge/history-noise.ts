import { LRUCache } from 'lru-cache'
import * as z from 'zod'
import type { ExperimentHistory } from './experiment'
import type { NoiseOf, ReportedStep, Side, StepOf } from './sides'
import { metrics } from '../run/metrics'
import { profilesOf, profileName, type LoadProfile } from '../history/series'
import type { RunRow } from '../history/stored-runs'
import type { SeriesHistory } from '../history/stored-series'
import { detectorVersion } from '../levels/sensitivity'
import { historySettings } from '../detect/change-points'
import { stepNoise } from '../detect/series-noise'
import { findChanges } from '../levels/change'
import { placeboBound, type PlacedSides } from '../stats/placebo'
import { type Trend, trendOf } from '../levels/trend'

/** Newest runs of a series from which the noise of one run is computed. */
export const noiseRuns = 60

/**
 * What was known at some time about one metric of a side, by its first run: the noise of its history, what an alert
 * reports.
 */
export interface FrozenNoise {
  readonly runId: string
  readonly metricId: string
  /** Standard deviation of its log; null: unknown. */
  readonly noiseRatio: number | null
  /** Of successive differences of the log / √2; absent: frozen before this was stored, and as large. */
  readonly stepRatio?: number | undefined
  /** Runs of the history; absent: unknown, and many. */
  readonly runs?: number | undefined
  /** Largest difference of its log between neighbouring stretches; absent: unknown. */
  readonly maxStepLog?: number | undefined
  /** The step from the base that an alert reports; absent: none. */
  readonly step?: ReportedStep | undefined
}

/** Most series whose noise is read for a matrix: what is not stored is computed when it opens. */
const maxMatrixSeries = 50

/**
 * The newest run of each series and load, by which the cells of a matrix are judged; at most 50 series, newest first.
 */
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

/** Series that provide the noise of these sides. */
export function seriesOfSides(sides: readonly (readonly Pick<RunRow, 'seriesId'>[])[]): readonly string[] {
  return [...new Set(sides.flatMap(([run]) => (run ? [run.seriesId] : [])))]
}

/** The noise of one run as seen in a series' newest runs, by load profile and metric; absent: unknown. */
export interface SeriesNoise {
  readonly seriesId: string
  readonly byProfile: Readonly<Record<string, Readonly<Record<string, ExperimentHistory>>>>
}

/** The noise of every metric of a series, in each load profile where at least 5 experiments have the figure. */
export function seriesNoiseOf(history: SeriesHistory): SeriesNoise {
  const byProfile = profilesOf(history).map((profile) => {
    const known = metrics.flatMap((metric): [string, ExperimentHistory][] => {
      const changes = findChanges(profile, metric, historySettings)
      const noise = historyOf(profile, trendOf(profile, metric, { settings: historySettings, changes }))
      // A run that guards refuse may have a figure of 0, which has no logarithm.
      return noise === null || !Number.isFinite(noise.sdLog + noise.sdStep) ? [] : [[metric.id, noise]]
    })
    return [profile.name, Object.fromEntries(known)] as const
  })
  return { seriesId: history.id, byProfile: Object.fromEntries(byProfile) }
}

/** Version of the stored noise: a different detector, table of metrics or form invalidates all of it. */
export const storedNoiseVersion = `${detectorVersion}-${metrics.length}-2`

const figure = z.number()
const storedSchema = z.record(z.string(), z.record(z.string(), z.tuple([figure, figure, figure, figure.nullable()])))

/** A series' noise as text. */
export function packNoise(byProfile: SeriesNoise['byProfile']): string {
  const packed = Object.entries(byProfile).map(([name, known]) => {
    const cells = Object.entries(known).map(([id, one]) => [id, [one.runs, one.sdLog, one.sdStep, one.maxStepLog]])
    return [name, Object.fromEntries(cells)]
  })
  return JSON.stringify(Object.fromEntries(packed))
}

interface Unpacked {
  readonly text: string
  readonly noise: SeriesNoise
}

/** By series, up to 4 million letters, so that an unchanged text is not parsed again. */
const unpacked = new LRUCache<string, Unpacked>({
  maxSize: 4_000_000,
  sizeCalculation: ({ text }) => Math.max(1, text.length),
})

/** Unpacks what `packNoise` packed. Throws when the text is of another version. */
export function unpackNoise(seriesId: string, text: string): SeriesNoise {
  const known = unpacked.get(seriesId)
  if (known?.text === text) return known.noise
  const stored = Object.entries(storedSchema.parse(JSON.parse(text))).map(([name, cells]) => {
    const ofCells = Object.entries(cells).map(
      ([id, [runs, sdLog, sdStep, maxStepLog]]) => [id, { runs, sdLog, sdStep, maxStepLog }] as const,
    )
    return [name, Object.fromEntries(ofCells)] as const
  })
  const noise = { seriesId, byProfile: Object.fromEntries(stored) }
  unpacked.set(seriesId, { text, noise })
  return noise
}

/** The noise of a side, from its first run's series under the same tool and load; null: unknown. */
export function noiseOfSeries(known: readonly SeriesNoise[]): NoiseOf<HistoricRun> {
  const bySeries = new Map(known.map(({ seriesId, byProfile }) => [seriesId, byProfile]))
  return ([run], metric) => bySeries.get(run.seriesId)?.[profileName(run.tool, run.load)]?.[metric.id] ?? null
}

/**
 * The noise of one run between the changes of a trend; null with fewer than 5 experiments, and for shares. The trend's
 * points are medians of repeats, which are quieter than a run: the difference between repeats is added to their noise.
 */
function historyOf(profile: LoadProfile, trend: Trend): ExperimentHistory | null {
  const { metric, points, changes, noiseRatio } = trend
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
  const sdLog = Math.sqrt(noiseRatio ** 2 + sdStep ** 2 * (1 - experiments / runs))
  return { runs: experiments, sdLog, sdStep, maxStepLog: largestStep(segments.flatMap((segment) => [...segment])) }
}

/** Runs on either side of a step: as few as make a block, whose own noise is included. */
const stepRuns = 4
const stepOrder: PlacedSides = {
  heads: Array.from({ length: 2 * stepRuns }, (_, at) => at >= stepRuns),
  isBlocks: true,
}

/**
 * The largest distance between neighbouring stretches of a history, including across its changes: which of them the
 * machine caused is unknown. Null: too short a history.
 */
const largestStep = (logs: readonly number[]): number | null => placeboBound(stepOrder, logs)

/**
 * Everything known about the noise of these sides, and alerts of the steps from the first one, to be stored with them.
 */
export function freezeNoise<Run extends HistoricRun>(
  sides: readonly (readonly Run[])[],
  noises: readonly SeriesNoise[],
  stepOf: StepOf<Run> = () => null,
): readonly FrozenNoise[] {
  const noiseOf = noiseOfSeries(noises)
  const known = sides.flatMap(([first, ...rest]): Side<Run>[] => (first ? [[first, ...rest]] : []))
  const [base] = known
  return known.flatMap((side) =>
    metrics.flatMap((metric): readonly FrozenNoise[] => {
      const [run] = side
      const history = noiseOf([run], metric)
      const step = base === undefined || base === side ? null : stepOf(base, side, metric)
      if (history === null && step === null) return []
      const { sdLog: noiseRatio = null, sdStep: stepRatio, runs } = history ?? {}
      const noise = { noiseRatio, stepRatio, runs, maxStepLog: history?.maxStepLog ?? undefined }
      return [{ runId: run.id, metricId: metric.id, ...noise, ...(step === null ? {} : { step }) }]
    }),
  )
}

/** The noise that was stored for a side's first run. */
export function noiseAsFrozen(frozen: readonly FrozenNoise[]): NoiseOf<Pick<RunRow, 'id'>> {
  const known = new Map(frozen.map((one) => [`${one.runId} ${one.metricId}`, one]))
  return ([run], metric) => {
    const one = known.get(`${run.id} ${metric.id}`)
    if (one === undefined || one.noiseRatio === null) return null
    const { noiseRatio: sdLog, stepRatio: sdStep = sdLog, runs = noiseRuns, maxStepLog = null } = one
    return { runs, sdLog, sdStep, maxStepLog }
  }
}

/** The stored steps from the base to other sides. */
export function stepAsFrozen(frozen: readonly FrozenNoise[]): StepOf<Pick<RunRow, 'id'>> {
  return (_base, [run], metric) =>
    frozen.find((one) => one.runId === run.id && one.metricId === metric.id)?.step ?? null
}
