import { formatSet, formatTick } from '../format'
import type { MetricLimit } from '../run/limits'

/** What an objective can be about, with the quantile that its error is that of; a mean moves as its 63rd percentile. */
export const latencyQuantiles = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, 'p99.9': 0.999, mean: 0.632 } as const

export type LatencyMetric = keyof typeof latencyQuantiles

/** The id of each in a project's metrics. */
export const latencyIds: Readonly<Record<LatencyMetric, string>> = {
  ...{ p50: 'p50', p90: 'p90', p95: 'p95', p99: 'p99', 'p99.9': 'p999', mean: 'mean' },
}

/** What is asked of a system: `value` in milliseconds, for success a ratio. */
export type Objective =
  | { readonly metric: LatencyMetric; readonly relation: '<' | '<='; readonly value: number }
  | { readonly metric: 'success'; readonly relation: '>' | '>='; readonly value: number }

/** A run held against an objective. `by`: how far beyond (positive) or within, in the objective's unit; null: not known. */
export interface HeldRun {
  readonly metric: Objective['metric']
  readonly met: boolean | null
  readonly by: number | null
}

const msOf = { s: 1_000, ms: 1, us: 0.001, µs: 0.001, μs: 0.001 } as const
const isLatency = (name: string): name is LatencyMetric => Object.hasOwn(latencyQuantiles, name)
const isUnit = (name: string): name is keyof typeof msOf => Object.hasOwn(msOf, name)

/** `p99<100ms`, `mean ≤ 1.5 s`, `success>99.9%`, `success >= 0.999`; null: none of these. */
export function parseObjective(text: string): Objective | null {
  const plain = text
    .replaceAll(/[\s\u00a0\u202f]/g, '')
    .replace('≤', '<=')
    .replace('≥', '>=')
  const [, metric = '', relation, digits, unit = ''] =
    /^([a-z][a-z\d.]*)(<=?|>=?)(\d+(?:\.\d+)?)([a-zµμ%]*)$/i.exec(plain) ?? []
  const number = Number(digits)
  const name = metric.toLowerCase()
  if (isLatency(name)) {
    if ((relation !== '<' && relation !== '<=') || !isUnit(unit)) return null
    const value = number * msOf[unit]
    return value > 0 ? { metric: name, relation, value } : null
  }
  if (name !== 'success' || (relation !== '>' && relation !== '>=')) return null
  if (unit !== '%' && unit !== '') return null
  const value = unit === '%' ? Number((number / 100).toPrecision(12)) : number
  return value > 0 && value < 1 ? { metric: name, relation, value } : null
}

/** The objective that a limit of a project sets; null: it is of no metric that a capacity is held against. */
export function objectiveOf({ metricId, side, limit }: MetricLimit): Objective | null {
  const latency = Object.keys(latencyIds).find((name) => isLatency(name) && latencyIds[name] === metricId) ?? ''
  if (isLatency(latency)) return side === 'above' ? { metric: latency, relation: '<=', value: limit } : null
  const share =
    metricId === 'success-ratio' && side === 'below'
      ? limit
      : metricId === 'error-ratio' && side === 'above'
        ? 1 - limit
        : null
  const value = share === null ? null : Number(share.toPrecision(12))
  return value !== null && value > 0 && value < 1 ? { metric: 'success', relation: '>=', value } : null
}

/** Whether a run meets an objective by the value that it shows; `<` and `≤` differ only at equality. Null: no value. */
export function holdAgainst(objective: Objective, value: number | null): HeldRun {
  const { metric, relation, value: limit } = objective
  if (value === null) return { metric, met: null, by: null }
  const beyond = metric === 'success' ? limit - value : value - limit
  const met = relation === '<' || relation === '>' ? beyond < 0 : beyond <= 0
  return { metric, met, by: Number(beyond.toFixed(9)) }
}

/** `p99 ≤ 100 ms`, `success ≥ 99.9 %`. */
export function objectiveWords({ metric, relation, value }: Objective): string {
  const sign = relation.replace('<=', '≤').replace('>=', '≥')
  const limit = metric === 'success' ? `${formatTick(value * 100)}\u00a0%` : formatSet(value, 'ms')
  return `${metric} ${sign} ${limit}`
}
