import type { LevelHistory } from '@/lib/levels/level-runs'
import type { MetricJudgement } from '@/lib/run/judgement'
import { limitsOfMetric, namedLimits, type MetricLimit } from '@/lib/run/limits'
import { defaultMetric, findMetric, metricsOf, type Metric } from '@/lib/run/metrics'
import type { PastRun } from '@/lib/history/neighbours'
import type { StoredRun } from '@/lib/history/stored-runs'
import { fanRunOf, prepareFan } from '../../charts/fan'
import type { Prepared } from '../../charts/plot/model'
import type { Strip } from '../../charts/plot/rows/strip'
import { prepareStrip, stripRuns, type StripLevel } from '../../charts/strip'

/** The run on the runs of its level; null: there is no run before it, or no percentile. */
export function prepareRunFan(
  run: StoredRun,
  { level, since }: LevelHistory,
  limits: readonly MetricLimit[],
): Prepared | null {
  if (level.length === 0 && (since?.runs.length ?? 0) === 0) return null
  const fanRuns = (runs: readonly PastRun[]) => runs.map((one) => fanRunOf(one))
  const count = level.length === 1 ? 'the run before' : `median of the ${level.length} before`
  return prepareFan({
    id: 'fan',
    title: 'This run on its history',
    past: { name: since === null ? count : 'before', runs: fanRuns(level) },
    since:
      since === null || since.runs.length === 0 ? null : { name: `since ${since.name}`, runs: fanRuns(since.runs) },
    run: { ...fanRunOf(run), name: 'this run' },
    state: run.judgement?.state ?? null,
    limits,
    isWide: true,
  })
}

/** A metric of the series up to this run. */
export interface SeriesStrip {
  readonly metric: Metric
  readonly strip: Strip
}

/** The last runs of the series up to this one, in its expected range; null: too few have the figure. */
export function prepareSeriesStrip(
  run: StoredRun,
  { all, level, since }: LevelHistory,
  limits: readonly MetricLimit[],
): SeriesStrip | null {
  const metric = stripMetric(run, all)
  if (metric === null) return null
  const judged = run.judgement?.metrics.find(({ metricId }) => metricId === metric.id) ?? null
  const shown = all.slice(1 - stripRuns)
  const newAt = shown.length - (since?.runs.length ?? 0)
  const levelAt = newAt - level.length
  const own = metric.read(run.figures)
  const [low, high] = [judged?.expectedLow ?? null, judged?.expectedHigh ?? null]
  // A range of steady parts does not apply to the whole runs that are drawn.
  const levels: readonly StripLevel[] =
    judged === null || low === null || run.judgement?.judgedBy === 'steady'
      ? []
      : [
          { from: levelAt, value: judged.level, low, high },
          ...(since === null ? [] : [{ from: newAt, ...levelSince(judged) }]),
        ]
  const points = shown.map(({ figures, state, orderedAt, commit }) => {
    const value = metric.read(figures)
    const isBeyond = value !== null && low !== null && high !== null && (value < low || value > high)
    return { value, isOutside: state === 'unusual' && isBeyond, run: { orderedAt, commit, runs: 1 } }
  })
  const newest = { orderedAt: run.orderedAt, commit: run.labels['commit'] ?? null, runs: 1 }
  const strip = prepareStrip({
    metricName: metric.shortLabel,
    unit: metric.unit,
    points: [...points, { value: own, isOutside: false, run: newest }],
    levels,
    state: run.judgement?.state ?? null,
    limits: limitsOfMetric(namedLimits(limits), metric),
  })
  return strip === null ? null : { metric, strip }
}

function levelSince({ current }: MetricJudgement): Omit<StripLevel, 'from'> {
  if (current === null) return { value: null, low: null, high: null }
  return { value: current.level, low: current.expectedLow, high: current.expectedHigh }
}

function stripMetric(run: StoredRun, all: readonly PastRun[]): Metric | null {
  const stated = findMetric(run.judgement?.metricId ?? '')
  const isKnown = (metric: Metric) =>
    metric.read(run.figures) !== null && all.some(({ figures }) => metric.read(figures) !== null)
  return [stated ?? defaultMetric, ...metricsOf('previous')].find(isKnown) ?? null
}
