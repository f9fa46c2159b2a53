import { parseObjective } from '@/lib/capacity/objective'
import { findMetric, metrics, metricsOf, type Metric, type RunFigures } from '@/lib/run/metrics'
import { readField, type MatrixField } from '@/lib/matrix/matrix-field'
import { readSweepField, type SweepField } from '@/lib/matrix/sweep-axis'
import type { ScaleKind } from '../charts/plot/scale'
import { readTables } from '../charts/plot/address'
import type { SweepScales } from '../charts/sweep'
import { isTool } from '@/lib/run/tools'
import { readPair } from '@/lib/text'
import type { RunFilter } from '@/lib/history/run-list'
import type { StoredCellNote } from '@/lib/project/stored-cell-notes'

type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>

/** Most runs of a matrix as a Markdown page: with more output, the page is too long to read. */
export const maxExportedRuns = 60

/** The query of a matrix's address. */
export interface MatrixQuery {
  readonly filter: RunFilter
  /** Ids as given, known or not; null: the default ones. */
  readonly metricIds: readonly string[] | null
  /** Null: the first column. */
  readonly baseColumn: string | null
  /** Null: chosen by the runs. */
  readonly rowsBy: MatrixField | null
  readonly columnsBy: MatrixField | null
  /** All runs that the filters leave, even without a filter: otherwise the newest commit or document. */
  readonly isOfAll: boolean
  /** table: rows and columns; sweep: metrics over a number that was varied. */
  readonly view: 'table' | 'sweep'
  /** Null: the most telling one. */
  readonly axis: SweepField | null
  readonly scales: SweepScales
  /** What a sweep's capacity is held against, as written: `p99<100ms`; empty: the limits of the project. */
  readonly objectives: readonly string[]
  /** What was written as an objective and is none. */
  readonly refusedObjectives: readonly string[]
  /** The charts of a sweep that are shown as tables, by their ids. */
  readonly tables: readonly string[]
  /** The filters on its runs, as in the address. */
  readonly filterParts: readonly QueryPart[]
  /** Which part of a long table is shown, from 1: links to other layouts leave it out. */
  readonly part: number
  /** The parts of the layout. */
  readonly layout: readonly QueryPart[]
}

type QueryPart = readonly [name: string, value: string]

/** Names of the parts that are not filters, in the order of addresses. */
export const layoutNames = ['of', 'view', 'rows', 'columns', 'base', 'axis', 'x', 'y', 'slo', 'metric'] as const

const words = (value: SearchParams[string]): readonly string[] =>
  [value ?? []]
    .flat()
    .flatMap((part) => part.split(','))
    .filter((part) => part !== '')

/** Most runs of one matrix, the newest. */
export const maxMatrixRuns = 200
/** Most objectives of a sweep. */
export const maxObjectives = 4
/** Longer values are ignored. */
const maxCharacters = 200

/**
 * Reads `?upload=…&runs=a,b&metric=p99,mean&base=…&rows=scenario&columns=label:payload` and the filters of the list of
 * runs: `tool`, `scenario`, `variant`, `environment`, `label=key=value`, `text`. Ignores what it does not know.
 */
