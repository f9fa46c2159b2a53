import { buildMatrix, markedColumn, type Matrix, type MatrixRun } from '@/lib/matrix/matrix'
import { instancesByColumn, matrixAttributes, type MatrixAttributes } from '@/lib/matrix/attributes'
import { matrixCaution, matrixSentence } from '@/lib/matrix/matrix-words'
import { documentScenarios } from '@/lib/board/document-scenarios'
import { documentHeadline } from '@/lib/headline/document-headline'
import type { FieldedRun } from '@/lib/matrix/matrix-field'
import type { NoiseOf } from '@/lib/judge/sides'
import type { Metric } from '@/lib/run/metrics'
import { plural } from '@/lib/format'
import type { RunRow } from '@/lib/history/stored-runs'
import type { SharedCellNote } from '@/lib/project/stored-shares'
import { costAttributes } from './matrix-cost'
import { chosenMetrics, isWithin, type MatrixQuery } from './matrix-url'

/** A matrix as its page, its share and all of its files show it: prepared once, so that they cannot differ. */
export interface PreparedMatrix {
  readonly runs: readonly RunRow[]
  readonly matrix: Matrix
  readonly metrics: readonly Metric[]
  readonly query: MatrixQuery
  /** Notes on the cells that the query leaves. */
  readonly cellNotes: readonly SharedCellNote[]
  /** `7 runs: 4 scenarios × 2 variants`. */
  readonly sentence: string
  /** What fails, then which column leads. Without a full stop. */
  readonly verdict: string
  /** How far that can be trusted; null: nothing to add. Without a full stop. */
  readonly caution: string | null
  /** How its runs were made: what differs apart from the measured names. */
  readonly attributes: MatrixAttributes
}

/** Other data on the runs of a matrix. */
interface KnownOfRuns {
  /** Runs whose column leads if the query names none. */
  readonly baselines?: readonly FieldedRun[]
  /** Absent: nothing is known of single runs. */
  readonly noiseOf?: NoiseOf<MatrixRun>
  /** How requests failed, by run: for runs in which no request succeeded. */
  readonly failures?: ReadonlyMap<string, readonly string[]>
}

/** Prepares runs in the layout of an address's query. */
export function prepareMatrix(
  runs: readonly RunRow[],
  query: MatrixQuery,
  notes: readonly SharedCellNote[],
  { baselines = [], noiseOf = () => null, failures = new Map() }: KnownOfRuns = {},
): PreparedMatrix {
  const metrics = chosenMetrics(query.metricIds, runs, query.view)
  const axes = { rowsBy: query.rowsBy, columnsBy: query.columnsBy }
  const cellNotes = notes.filter((note) => isWithin(note, query))
  const baselineColumn = query.baseColumn ?? markedColumn(runs, baselines, axes)
  const matrix = buildMatrix(runs, { metrics, cellNotes, ...axes, baselineColumn, noiseOf })
  const [rows, columns] = [
    [new Set(matrix.rows.map((row) => row.name)).size, matrix.rowsBy] as const,
    [matrix.columns.length, matrix.columnsBy] as const,
  ].map(([count, field]) => plural(count, field.replace(/^label:/, '')))
  const sentence = `${plural(runs.length, 'run')}: ${rows ?? ''} × ${columns ?? ''}`
  const found = matrixAttributes(matrix, runs)
  const attributes = { ...found, differing: [...found.differing, ...costAttributes(matrix, runs)] }
  const verdict = isDocument(matrix)
    ? documentHeadline(
        documentScenarios(runs, (id) => failures.get(id) ?? []),
        query.metricIds === null ? undefined : metrics,
      )
    : matrixSentence(matrix, instancesByColumn(attributes, matrix))
  const caution = matrixCaution(matrix)
  return { runs, matrix, metrics, query, cellNotes, sentence, verdict, caution, attributes }
}

/** Whether it lays out single runs without any known history by their names: the board shows the same of them. */
function isDocument({ rowsBy, columnsBy, rows }: Matrix): boolean {
  const cells = rows.flatMap((row) => row.cells)
  const deltas = cells.flatMap(({ figures }) => figures.flatMap(({ delta }) => delta ?? []))
  return (
    rowsBy === 'scenario' &&
    (columnsBy === 'variant' || columnsBy === 'environment') &&
    cells.every(({ runIds }) => runIds.length <= 1) &&
    deltas.every(({ method, reason }) => method === 'none' || reason !== null)
  )
}
