import type { Matrix } from '@/lib/matrix/matrix'
import { fieldHead } from '@/lib/matrix/matrix-field'
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
