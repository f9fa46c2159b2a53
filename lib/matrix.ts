import { baselineOf } from './name-pairs'
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
  /** The column that this cell is compared with: itself, or the base of its own operation (`send_…` has one of its own). */
  readonly baseColumn: string
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
  /** Every column that others are compared with: `baselineColumn`, and one for each other operation (see `baselineOf`). */
  readonly baseColumns: readonly string[]
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
  const columnsBy = options.columnsBy ?? usualColumns(runs)
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
        return {
          column,
          baseColumn: baselineOf(column, columns, baselineColumn),
          runIds: inCell.map((run) => run.id),
          runs: inCell,
          note: note?.text ?? null,
        }
      })
      const shown = others.length > 1 ? other : null
      return {
        scenario,
        environment: columnsBy === 'variant' ? shown : null,
        variant: columnsBy === 'environment' ? shown : null,
        cells: judgeRow(cells, options.metrics),
      }
    })
  })
  const baseColumns = columns.filter((column) => baselineOf(column, columns, baselineColumn) === column)
  return { columnsBy, columns, baselineColumn, baseColumns, rows }
}

/** The column that most of the marked baselines of these scenarios stand in; null: none is marked. */
export function markedColumn(
  runs: readonly Pick<MatrixRun, 'scenario' | 'variant' | 'environment'>[],
  baselines: readonly Pick<MatrixRun, 'scenario' | 'variant' | 'environment'>[],
  columnsBy: ColumnField | null,
): string | null {
  const by = columnsBy ?? usualColumns(runs)
  const scenarios = new Set(runs.map((run) => run.scenario))
  const counts = new Map<string, number>()
  for (const run of baselines.filter(({ scenario }) => scenarios.has(scenario)))
    counts.set(run[by] ?? noName, (counts.get(run[by] ?? noName) ?? 0) + 1)
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? null
}

/** Variants, or environments when no run has a variant. */
function usualColumns(runs: readonly Pick<MatrixRun, 'variant'>[]): ColumnField {
  return runs.some((run) => run.variant !== null) ? 'variant' : 'environment'
}

type RawCell = Omit<MatrixCell, 'figures'> & { readonly runs: readonly MatrixRun[] }

function judgeRow(cells: readonly RawCell[], metrics: readonly Metric[]): readonly MatrixCell[] {
  return cells.map(({ runs, ...cell }) => ({
    ...cell,
    figures: metrics.map((metric) => {
      const { value, count } = medianOf(runs, metric)
      const base = cells.find((one) => one.column === cell.baseColumn)
      const baseValue = base ? medianOf(base.runs, metric).value : null
      const comparable = cell.column !== cell.baseColumn && value !== null && baseValue !== null
      const others = cells
        .filter((other) => other.column !== cell.column && other.baseColumn === cell.baseColumn)
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
