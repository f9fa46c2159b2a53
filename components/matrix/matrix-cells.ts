import { columnUnit, formatDay, formatPercent, plural, type ColumnUnit } from '@/lib/format'
import { doubtWord, equalBelowRatio } from '@/lib/judge/delta'
import { nameFields, type NameField } from '@/lib/matrix/matrix-field'
import { isFailing, maxLinkedRuns, noName, type Matrix, type MatrixCell, type MatrixRow } from '@/lib/matrix/matrix'
import type { StoredCellNote } from '@/lib/project/stored-cell-notes'
import { compareUrl, maxCompared, writeSides } from '../../lib/judge/compare-url'
import type { CellAddress } from './cell-note-form'

/** Links of a row's figures. */
export interface MatrixLinks {
  /** Column → its run, or its comparison with the base column's run; no entry: it has no run. */
  readonly cells: ReadonlyMap<string, string>
  /** All cells of the row side by side; null when there are fewer than two. */
  readonly row: string | null
}

/** The address of a run, or of sides beside each other. */
export type SidesHref = (sides: readonly (readonly string[])[]) => string

/** Links of a project's cells: its runs and comparisons. */
export const projectHref =
  (projectSlug: string): SidesHref =>
  (sides) =>
    sides.length === 1 ? `/p/${projectSlug}/runs/${sides[0]?.[0] ?? ''}` : compareUrl(projectSlug, sides, null)

/** Links of a shared matrix: the same, within the share. */
export const shareHref =
  (token: string): SidesHref =>
  (sides) =>
    `/s/${token}?cell=${encodeURIComponent(writeSides(sides.length === 1 ? [sides[0]?.[0] ?? ''] : sides))}`

/**
 * The links of a row's cells: each to its experiment beside that of the base column, as the cell itself compares them.
 */
export function linksOf(row: MatrixRow, matrix: Matrix, hrefOf: SidesHref): MatrixLinks {
  const filled = row.cells.filter(({ runIds }) => runIds.length > 0)
  const baseOf = (column: string) => filled.find((cell) => cell.column === column) ?? null
  const urlOf = ({ column, baseColumn, runIds }: MatrixCell) => {
    const base = baseOf(baseColumn)
    return hrefOf(base === null || base.column === column ? [runIds] : [base.runIds, runIds])
  }
  const base = baseOf(matrix.baselineColumn)
  const ordered = [...(base ? [base] : []), ...filled.filter((cell) => cell !== base)].slice(0, maxCompared)
  // A comparison of many sides has room for only a few repeats of each.
  const most = Math.max(1, Math.floor(maxLinkedRuns / Math.max(1, ordered.length)))
  return {
    cells: new Map(filled.map((cell) => [cell.column, urlOf(cell)])),
    // Different operations are not compared.
    row:
      ordered.length < 2 || matrix.baseColumns.length > 1
        ? null
        : hrefOf(ordered.map(({ runIds }) => runIds.slice(0, most))),
  }
}

/** `median of 3 runs, 2026-11-20; 57 older since 2026-09-21`; null: one run, and nothing is older. */
export function cellFoot({ runIds, isMixed, at, older }: MatrixCell): string | null {
  const count = runIds.length
  if (count === 0 || (count === 1 && older === null)) return null
  const of = count > 1 ? `median of ${plural(count, 'run')}${isMixed ? ', under different loads' : ''}` : 'newest run'
  if (older === null) return of
  return `${of}, ${formatDay(at ?? '')}; ${older.count} older since ${formatDay(older.since)}`
}

/** How to read the cells, and how far to trust them. `isDoubtAbove`: see `showRows`. */
export function footOf(matrix: Matrix, isDoubtAbove = false): string {
  const counts = matrix.rows.flatMap((row) => row.cells.map((cell) => cell.runIds.length)).filter((count) => count > 0)
  const words = new Set(matrix.rows.flatMap((row) => row.cells.flatMap((cell) => cell.figures.map(({ word }) => word))))
  const signs = [
    ...(matrix.columns.length < 2 ? [] : ['Ringed: best of its row.']),
    'Curve: latency by percentile, p50 to p99, one scale a row, base in grey behind.',
    ...(matrix.rows.some(({ cells }) => cells.some(isFailing))
      ? ['A cell in which more than 1\u00a0% failed leads with its failures.']
      : []),
    ...([...words].some((word) => word?.startsWith('n = ')) ? [`n = 1: one run each, which decides nothing.`] : []),
    ...(words.has(doubtWord)
      ? [
          `${isDoubtAbove ? 'A grey change without a word may be noise' : doubtWord}: two runs of one thing may differ as much.`,
        ]
      : []),
    ...(words.has('equal') ? [`equal: such figures within ${formatPercent(equalBelowRatio)}.`] : []),
    ...(words.has('undecided') ? ['undecided: neither a difference nor that there is none is shown.'] : []),
  ]
  const of = matrix.rows.some((row) => row.cells.some(({ older }) => older !== null))
    ? ['Each cell shows its newest experiment.']
    : []
  const median = counts.some((count) => count > 1)
    ? ['Cells with several runs show the median, beside a base the base × the change.']
    : []
  return [...signs, ...of, ...median].join(' ')
}

/** One unit per metric of a row, so that its cells can be compared. */
export function unitsOf(row: MatrixRow): ReadonlyMap<string, ColumnUnit> {
  const ids = new Set(row.cells.flatMap((cell) => cell.figures.map((figure) => figure.metric)))
  return new Map(
    [...ids].map((metric) => {
      const values = row.cells.map((cell) => cell.figures.find((one) => one.metric === metric)?.value ?? null)
      return [metric.id, columnUnit(metric.unit, values)]
    }),
  )
}

/**
 * The cell that a note about an empty cell is stored under: the shown note's own, else this cell's. Null: the axes do
 * not give a scenario and another name, so a note has no place here.
 */
export function addressOf(
  cell: MatrixCell,
  row: MatrixRow,
  matrix: Matrix,
  cellNotes: readonly StoredCellNote[],
): CellAddress | null {
  const given = (field: NameField): string | null => {
    if (field === matrix.rowsBy) return row.name === noName ? null : row.name
    if (field === matrix.columnsBy) return cell.column === noName ? null : cell.column
    return row.others.find((other) => other.field === field)?.value ?? null
  }
  const named = nameFields.filter((field) => field === matrix.rowsBy || field === matrix.columnsBy)
  const scenario = given('scenario')
  if (named.length < 2 || scenario === null) return null
  const shown = cellNotes.find(
    (note) => note.text === cell.note && named.every((field) => note[field] === given(field)),
  )
  return shown
    ? { scenario: shown.scenario, variant: shown.variant, environment: shown.environment }
    : { scenario, variant: given('variant'), environment: given('environment') }
}
