import { isStorableTimestamp } from '@/lib/run/timestamp'
import type { ScaleKind } from '@/components/charts/plot/scale'
import { readTables } from '@/components/charts/plot/address'
import type { TrendOrder, TrendSpan } from '@/components/charts/trend'
import { defaultMetric, findMetric, type Metric } from '@/lib/run/metrics'
import type { UtcIso } from '@/lib/run/run'

/** What a trend page shows; all of it is in its address. */
export interface TrendsQuery extends TrendSpan {
  readonly metric: Metric
  readonly order: TrendOrder
  readonly scale: ScaleKind
  /** Number of newest runs shown of each series. */
  readonly last: number
  /** The charts that are shown as tables, by their ids. */
  readonly tables: readonly string[]
  /** Page of the cards of all scenarios, from 1. */
  readonly part: number
}

export const lastChoices = [50, 200, 500, 2_000] as const

type Params = Readonly<Record<string, string | string[] | undefined>>

const first = (value: string | string[] | undefined): string => [value ?? ''].flat()[0] ?? ''

/** Reads an address; invalid values become the default. */
export function readTrendsQuery(params: Params): TrendsQuery {
  const last = Number(first(params.last))
  return {
    metric: findMetric(first(params.metric)) ?? defaultMetric,
    order: first(params.order) === 'runs' ? 'runs' : 'time',
    scale: first(params.scale) === 'log' ? 'log' : 'linear',
    tables: readTables(params.table),
    part: partOf(first(params.part)),
    last: lastChoices.find((choice) => choice === last) ?? 500,
    from: timeOf(first(params.from)),
    to: timeOf(first(params.to)),
  }
}

const maxParts = 10
const partOf = (text: string): number => (/^[1-9]\d?$/.test(text) ? Math.min(maxParts, Number(text)) : 1)

/** A time in the format of runs; null for anything else. */
function timeOf(text: string): UtcIso | null {
  const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : NaN
  return isStorableTimestamp(ms) ? new Date(ms).toISOString() : null
}

/** The query string of a page with parts of its view changed; leaves out defaults. */
export function trendsSearch(query: TrendsQuery, change: Partial<TrendsQuery> = {}): string {
  const { metric, order, scale, last, from, to, tables, part } = { ...query, ...change }
  const params = new URLSearchParams()
  if (metric !== defaultMetric) params.set('metric', metric.id)
  if (order === 'runs') params.set('order', order)
  if (scale === 'log') params.set('scale', scale)
  if (last !== 500) params.set('last', String(last))
  if (tables.length > 0) params.set('table', tables.join('.'))
  if (part > 1) params.set('part', String(part))
  if (from !== null) params.set('from', from)
  if (to !== null) params.set('to', to)
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
