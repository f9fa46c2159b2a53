import { findMetric, type Metric } from '@/lib/run/metrics'
import { judgedStates, type JudgedState } from '@/lib/run/judged-states'

/** What the board shows; all of it is in its address. */
export interface BoardQuery {
  /** Null: the leading metric of this project. */
  readonly metric: Metric | null
  readonly order: 'attention' | 'scenario'
  /** Words that names of series must contain. */
  readonly text: string
  readonly state: JudgedState | null
  /** From 1. */
  readonly page: number
  /** The series whose fan is shown; null: the first that needs attention. */
  readonly seriesId: string | null
}

/** Metrics that a strip may show, if runs have them. */
export const stripMetrics: readonly Metric[] = ['p99', 'p50', 'mean', 'requests-per-second'].flatMap(
  (id) => findMetric(id) ?? [],
)

type Params = Readonly<Record<string, string | string[] | undefined>>

const first = (value: string | string[] | undefined): string => [value ?? ''].flat()[0]?.trim() ?? ''

/** Reads an address; invalid values become the default. */
export function readBoardQuery(params: Params): BoardQuery {
  const page = first(params['page'])
  const state = first(params['state'])
  return {
    metric: stripMetrics.find(({ id }) => id === first(params['metric'])) ?? null,
    order: first(params['order']) === 'scenario' ? 'scenario' : 'attention',
    text: first(params['text']).slice(0, 200),
    state: judgedStates.find((one) => one === state) ?? null,
    page: /^[1-9]\d?$/.test(page) ? Number(page) : 1,
    seriesId: first(params['series']) || null,
  }
}

/**
 * The address of the board with parts of its view changed; leaves out defaults, and the page, as it belongs to one
 * list.
 */
export function boardHref(path: string, query: BoardQuery, change: Partial<BoardQuery> = {}): string {
  const { metric, order, text, state, page, seriesId } = { ...query, page: 1, seriesId: null, ...change }
  const params = new URLSearchParams()
  if (metric !== null) params.set('metric', metric.id)
  if (order === 'scenario') params.set('order', order)
  if (text !== '') params.set('text', text)
  if (state !== null) params.set('state', state)
  if (page > 1) params.set('page', String(page))
  if (seriesId !== null) params.set('series', seriesId)
  const search = params.toString()
  return search === '' ? path : `${path}?${search}`
}
