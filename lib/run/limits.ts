import { columnUnit, formatNumber, formatPoints, formatSet } from '../format'
import { findMetric, isLatency, type Metric } from './metrics'
import { isAtTimeout, tools, type Tool } from './tools'

/** A limit of a metric, which values miss on one side. */
export interface MetricLimit {
  readonly metricId: string
  readonly side: 'above' | 'below'
  /** In the metric's unit; shares 0 to 1. */
  readonly limit: number
}

/** How far a value is beyond a limit, in the metric's unit and above 0; null: it meets it. */
export function missedBy({ side, limit }: Pick<MetricLimit, 'side' | 'limit'>, value: number): number | null {
  const by = side === 'above' ? value - limit : limit - value
  return by > 0 ? by : null
}

/** `p99 ≤ 80 ms`. */
export function limitName({ metricId, side, limit }: MetricLimit): string {
  const metric = findMetric(metricId)
  return `${metric?.shortLabel ?? metricId} ${side === 'above' ? '≤' : '≥'} ${formatSet(limit, metric?.unit ?? 'count')}`
}

/** `missed by 13.1 ms`, `met`; as precise as the value is printed, if that shows a difference. */
export function missedWords({ unit }: Pick<Metric, 'unit'>, limit: Pick<MetricLimit, 'side' | 'limit'>, value: number) {
  const by = missedBy(limit, value)
  if (by === null) return 'met'
  if (unit === 'ratio') return `missed by ${formatPoints(by)}`
  const { factor } = columnUnit(unit, [value])
  const [, decimals = ''] = formatNumber(value * factor).split('.')
  const rounded = Number((by * factor).toFixed(decimals.length)) || Number((by * factor).toPrecision(1))
  return `missed by ${formatSet(rounded / factor, unit)}`
}

/** A value that charts draw as a rule with a name. */
export interface NamedLimit {
  readonly name: string
  readonly value: number
  /** Null: it is of all latencies. */
  readonly metricId: string | null
}

/** A latency and the tool that measured it. */
interface Measured {
  readonly tool: Tool
  readonly ms: number | null
}

/** What values are held against, as one list: these limits, and the timeouts that cut any of these latencies. */
export function namedLimits(limits: readonly MetricLimit[], latencies: Iterable<Measured> = []): readonly NamedLimit[] {
  const timeoutsMs = new Set<number>()
  for (const { tool, ms } of latencies) {
    const { timeoutMs } = tools[tool]
    if (ms !== null && timeoutMs !== null && isAtTimeout(tool, ms)) timeoutsMs.add(timeoutMs)
  }
  return [
    ...limits.map((one) => ({ name: `limit ${limitName(one)}`, value: one.limit, metricId: one.metricId })),
    ...[...timeoutsMs].map((ms) => ({ name: `timeout ${formatSet(ms, 'ms')}`, value: ms, metricId: null })),
  ]
}

/** The objective that a reader entered for the percentiles of a comparison; none: null. */
export const objective = (ms: number | null): readonly NamedLimit[] =>
  ms === null ? [] : [{ name: `SLO ${formatSet(ms, 'ms')}`, value: ms, metricId: null }]

/** Those that values of one metric are held against. */
export const limitsOfMetric = (limits: readonly NamedLimit[], metric: Metric): readonly NamedLimit[] =>
  limits.filter(({ metricId }) => (metricId === null ? isLatency(metric) : metricId === metric.id))
