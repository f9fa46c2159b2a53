import { alertingMetrics } from './alerts'
import { alertSettings } from './change-points'
import { findMetric, type Metric } from './metrics'
import { checkNewest, type NewestCheck } from './newest-check'
import { lineName, type SeriesLine } from './series'
import { judgedValues, matters, trendPoints } from './trend'

/** One metric of one line, judged for a build. Values in the metric's unit. */
export interface GateRow {
  readonly line: SeriesLine
  readonly metric: Metric
  readonly verdict: 'worse' | 'better' | 'same' | 'not-judged'
  readonly check: NewestCheck
  /** Runs of the newest experiment (commit, else upload) that the value is the median of. */
  readonly runs: number
}

/** What a build is told. waiting: `missing` more runs of its commit were asked for; pending: it is being judged. */
export interface GateVerdict {
  readonly result: 'passed' | 'failed' | 'not-judged' | 'waiting' | 'pending'
  readonly missing: number
  readonly rows: readonly GateRow[]
}

interface GateInput {
  /** The lines that got runs, with those runs. */
  readonly lines: readonly { readonly line: SeriesLine; readonly runIds: ReadonlySet<string> }[]
  /** Runs of one commit that are wanted before judging. */
  readonly wait: number
  /** Series and metric pairs of alerts that these runs raised. */
  readonly raised: ReadonlySet<string>
}

/** Names a pair of series and metric in `raised`. */
export const raisedKey = (seriesId: string, profile: string, metricId: string): string =>
  `${seriesId}|${profile}|${metricId}`

/**
 * Judges the newest runs of lines for a build: each alerting metric against the current level and noise of its line. A
 * build fails when a metric is beyond what its noise predicts and over its floor, or when its runs raised an alert. With
 * fewer than 5 runs before, nothing is judged. Runs that are not the newest of their line are not judged either.
 */
export function judgeForBuild({ lines, wait, raised }: GateInput): GateVerdict {
  const rows = lines.flatMap(({ line, runIds }) =>
    alertingMetrics.flatMap(({ metricId, leastEffect }): readonly GateRow[] => {
      const metric = findMetric(metricId)
      const row = metric && judgeMetric(line, metric, runIds, leastEffect)
      if (!row) return []
      return [raised.has(raisedKey(line.series.id, line.profile, metricId)) ? { ...row, verdict: 'worse' } : row]
    }),
  )
  const missing = Math.max(0, ...lines.map(({ line, runIds }) => wait - newestRunsOf(line, runIds)))
  if (missing > 0) return { result: 'waiting', missing, rows }
  if (rows.some((row) => row.verdict === 'worse')) return { result: 'failed', missing: 0, rows }
  return { result: rows.some((row) => row.verdict !== 'not-judged') ? 'passed' : 'not-judged', missing: 0, rows }
}

function newestRunsOf(line: SeriesLine, runIds: ReadonlySet<string>): number {
  const [metric] = alertingMetrics
  const found = metric && findMetric(metric.metricId)
  const newest = found ? trendPoints(line, found).at(-1) : undefined
  return newest?.runIds.some((id) => runIds.has(id)) ? newest.runIds.length : 0
}

function judgeMetric(
  line: SeriesLine,
  metric: Metric,
  runIds: ReadonlySet<string>,
  leastEffect: number,
): GateRow | null {
  const points = trendPoints(line, metric).filter((point) => point.value !== null)
  const newest = points.at(-1)
  if (newest === undefined || !newest.runIds.some((id) => runIds.has(id))) return null
  const raw = points.map((point) => point.value ?? 0)
  const check = checkNewest(judgedValues(line, metric, raw), { settings: { ...alertSettings, leastEffect } })
  const shown = metric.unit === 'ratio' ? { ...check, ...sharesOf(raw) } : check
  const isLarge = metric.unit !== 'ratio' || (shown.level !== null && matters(metric, shown.level, shown.value))
  return { line, metric, verdict: verdictOf(metric, check, isLarge), check: shown, runs: newest.runIds.length }
}

/** Shares are judged by transformed values, but shown as they are: the median before, and the newest. */
function sharesOf(raw: readonly number[]): Pick<NewestCheck, 'level' | 'value' | 'expectedLow' | 'expectedHigh'> {
  const before = raw.slice(0, -1).sort((a, b) => a - b)
  const level = before[Math.floor((before.length - 1) / 2)] ?? null
  return { level, value: raw.at(-1) ?? 0, expectedLow: null, expectedHigh: null }
}

function verdictOf(metric: Metric, check: NewestCheck, isLarge: boolean): GateRow['verdict'] {
  if (check.kind !== 'judged') return 'not-judged'
  if (check.shifted === null || !isLarge) return 'same'
  const worse = metric.direction === 'higher-is-better' && metric.unit !== 'ratio' ? 'down' : 'up'
  return check.shifted === worse ? 'worse' : 'better'
}

/** The name of a row's line with its scenario. */
export function gateLineName(row: GateRow): string {
  const name = lineName(row.line, false)
  const { scenario } = row.line.series
  return name === scenario ? scenario : `${scenario} · ${name}`
}
