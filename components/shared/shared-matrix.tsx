import { footOf, shareHref } from '../matrix/matrix-cells'
import { MatrixTable } from '../matrix/matrix-table'
import { SweepView } from '../matrix/sweep-view'
import type { PreparedMatrix } from '../matrix/prepare-matrix'
import { ShareNotes } from './share-notes'
import styles from './shared-comparison.module.css'

/**
 * A matrix, or a sweep of its runs, for strangers: the figures as they were shared. Cells link to their runs within the
 * share.
 */
export function SharedMatrix({
  token,
  prepared,
  notes,
  tables,
}: {
  readonly token: string
  readonly prepared: PreparedMatrix
  /** Markdown; empty: none. */
  readonly notes: string
  /** The charts of a sweep that are shown as tables, by their ids. */
  readonly tables: readonly string[]
}) {
  const { runs, matrix, metrics, query } = prepared
  return (
    <div className={`grid gap-16 one-column ${styles.parts}`}>
      {query.view === 'sweep' ? (
        <SweepView projectSlug={null} runs={runs} metrics={metrics} query={{ ...query, tables }} />
      ) : (
        <div>
          <MatrixTable projectSlug={null} hrefOf={shareHref(token)} prepared={prepared} cellNotes={[]} />
          <p className="muted">{footOf(matrix)}</p>
        </div>
      )}
      <ShareNotes notes={notes} />
    </div>
  )
}
