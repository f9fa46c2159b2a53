import { Link } from '../ui/link'
import type { ReactNode } from 'react'
import { plural } from '@/lib/format'
import { noiseOfSeries, type SeriesNoise } from '@/lib/judge/history-noise'
import { fieldsOf, type FieldedRun } from '@/lib/matrix/matrix-field'
import type { RunFacets, RunPage, SavedComparison, StoredCellNote } from '@/lib/run/stored'
import { ViewLinks } from '../ui/view-links'
import { ShareButton } from '../share/share-button'
import { RunFilters } from '../runs/run-filters'
import { MatrixForm } from './layout-form'
import { footOf } from './matrix-cells'
import { MatrixTable } from './matrix-table'
import { frozenSearch, layoutNames, maxExportedRuns, narrowedWords, searchOf, type MatrixQuery } from './matrix-url'
import { prepareMatrix } from './prepare-matrix'
import { SweepView } from './sweep-view'
import styles from './matrix-view.module.css'

interface Props {
  readonly projectSlug: string
  /** The page that shows this: its address without the query. */
  readonly path: string
  readonly facets: RunFacets
  readonly page: RunPage
  readonly query: MatrixQuery
  readonly cellNotes: readonly StoredCellNote[]
  /** Name of the upload whose runs these are; null: not narrowed to one. */
  readonly uploadName: string | null
  /** Runs marked as baseline: their column leads when the address names none. */
  readonly baselines?: readonly FieldedRun[]
  /** Of the series of these runs: what is known of the noise of single runs. */
  readonly noises?: readonly SeriesNoise[]
  readonly actions?: ReactNode
  /** Said above the figures: name, notes and take-aways of a saved matrix. */
  readonly children?: ReactNode
  /** What was saved under a name: shares take its words along. */
  readonly saved?: SavedComparison
}

const carriedByFilters = ['upload', 'runs', ...layoutNames]

/** Many runs at once: what was tested against what, with the best of each row. */
export function MatrixView({
  projectSlug,
  path,
  facets,
  page,
  query,
  cellNotes,
  uploadName,
  baselines = [],
  noises = [],
  actions,
  children,
  saved,
}: Props) {
  const { rows } = page
  const { metrics, matrix } = prepareMatrix(rows, query, cellNotes, baselines, noiseOfSeries(noises))
  const of = [...(uploadName === null ? [] : [uploadName]), ...narrowedWords(query)]
  return (
    <div className="page">
      {children}
      <div className={styles.top}>
        <h1 className="page-title">{saved?.name ?? 'Matrix'}</h1>
        <span className={styles.actions}>
          {rows.length > 0 && (
            <ShareButton
              projectSlug={projectSlug}
              kind="matrix"
              sides={[rows.map((run) => run.id)]}
              name={saved?.name ?? uploadName ?? 'Matrix'}
              notes={[saved?.takeaways, saved?.notes].filter(Boolean).join('\n\n')}
              view={frozenSearch(query, matrix.baselineColumn)}
            />
          )}
          {actions}
        </span>
      </div>
      <p className={`muted ${styles.about}`}>
        {plural(rows.length, 'run')}
        {of.length > 0 && `: ${of.join(', ')}`}
        {page.nextCursor !== null && ', the newest'}.{' '}
        {query.filterParts.length > 0 && <Link href={`/p/${projectSlug}/matrix`}>Show all runs of the project</Link>}
      </p>
      {(rows.length > 0 || query.filterParts.length > 0) && (
        <RunFilters path={path} query={searchOf(query)} facets={facets} carried={carriedByFilters} />
      )}
      {rows.length === 0 ? (
        <p className="notice">
          No matching runs. <Link href={`/p/${projectSlug}/upload`}>Upload load test output</Link>: a document with
          several results fills a matrix in one go.
        </p>
      ) : (
        <>
          <ViewLinks
            label="View"
            choices={(['table', 'sweep'] as const).map((view) => ({
              name: view === 'table' ? 'Table' : 'Sweep',
              href: `${path}?${searchOf(query, { view })}`,
              isChosen: view === query.view,
            }))}
          />
          {query.view === 'sweep' ? (
            <SweepView projectSlug={projectSlug} runs={rows} metrics={metrics} query={query} />
          ) : (
            <>
              <MatrixForm matrix={matrix} fields={fieldsOf(rows)} metrics={metrics} query={query} />
              <MatrixTable projectSlug={projectSlug} matrix={matrix} cellNotes={cellNotes} runs={rows} />
              <p className={`muted ${styles.foot}`}>{footOf(matrix)}</p>
              <p className="muted">
                <a
                  href={`/api/v1/projects/${projectSlug}/matrix/matrix.md?${searchOf(query)}`}
                  download=""
                  data-command="Export: Markdown page"
                >
                  Markdown page
                </a>{' '}
                of {rows.length > maxExportedRuns ? `the newest ${maxExportedRuns} of these runs` : 'these runs'}, with
                their output
              </p>
            </>
          )}
        </>
      )}
    </div>
  )
}
