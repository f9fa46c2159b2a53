import { findMetric } from '@/lib/run/metrics'
import type { ScaleKind } from '../charts/plot/scale'
import { readScale, readTables } from '../charts/plot/address'

type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>

/** A reader's choices on a comparison; they are in its address, and in a saved comparison. */
export interface CompareView {
  /** Null: the default ones. */
  readonly metricIds: readonly string[] | null
  /** Limit that latencies should keep, drawn in the plots; null: none. */
  readonly sloMs: number | null
  /** How latencies are drawn; null: the histogram if there is one. */
  readonly shape: 'histogram' | 'ecdf' | null
  /** Axis of that drawing; null: chosen by the data. */
  readonly axis: 'linear' | 'log' | null
  /** Latency axis of the percentile plot; null: chosen by the data. */
  readonly y: ScaleKind | null
  /** `steady`: judged by the part after each run's warm-up; null: by whole runs. */
  readonly window: 'steady' | null
  /** The charts that are shown as tables, by their ids. */
  readonly tables: readonly string[]
  /** Cost inputs by name, as typed. */
  readonly cost: Readonly<Record<string, string>>
  /** The query string of the view, without `?`, always in the same order. */
  readonly query: string
}

const costPrefix = 'cost.'
const longestValue = 40
const maxCostInputs = 60

/**
 * Reads `?m=p99,mean&slo=250&shape=ecdf&axis=log&y=log&window=steady&table=shift&cost.rate=100`; ignores what it does
 * not know.
 */
export function readCompareView(params: SearchParams): CompareView {
  const metricIds = readMetricIds(params.m)
  const slo = Number([params.slo ?? []].flat()[0] ?? '')
  const sloMs = slo > 0 && slo <= 1e8 ? slo : null
  const [shape] = [params.shape ?? []].flat()
  const [axis] = [params.axis ?? []].flat()
  const cost = Object.fromEntries(
    Object.entries(params)
      .flatMap(([key, value]): [string, string][] => {
        const [text] = [value ?? []].flat()
        const fits = /^cost\.[a-z0-9.-]{1,30}$/i.test(key) && text && text.length <= longestValue
        return fits ? [[key.slice(costPrefix.length), text]] : []
      })
      .slice(0, maxCostInputs),
  )
  const chosen = {
    shape: shape === 'histogram' || shape === 'ecdf' ? shape : null,
    axis: axis === 'linear' || axis === 'log' ? axis : null,
    y: readScale(params.y),
    window: [params.window ?? []].flat()[0] === 'steady' ? ('steady' as const) : null,
    tables: readTables(params.table),
  } as const
  return withQuery({ metricIds, sloMs, cost, ...chosen })
}

/** A view with some parts changed. */
export function changedView(view: CompareView, change: Partial<Omit<CompareView, 'query'>>): CompareView {
  return withQuery({ ...view, ...change })
}

function withQuery(view: Omit<CompareView, 'query'>): CompareView {
  const { metricIds, sloMs, shape, axis, y, window, tables, cost } = view
  const query = [
    ...(metricIds === null ? [] : [`m=${metricIds.join(',')}`]),
    ...(sloMs === null ? [] : [`slo=${sloMs}`]),
    ...(shape === null ? [] : [`shape=${shape}`]),
    ...(axis === null ? [] : [`axis=${axis}`]),
    ...(y === null ? [] : [`y=${y}`]),
    ...(window === null ? [] : [`window=${window}`]),
    ...(tables.length === 0 ? [] : [`table=${tables.join('.')}`]),
    ...Object.keys(cost)
      .sort()
      .map((key) => `${costPrefix}${key}=${encodeURIComponent(cost[key] ?? '')}`),
  ].join('&')
  return { ...view, query }
}

/** A stored query string in the form that a page gets that of its address. */
export function paramsOf(query: string): Readonly<Record<string, string[]>> {
  const params = new URLSearchParams(query)
  return Object.fromEntries([...new Set(params.keys())].map((key) => [key, params.getAll(key)]))
}

/** The view of a stored query string. */
export const viewOf = (query: string): CompareView => readCompareView(paramsOf(query))

/** The known metric ids of `?m=p99,mean` or `?m=p99&m=mean`; null when there are none. */
export function readMetricIds(value: string | readonly string[] | undefined): readonly string[] | null {
  const ids = [value ?? []].flat().flatMap((part) => part.split(','))
  const known = [...new Set(ids)].filter((id) => findMetric(id) !== null)
  return known.length === 0 ? null : known
}

/** A saved view, with the address's choice of how charts are shown: as tables, on which scale. */
export function savedCompareView(view: string, given: SearchParams): CompareView {
  const saved = viewOf(view)
  const tables = given.table === undefined ? saved.tables : readTables(given.table)
  return changedView(saved, { tables, y: readScale(given.y) ?? saved.y })
}
