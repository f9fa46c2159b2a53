import type { ReactNode } from 'react'
import { labelLayout } from '@/lib/matrix/label-layout'
import { fieldsOf, labelKey } from '@/lib/matrix/matrix-field'
import { chooseAxis, sweepAxes } from '@/lib/matrix/sweep'
import { axisName } from '@/lib/matrix/sweep-axis'
import type { RunFacets } from '@/lib/history/run-list'
import type { StoredCellNote } from '@/lib/project/stored-cell-notes'
import { commonLimits, type RuleLimit } from '@/lib/rules/limits'
import { Link } from '../ui/links/link'
import { MatrixBar, RunsBar, SweepBar, type ChosenRuns, type OtherRuns } from './matrix-bar'
import { footOf, projectHref, type SidesHref } from './matrix-cells'
import { MatrixTable } from './matrix-table'
import { searchOf } from './matrix-url'
import { MatrixVerdict } from './matrix-verdict'
import type { PreparedMatrix } from './prepare-matrix'
import { SweepView } from './sweep-view'
import styles from './matrix-view.module.css'

interface PartsProps {
  /** Null: no server has these runs; nothing can be edited. */
  readonly projectSlug: string | null
  /** The page that shows this: its address without the query. */
  readonly path: string
  /** Links of cells. */
  readonly hrefOf: SidesHref
  readonly prepared: PreparedMatrix
  /** What other runs could be shown; null: none. */
  readonly others: OtherRuns | null
  readonly cellNotes: readonly StoredCellNote[]
  /** That rules of the project set; absent: none is known. */
  readonly limits?: readonly RuleLimit[]
}

interface Props extends Omit<PartsProps, 'projectSlug' | 'hrefOf' | 'others'> {
  readonly projectSlug: string
  readonly facets: RunFacets
  /** Which runs these are and when they were run. */
  readonly chosen: ChosenRuns
  /** Above it: tabs; name, notes and take-aways of a saved matrix. */
  readonly children?: ReactNode
}

/**
 * Many runs at once: scenarios by variants or other names, with the best of each row; or a figure over a varied number.
 */
export function MatrixView({ facets, chosen, children, ...parts }: Props) {
  const { projectSlug } = parts
  return (
    <div className="page">
      {children}
      {parts.prepared.runs.length === 0 ? (
        <NoRuns {...parts} />
      ) : (
        <MatrixParts {...parts} hrefOf={projectHref(projectSlug)} others={{ facets, chosen }} />
      )}
    </div>
  )
}

/** The matrix or the sweep of known runs, with the choices of its layout. */
export function MatrixParts(props: PartsProps) {
  const Shown = props.prepared.query.view === 'sweep' ? Swept : LaidOut
  return <Shown {...props} />
}

function NoRuns({ projectSlug, path, prepared: { query } }: Pick<Props, 'projectSlug' | 'path' | 'prepared'>) {
  return (
    <>
      <h1 className="page-title">Matrix</h1>
      {query.filterParts.length > 0 && (
        <p>
          <Link href={`${path}?${searchOf({ ...query, filterParts: [] }, { of: 'all' })}`}>
            Show all runs of the project
          </Link>
        </p>
      )}
      <p className="notice">
        No matching runs. <Link href={`/p/${projectSlug}/upload`}>Upload load test output</Link>: a document with
        several results fills a matrix in one go.
      </p>
    </>
  )
}

const barOf = ({ path, others, prepared: { runs, metrics, query } }: PartsProps) => {
  return { path, query, metrics, runs, others }
}

function Swept(props: PartsProps) {
  const { runs, metrics, query } = props.prepared
  const axes = sweepAxes(runs)
  const axis = chooseAxis(axes, query.axis)
  return (
    <>
      {axis === null ? <RunsBar {...barOf(props)} /> : <SweepBar {...barOf(props)} axes={axes} axis={axis} />}
      <SweepView
        projectSlug={props.projectSlug}
        {...{ runs, metrics, query }}
        limits={commonLimits(props.limits ?? [], runs)}
        {...(props.projectSlug === null ? {} : { path: props.path })}
        isHeaded
      />
    </>
  )
}

function LaidOut(props: PartsProps) {
  const { projectSlug, path, hrefOf, prepared, cellNotes } = props
  const { runs, matrix } = prepared
  const part = Math.min(prepared.query.part, Math.ceil(matrix.rows.length / rowsAtOnce) || 1)
  return (
    <>
      <MatrixBar {...barOf(props)} matrix={matrix} fields={fieldsOf(runs)} />
      <MatrixVerdict path={path} prepared={prepared} />
      <Offers path={path} prepared={prepared} />
      <MatrixTable
        projectSlug={projectSlug}
        hrefOf={hrefOf}
        prepared={prepared}
        cellNotes={cellNotes}
        rows={[(part - 1) * rowsAtOnce, part * rowsAtOnce]}
      />
      <RowParts path={path} prepared={prepared} part={part} />
      <details className={`muted text-12 above-8 ${styles.foot}`}>
        <summary>How to read</summary>
        <p className="flush above-4">{footOf(matrix, prepared.caution !== null)}</p>
      </details>
    </>
  )
}

/** Rows per page of a long table; its sentences and its files are of all. */
const rowsAtOnce = 30

/** Which rows these are, and links to the others; nothing if there are none. */
function RowParts({ path, prepared, part }: Pick<PartsProps, 'path' | 'prepared'> & { readonly part: number }) {
  const { matrix, query } = prepared
  const count = matrix.rows.length
  if (count <= rowsAtOnce) return null
  const [first, last] = [(part - 1) * rowsAtOnce + 1, Math.min(count, part * rowsAtOnce)]
  const to = (other: number) => `${path}?${searchOf(query, { part: String(other) })}`
  return (
    <nav className={`row wrap gap-8 above-12 ${styles.rows}`} aria-label="Rows">
      <span className="muted">
        Rows {first} to {last} of {count}; sentences and files are of all.
      </span>
      {part > 1 && (
        <Link className="button" href={to(part - 1)}>
          Previous {rowsAtOnce}
        </Link>
      )}
      {last < count && (
        <Link className="button" href={to(part + 1)}>
          Next {Math.min(rowsAtOnce, count - last)}
        </Link>
      )}
    </nav>
  )
}

/** Other views that these runs allow: a sweep, and rows and columns by their labels. */
function Offers({ path, prepared: { runs, query } }: Pick<PartsProps, 'path' | 'prepared'>) {
  const axis = chooseAxis(sweepAxes(runs), query.axis)
  const layout = query.rowsBy === null && query.columnsBy === null ? labelLayout(runs) : null
  if (axis === null && layout === null) return null
  return (
    <p className={`flex wrap above-4 ${styles.offers}`}>
      {axis !== null && <Link href={`${path}?${searchOf(query, { view: 'sweep' })}`}>Sweep over {axisName(axis)}</Link>}
      {layout !== null && (
        <Link href={`${path}?${searchOf(query, { rows: layout.rowsBy, columns: layout.columnsBy, base: null })}`}>
          Lay out by {labelKey(layout.rowsBy)} and {labelKey(layout.columnsBy)}
        </Link>
      )}
    </p>
  )
}
