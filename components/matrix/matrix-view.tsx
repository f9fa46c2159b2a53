import Link from 'next/link'
import { plural } from '@/lib/format'
import { buildMatrix } from '@/lib/matrix'
import type { RunPage, StoredCellNote } from '@/lib/stored'
import { MatrixForm } from './matrix-form'
import { MatrixTable } from './matrix-table'
import { chosenMetrics, type MatrixQuery } from './matrix-url'
import styles from './matrix-view.module.css'

interface Props {
  readonly projectSlug: string
  readonly page: RunPage
  readonly query: MatrixQuery
  readonly cellNotes: readonly StoredCellNote[]
  /** Name of the upload whose runs these are; null: not narrowed to one. */
  readonly uploadName: string | null
}

/** Many runs at once: what was tested against what, with the best of each row. */
export function MatrixView({ projectSlug, page, query, cellNotes, uploadName }: Props) {
  const { rows } = page
  const metrics = chosenMetrics(query.metricIds, rows)
  const matrix = buildMatrix(rows, {
    metrics,
    cellNotes,
    columnsBy: query.columnsBy,
    baselineColumn: query.baseColumn,
  })
  const narrowed = Object.keys(query.kept).length > 0
  const { tool, scenario, runIds } = query.filter
  const of = [uploadName, tool, scenario, runIds ? 'chosen runs' : null].filter(
    (part) => part !== null && part !== undefined,
  )
  return (
    <div className="page">
      <h1 className="page-title">Matrix</h1>
      <p className={`muted ${styles.about}`}>
        {plural(rows.length, 'run')}
        {of.length > 0 && ` of ${of.join(', ')}`}
        {page.nextCursor !== null && ', the newest ones'}.{' '}
        {narrowed && <Link href={`/p/${projectSlug}/matrix`}>Show all runs of the project</Link>}
      </p>
      {rows.length === 0 ? (
        <p className="notice">
          No run fits. <Link href={`/p/${projectSlug}/upload`}>Upload load test output</Link>: a document with several
          results fills a matrix at once.
        </p>
      ) : (
        <>
          <MatrixForm matrix={matrix} metrics={metrics} kept={query.kept} />
          <MatrixTable projectSlug={projectSlug} matrix={matrix} cellNotes={cellNotes} runs={rows} />
        </>
      )}
    </div>
  )
}
