import { formatChange, formatDate, formatMetric, formatPercent, plural } from '@/lib/format'
import type { Metric } from '@/lib/metrics'
import { linesOf, sortLines } from '@/lib/series'
import type { SeriesHistory } from '@/lib/stored'
import { driftWords, levelsWords } from '@/lib/rule-words'
import { findTrendDrift } from '@/lib/trend-drift'
import { noiseWord, trendOf, type Trend, type TrendChange } from '@/lib/trend'

/** All lines of a scenario, judged by one metric. */
export interface ScenarioTrends {
  readonly scenario: string
  /** The series whose page shows all of them: that of the newest run. */
  readonly seriesId: string
  readonly trends: readonly Trend[]
  readonly latest: { readonly trend: Trend; readonly change: TrendChange } | null
}

/** Most lines a small chart can tell apart. */
const mostLines = 7

/** One entry a scenario, what changed most first; scenarios in which nobody has the metric come last. */
export function prepareScenarioTrends(histories: readonly SeriesHistory[], metric: Metric): readonly ScenarioTrends[] {
  const byScenario = new Map<string, SeriesHistory[]>()
  for (const history of histories) {
    byScenario.set(history.scenario, [...(byScenario.get(history.scenario) ?? []), history])
  }
  return [...byScenario]
    .map(([scenario, own]): ScenarioTrends => {
      const lines = sortLines(own.flatMap(linesOf).slice(0, mostLines))
      const trends = lines.map((line) => trendOf(line, metric)).filter((trend) => hasFigure(trend))
      return { scenario, seriesId: own[0]?.id ?? '', trends, latest: largestOf(trends) }
    })
    .sort((a, b) => weightOf(b) - weightOf(a))
}

const hasFigure = (trend: Trend): boolean => trend.points.some((point) => point.value !== null)

/** The last change of the line that moved most. */
function largestOf(trends: readonly Trend[]): ScenarioTrends['latest'] {
  const last = trends.flatMap((trend) => trend.changes.slice(-1).map((change) => ({ trend, change })))
  return last.sort((a, b) => sizeOf(b.change) - sizeOf(a.change))[0] ?? null
}

const sizeOf = ({ change }: TrendChange): number => Math.abs(Math.log1p(change.effectRatio))

function weightOf({ latest, trends }: ScenarioTrends): number {
  if (latest !== null) return 1 + sizeOf(latest.change)
  return trends.length > 0 ? 0.5 : 0
}

/** What a line did, in a sentence or two without its name: its last change, and whether it crept since. */
export function trendSentence(trend: Trend): string {
  const drift = findTrendDrift(trend)
  if (drift === null) return changeSentence(trend)
  const crept = `${driftWords(drift)}: ${levelsWords(drift)}.`
  const steps = trend.changes.filter((one) => one.at <= drift.from)
  return steps.length === 0 ? crept : `${changeSentence({ ...trend, changes: steps })} Since then ${crept}`
}

function changeSentence(trend: Trend): string {
  const { changes, metric, points, level, noiseRatio } = trend
  const known = points.filter((point) => point.value !== null).length
  const last = changes.at(-1)
  if (last !== undefined) {
    const since = formatDate(points[last.at]?.orderedAt ?? '')
    const move = `from ${formatMetric(last.before, metric.unit)} to ${formatMetric(last.after, metric.unit)}`
    const size =
      last.before > 0 && metric.unit !== 'ratio' ? `${formatChange(last.after / last.before - 1)}, ${move}` : move
    return `${last.verdict === 'changed' ? 'Changed' : last.verdict === 'worse' ? 'Worse' : 'Better'} since ${since}: ${size}.`
  }
  if (level === null || noiseRatio === null)
    return `${plural(known, 'run')}: too few to tell a change from noise; 5 are needed.`
  return `No change in ${plural(known, 'run')}.`
}

/** How noisy a line is, and what it can show; null where too little is known. */
export function noiseSentence(trend: Trend): string | null {
  const { noiseRatio, visibleRatio } = trend
  if (noiseRatio === null || visibleRatio === null) return null
  const advice = visibleRatio > 0.2 ? ' Add repeats or use a quieter machine.' : ''
  return `One run differs from the next by ±${formatPercent(Number(noiseRatio.toPrecision(2)))} (${noiseWord(noiseRatio)}); a change of ${formatPercent(Number(visibleRatio.toPrecision(2)))} would show within 5 runs.${advice}`
}
