import { isSpeakable, verdictOf, type Verdict } from './comparison'
import type { Metric } from './metrics'
import type { CellNote } from './run'
import type { RunRow } from './stored'

/** What a matrix reads of a run. */
export type MatrixRun = Pick<
  RunRow,
  'id' | 'scenario' | 'variant' | 'environment' | 'figures' | 'uploadedAt' | 'indexInUpload'
>

/** One metric of one cell: the median over the cell's runs, with its ratio to the baseline column's cell of the row. */
export interface CellFigure {
  readonly metric: Metric
  readonly value: number | null
  /** Runs that have the metric. */
  readonly count: number
  /** value / baseline; null in the baseline column, when either is missing and when the baseline is 0. */
  readonly factor: number | null
  readonly verdict: Verdict | null
  /** Whether it beats every other cell of the row by more than noise (never set for neutral metrics or lone cells). */
  readonly best: boolean
}

export interface MatrixCell {
  readonly column: string
  /** Newest first. Empty: nothing was run here, or not imported. */
  readonly runIds: readonly string[]
  readonly figures: readonly CellFigure[]
  /** Why it is empty, in a user's or author's words; null otherwise. */
  readonly note: string | null
}

export interface MatrixRow {
  readonly scenario: string
  /** Set when columns are variants and the scenario was run in several environments. */
  readonly environment: string | null
  /** Set when columns are environments and the scenario was run in several variants. */
  readonly variant: string | null
  readonly cells: readonly MatrixCell[]
}

export interface Matrix {
  readonly columnsBy: ColumnField
  /** In order of first appearance (first upload first, then as in its document). `(none)` stands for runs without the field. */
  readonly columns: readonly string[]
  readonly baselineColumn: string
  readonly rows: readonly MatrixRow[]
}

export type ColumnField = 'variant' | 'environment'
export const noName = '(none)'

interface MatrixOptions {
  readonly metrics: readonly Metric[]
  /** Null: variants, or environments when no run has a variant. */
  readonly columnsBy?: ColumnField | null
  /** Null or unknown: the first column. */
  readonly baselineColumn?: string | null
  readonly cellNotes: readonly Pick<CellNote, 'scenario' | 'variant' | 'environment' | 'text'>[]
}

/** Lays runs out as scenarios × variants (or environments). Medians only: percentiles of several runs are never merged. */
export function buildMatrix(runs: readonly MatrixRun[], options: MatrixOptions): Matrix {
  const columnsBy = options.columnsBy ?? (runs.some((run) => run.variant !== null) ? 'variant' : 'environment')
  const otherField = columnsBy === 'variant' ? 'environment' : 'variant'
  const columnOf = (run: { variant: string | null; environment: string | null }) => run[columnsBy] ?? noName
  // The order of the document is the author's: it tells a story that times do not.
  const ordered = [...runs].sort(
    (a, b) => a.uploadedAt.localeCompare(b.uploadedAt) || a.indexInUpload - b.indexInUpload,
  )
  const scenarios = new Set(ordered.map((run) => run.scenario))
  const notes = options.cellNotes.filter((note) => scenarios.has(note.scenario) && note.text !== '')
  const columns = [...new Set([...ordered.map(columnOf), ...notes.map(columnOf)])]
  const baselineColumn = columns.find((column) => column === options.baselineColumn) ?? columns[0] ?? noName

  const rows = [...scenarios].flatMap((scenario) => {
    const ofScenario = ordered.filter((run) => run.scenario === scenario)
    // Runs that differ in the other field are not repeats of each other: they get rows of their own.
    const others = [...new Set(ofScenario.map((run) => run[otherField]))]
    return others.map((other) => {
      const ofRow = ofScenario.filter((run) => run[otherField] === other)
      const cells = columns.map((column) => {
        const inCell = ofRow.filter((run) => columnOf(run) === column).reverse()
        const isOfCell = (one: (typeof notes)[number]) =>
          one.scenario === scenario && columnOf(one) === column && [null, other].includes(one[otherField])
        const note = inCell.length === 0 ? notes.find(isOfCell) : undefined
        return { column, runIds: inCell.map((run) => run.id), runs: inCell, note: note?.text ?? null }
      })
      const shown = others.length > 1 ? other : null
      return {
        scenario,
        environment: columnsBy === 'variant' ? shown : null,
        variant: columnsBy === 'environment' ? shown : null,
        cells: judgeRow(cells, options.metrics, baselineColumn),
      }
    })
  })
  return { columnsBy, columns, baselineColumn, rows }
}

type RawCell = Omit<MatrixCell, 'figures'> & { readonly runs: readonly MatrixRun[] }

function judgeRow(
  cells: readonly RawCell[],
  metrics: readonly Metric[],
  baselineColumn: string,
): readonly MatrixCell[] {
  const base = cells.find((cell) => cell.column === baselineColumn)
  return cells.map(({ runs, ...cell }) => ({
    ...cell,
    figures: metrics.map((metric) => {
      const { value, count } = medianOf(runs, metric)
      const baseValue = base ? medianOf(base.runs, metric).value : null
      const comparable = cell.column !== baselineColumn && value !== null && baseValue !== null
      const others = cells
        .filter((other) => other.column !== cell.column)
        .map((other) => medianOf(other.runs, metric).value)
      return {
        metric,
        value,
        count,
        factor: comparable && baseValue !== 0 ? value / baseValue : null,
        verdict: comparable ? verdictOf(metric, baseValue, value) : null,
        best: value !== null && isBest(metric, value, others),
      }
    }),
  }))
}

function isBest(metric: Metric, value: number, others: readonly (number | null)[]): boolean {
  const known = others.filter((other): other is number => other !== null)
  return (
    metric.direction !== 'neutral' &&
    known.length > 0 &&
    known.every((other) => verdictOf(metric, other, value) === 'better' && isSpeakable(metric, other, value))
  )
}

function medianOf(
  runs: readonly MatrixRun[],
  metric: Metric,
): { readonly value: number | null; readonly count: number } {
  const values = runs.map((run) => metric.read(run.figures)).filter((value): value is number => value !== null)
  values.sort((a, b) => a - b)
  const middle = values.length >> 1
  const upper = values[middle] ?? null
  const lower = values[middle - 1] ?? null
  const value = values.length % 2 === 1 || lower === null || upper === null ? upper : (lower + upper) / 2
  return { value, count: values.length }
}

/**
 * Pairs of names that differ in exactly one token (`get_json_data` and `get_protobuf_data`): candidates for a comparison.
 * Names that differ in two tokens (get/send and json/protobuf) are never paired.
 */
export function pairNames(names: readonly string[]): readonly (readonly [string, string])[] {
  const tokens = names.map((name) => name.toLowerCase().split(/[^a-z0-9]+/))
  const pairs: (readonly [string, string])[] = []
  const verbs = new Set([
    'get',
    'send',
    'put',
    'post',
    'delete',
    'read',
    'write',
    'receive',
    'create',
    'update',
    'list',
  ])
  names.forEach((name, at) => {
    names.slice(at + 1).forEach((other, offset) => {
      const left = tokens[at] ?? []
      const right = tokens[at + 1 + offset] ?? []
      if (left.length !== right.length) return
      const different = left.flatMap((token, index) =>
        token === right[index] ? [] : [[token, right[index] ?? ''] as const],
      )
      const [only] = different
      // Another verb is another operation, not another way of doing it.
      if (different.length === 1 && only && !verbs.has(only[0]) && !verbs.has(only[1])) pairs.push([name, other])
    })
  })
  return pairs
}