export function readMatrixQuery(params: SearchParams): MatrixQuery {
  const one = (key: string) => clean([params[key] ?? []].flat()[0] ?? '')
  const uploadId = one('upload')
  const runIds = words(params.runs).slice(0, maxMatrixRuns)
  const named = one('tool')
  const tool = named !== null && isTool(named) ? named : null
  const names = (['scenario', 'variant', 'environment', 'text'] as const).flatMap((key): [string, string][] => {
    const value = one(key)
    return value === null ? [] : [[key, value]]
  })
  const labels = [params.label ?? []].flat().flatMap((text) => {
    const pair = readPair(clean(text) ?? '')
    return pair === null ? [] : [pair]
  })
  const metricIds = words(params.metric).slice(0, metrics.length)
  const written = words(params.slo)
  const isObjective = (text: string) => text.length <= maxCharacters && parseObjective(text) !== null
  const objectives = written.filter(isObjective).slice(0, maxObjectives)
  return {
    filter: {
      ...(uploadId === null ? {} : { uploadId }),
      ...(runIds.length === 0 ? {} : { runIds }),
      // A pull request's run is no measurement of its variant, unless it was selected.
      ...(uploadId === null && runIds.length === 0 ? { withoutCandidates: true } : {}),
      ...(tool === null ? {} : { tool }),
      ...Object.fromEntries(names),
      ...(labels.length === 0 ? {} : { labels: Object.fromEntries(labels) }),
    },
    metricIds: metricIds.length === 0 ? null : metricIds,
    baseColumn: one('base'),
    rowsBy: readField(one('rows') ?? ''),
    columnsBy: readField(one('columns') ?? ''),
    isOfAll: one('of') === 'all',
    view: one('view') === 'sweep' ? 'sweep' : 'table',
    axis: readSweepField(one('axis') ?? ''),
    scales: { x: scaleOf(one('x')), y: scaleOf(one('y')) },
    objectives,
    refusedObjectives: written.filter((text) => !objectives.includes(text)),
    tables: readTables(params.table),
    part: /^[1-9]\d{0,2}$/.test(one('part') ?? '') ? Number(one('part')) : 1,
    filterParts: [
      ...(uploadId === null ? [] : [['upload', uploadId] as const]),
      ...(runIds.length === 0 ? [] : [['runs', runIds.join(',')] as const]),
      ...(tool === null ? [] : [['tool', tool] as const]),
      ...names,
      ...labels.map(([key, value]) => ['label', `${key}=${value}`] as const),
    ],
    layout: layoutNames.flatMap((name): QueryPart[] => {
      const value = name === 'metric' ? metricIds.join(',') : name === 'slo' ? objectives.join(',') : one(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  }
}

/** The matrix query of a query string, with or without `?`. */
export function matrixQueryOf(search: string): MatrixQuery {
  const params = new URLSearchParams(search)
  return readMatrixQuery(Object.fromEntries([...new Set(params.keys())].map((key) => [key, params.getAll(key)])))
}

/** The query string of all this, without `?`; `changes` replace parts of the layout (null: none). */
export function searchOf(query: MatrixQuery, changes: Readonly<Record<string, string | null>> = {}): string {
  const layout = new Map<string, string | null>([...query.layout, ...Object.entries(changes)])
  const parts = [...layout].flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]]))
  return new URLSearchParams([
    ...query.filterParts.map(([name, value]): [string, string] => [name, value]),
    ...parts,
  ]).toString()
}

/** The query string of a matrix whose runs are known: its layout with this base, and the names that filtered it. */
export function frozenSearch(query: MatrixQuery, baseColumn: string): string {
  const names = query.filterParts.filter(([name]) => name === 'variant' || name === 'environment')
  const table = query.tables.length === 0 ? null : query.tables.join('.')
  return searchOf({ ...query, filterParts: names }, { base: baseColumn, table })
}

const scaleOf = (text: string | null): ScaleKind | null => (text === 'linear' || text === 'log' ? text : null)

/** A value that a query can be made with; null when there is none. */
function clean(value: string): string | null {
  const text = value.trim()
  return text === '' || text.length > maxCharacters || text.includes('\0') ? null : text
}

/** The filters in words, without the upload, which has a name of its own. */
export function narrowedWords(query: MatrixQuery): readonly string[] {
  return query.filterParts.flatMap(([name, value]) => {
    if (name === 'upload') return []
    if (name === 'runs') return ['the chosen ones']
    return [name === 'label' || name === 'tool' || name === 'scenario' ? value : `${name} ${value}`]
  })
}

/**
 * The chosen metrics; if none is known, the two most telling that some run has: in a sweep, what was served in place of
 * an offered rate that is the same throughout.
 */
export function chosenMetrics(
  ids: readonly string[] | null,
  runs: readonly { readonly figures: RunFigures }[],
  view: MatrixQuery['view'] = 'table',
): readonly Metric[] {
  const chosen = [...new Set(ids ?? [])].flatMap((id) => findMetric(id) ?? [])
  if (chosen.length > 0) return chosen
  const served = view === 'sweep' && isOneRate(runs) ? findMetric('throughput') : null
  return metricsOf('matrix')
    .filter((metric) => runs.some((run) => metric.read(run.figures) !== null))
    .slice(0, 2)
    .map((metric) => (metric.id === 'requests-per-second' ? (served ?? metric) : metric))
}

/** Rates within this share are one. */
const oneRate = 0.01

/** Whether all runs were offered one rate, and what they served is known. */
function isOneRate(runs: readonly { readonly figures: RunFigures }[]): boolean {
  const rates = runs.flatMap(({ figures }) => figures.requestsPerSecond ?? [])
  const isKnown = runs.every(({ figures }) => figures.throughputPerSecond !== null)
  return isKnown && rates.length > 0 && Math.max(...rates) <= Math.min(...rates) * (1 + oneRate)
}

/** Whether a note is on a cell that the filters leave: one for another variant would bring its column back. */
export function isWithin(note: Pick<StoredCellNote, 'variant' | 'environment'>, { filter }: MatrixQuery): boolean {
  return (['variant', 'environment'] as const).every((field) => {
    const wanted = filter[field]
    return wanted === undefined || note[field] === null || note[field] === wanted
  })
}
