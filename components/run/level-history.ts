import { compareHref, levelSides, maxLevelRuns } from '@/lib/judge/compare-url'
import type { AlertFinding } from '@/lib/rules/evaluate-profile'
import { compareLevelsWords } from '@/lib/rules/alert-words'
import { sidesOfFinding } from '@/lib/rules/stored-alerts'
import { sinceWords, type MetricJudgement } from '@/lib/run/judgement'
import { defaultMetric, findMetric, metricsOf, type Metric } from '@/lib/run/metrics'
import type { PastRun } from '@/lib/run/neighbours'
import { profileName } from '@/lib/run/series'
import type { StoredRun } from '@/lib/run/stored'
import { fanRunOf, prepareFan } from '../charts/fan'
import type { Prepared } from '../charts/plot/model'
import type { Strip } from '../charts/plot/strip'
import { prepareStrip, stripRuns, type StripLevel } from '../charts/strip'

/** The runs that a run is held against, as its stored judgement says; all oldest first. */
export interface LevelHistory {
  /** Runs of its tool and load before it, at most 60. */
  readonly all: readonly PastRun[]
  /** Those of its level; where its level changed, of the level before. */
  readonly level: readonly PastRun[]
  /** Of the new level, without the run itself; null: the level did not change. */
  readonly since: {
    /** `8de2d48`, or the day of the change. */
    readonly name: string
    readonly metricId: string
    readonly afterRunId: string
    readonly runs: readonly PastRun[]
  } | null
}

/** What is read of a run whose history is shown. */
export type HistoricRun = Pick<StoredRun, 'judgement' | 'tool' | 'load' | 'uploadId'>

/** Parts the runs before a run into levels, by what was stored with its judgement: nothing is detected here. */
export function levelHistoryOf(run: HistoricRun, past: readonly PastRun[]): LevelHistory {
  const { judgement } = run
  const profile = profileName(run.tool, run.load)
  const isRepeat = (one: PastRun) => judgement !== null && judgement.runs > 1 && one.uploadId === run.uploadId
  const all = past.filter((one) => profileName(one.tool, one.load) === profile && !isRepeat(one))
  const metrics = judgement?.metrics ?? []
  const leading = leadingJudgement(metrics, judgement?.metricId ?? null)
  const change = leading?.change ?? null
  if (leading === null || change === null) {
    // Of a run that is barred from judgement nothing says where its level begins.
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

/** Of the metric that the state is about; else of the one with the most runs before it. */
function leadingJudgement(metrics: readonly MetricJudgement[], metricId: string | null): MetricJudgement | null {
  const own = metrics.find((one) => one.metricId === metricId)
  if (own) return own
  return [...metrics].sort((a, b) => b.before - a.before)[0] ?? null
}

/** The run on the runs of its level; null: no run before it, or no percentile. */
export function prepareRunFan(run: StoredRun, { level, since }: LevelHistory): Prepared | null {
  if (level.length === 0 && (since?.runs.length ?? 0) === 0) return null
  const fanRuns = (runs: readonly PastRun[]) => runs.map((one) => fanRunOf(one, one.figures))
  const count = level.length === 1 ? 'the run before' : `median of the ${level.length} before`
  return prepareFan({
    id: 'fan',
    title: 'This run on its history',
    past: { name: since === null ? count : 'before', runs: fanRuns(level) },
    since:
      since === null || since.runs.length === 0 ? null : { name: `since ${since.name}`, runs: fanRuns(since.runs) },
    run: { ...fanRunOf(run, run.figures), name: 'this run' },
    state: run.judgement?.state ?? null,
    isWide: true,
  })
}

/** A metric of the series up to this run. */
export interface SeriesStrip {
  readonly metric: Metric
  readonly strip: Strip
}

/** The last runs of the series up to this one, in what was expected of it; null: too few have the figure. */
export function prepareSeriesStrip(run: StoredRun, { all, level, since }: LevelHistory): SeriesStrip | null {
  const metric = stripMetric(run, all)
  if (metric === null) return null
  const judged = run.judgement?.metrics.find(({ metricId }) => metricId === metric.id) ?? null
  const shown = all.slice(1 - stripRuns)
  const newAt = shown.length - (since?.runs.length ?? 0)
  const levelAt = newAt - level.length
  const [low, high] = [judged?.expectedLow ?? null, judged?.expectedHigh ?? null]
  const points = shown.map(({ figures, state }) => {
    const value = metric.read(figures)
    const isBeyond = value !== null && low !== null && high !== null && (value < low || value > high)
    return { value, isOutside: state === 'unusual' && isBeyond }
  })
  const strip = prepareStrip({
    metricName: metric.shortLabel,
    points: [...points, { value: metric.read(run.figures), isOutside: false }],
    levels:
      // A range of steady parts is none of the whole runs that are drawn.
      judged === null || low === null || run.judgement?.judgedBy === 'steady'
        ? []
        : [
            { from: levelAt, value: judged.level, low, high },
            ...(since === null ? [] : [{ from: newAt, ...levelSince(judged) }]),
          ],
    state: run.judgement?.state ?? null,
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

/**
 * The comparison that shows what is said of the run: with the newest 10 of its level before it; where that changed, of the
 * runs before and since, as the alert has them. Null: there is no run before.
 */
export function compareWithBefore(
  run: HistoricRun & Pick<StoredRun, 'id' | 'projectSlug'>,
  { level, since }: LevelHistory,
  findings: readonly AlertFinding[],
): { readonly href: string; readonly words: string } | null {
  const idsOf = (runs: readonly PastRun[]) => runs.map(({ id }) => id)
  if (since === null) {
    const before = idsOf(level).slice(-maxLevelRuns)
    if (before.length === 0) return null
    const words = before.length === 1 ? 'Compare with the run before' : `Compare with the ${before.length} before`
    return { href: compareHref(run.projectSlug, [before, [run.id]], ''), words }
  }
  const finding = findings.find((one) => one.metricId === since.metricId && one.afterRunId === since.afterRunId)
  const sides = finding ? sidesOfFinding(finding) : levelSides(idsOf(level), [...idsOf(since.runs), run.id])
  if (sides[0]?.length === 0) return null
  return { href: compareHref(run.projectSlug, sides, ''), words: compareLevelsWords(since.name, sides) }
}
