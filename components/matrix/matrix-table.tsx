import { formatPercent } from '@/lib/format'
import { sameBelowRatio } from '@/lib/judge/comparison'
import type { Matrix } from '@/lib/judge/matrix'
import { fieldHead } from '@/lib/judge/matrix-field'
import type { RunRow, StoredCellNote } from '@/lib/run/stored'
import { MatrixRows } from './matrix-rows'
import styles from './matrix-table.module.css'
import { showRows } from './shown-rows'

interface Props {
  /** Null: nothing leads elsewhere, and nothing is edited. */
  readonly projectSlug: string | null
  readonly matrix: Matrix
  readonly cellNotes: readonly StoredCellNote[]
  /** The runs of the cells. */
  readonly runs: readonly RunRow[]
}

/** One field down, another across (scenarios and variants unless chosen); each cell leads to its comparison with the base column. */
export function MatrixTable({ projectSlug, matrix, cellNotes, runs }: Props) {
  return (
    <div className={`table-scroll ${styles.scroll}`} tabIndex={0} role="region" aria-label="Matrix">
      <table className={`table ${styles.matrix}`}>
        <thead>
          <tr>
            <th scope="col">{fieldHead(matrix.rowsBy)}</th>
            {matrix.columns.map((column) => (
              <th key={column} scope="col">
                {column} {matrix.baseColumns.includes(column) && <span className="chip">base</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <MatrixRows projectSlug={projectSlug} matrix={showRows({ projectSlug, matrix, cellNotes, runs })} />
        </tbody>
      </table>
    </div>
  )
}

/** How to read the cells, and how far to trust them. */
export function footOf(matrix: Matrix): string {
  const counts = matrix.rows.flatMap((row) => row.cells.map((cell) => cell.runIds.length)).filter((count) => count > 0)
  const signs =
    matrix.columns.length < 2
      ? ''
      : `Ringed: best of its row. ~ same: within ${formatPercent(sameBelowRatio)} of the baseline. `
  if (counts.some((count) => count > 1)) return `${signs}Cells with several runs show the median.`
  return `${signs}One run per cell: small differences may be noise.`
}
