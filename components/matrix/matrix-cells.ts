import { columnUnit, type ColumnUnit } from '@/lib/format'
import { nameFields, type NameField } from '@/lib/judge/matrix-field'
import { noName, type Matrix, type MatrixCell, type MatrixRow } from '@/lib/judge/matrix'
import type { StoredCellNote } from '@/lib/run/stored'
import { compareUrl, maxCompared } from '../../lib/judge/compare-url'
import type { CellAddress } from './cell-note'

/** What its row's figures lead to. */
export interface MatrixLinks {
  /** Column → its run, or its comparison with the base column's run; no entry: nothing was run there. */
  readonly cells: ReadonlyMap<string, string>
  /** All cells of the row side by side; null when there are fewer than two. */
  readonly row: string | null
}

/** Where the cells of a row lead: each to its newest run beside the newest of the base column. */
export function linksOf(row: MatrixRow, matrix: Matrix, projectSlug: string): MatrixLinks {
  const newest = row.cells.flatMap(({ column, baseColumn, runIds: [id] }) => (id ? [{ column, baseColumn, id }] : []))
  const baseOf = (column: string) => newest.find((cell) => cell.column === column) ?? null
  const urlOf = ({ id, baseColumn }: (typeof newest)[number]) => {
    const base = baseOf(baseColumn)
    return base === null || base.id === id
      ? `/p/${projectSlug}/runs/${id}`
      : compareUrl(projectSlug, [base.id, id], null)
  }
  const base = baseOf(matrix.baselineColumn)
  const ordered = [...(base ? [base] : []), ...newest.filter((cell) => cell !== base)].map((cell) => cell.id)
  return {
    cells: new Map(newest.map((cell) => [cell.column, urlOf(cell)])),
    // Different operations are not put side by side.
    row:
      ordered.length < 2 || matrix.baseColumns.length > 1
        ? null
        : compareUrl(projectSlug, ordered.slice(0, maxCompared), null),
  }
}

/** One unit for each metric of a row, so that its cells can be read against each other. */
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
 * Which cell a note about an empty cell is stored under: the shown note's own, else the cell's. Null: the axes do not name
 * a scenario and another name, so no note has a place here.
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
