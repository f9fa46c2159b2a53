import { buildMatrix, type Matrix } from '@/lib/judge/matrix'
import type { Metric } from '@/lib/run/metrics'
import { plural } from '@/lib/format'
import type { RunRow } from '@/lib/run/stored'
import type { SharedCellNote } from '@/lib/project/stored-shares'
import { chosenMetrics, matrixQueryOf, type MatrixQuery } from '../matrix/matrix-url'

/** A matrix as the shared page and every file made of it show it: decided once, so that they cannot differ. */
export interface PreparedMatrix {
  readonly runs: readonly RunRow[]
  readonly matrix: Matrix
  readonly metrics: readonly Metric[]
  readonly query: MatrixQuery
  /** `7 runs: 4 scenarios × 2 variants`. */
  readonly sentence: string
}

/** Prepares runs in the view of an address's query (`rows=scenario&base=…`). */
export function prepareSharedMatrix(
  runs: readonly RunRow[],
  view: string,
  cellNotes: readonly SharedCellNote[],
): PreparedMatrix {
  const query = matrixQueryOf(view)
  const metrics = chosenMetrics(query.metricIds, runs)
  const { rowsBy, columnsBy, baseColumn } = query
  const matrix = buildMatrix(runs, { metrics, cellNotes, rowsBy, columnsBy, baselineColumn: baseColumn })
  const [rows, columns] = [
    [new Set(matrix.rows.map((row) => row.name)).size, matrix.rowsBy] as const,
    [matrix.columns.length, matrix.columnsBy] as const,
  ].map(([count, field]) => plural(count, field.replace(/^label:/, '')))
  return { runs, matrix, metrics, query, sentence: `${plural(runs.length, 'run')}: ${rows ?? ''} × ${columns ?? ''}` }
}
