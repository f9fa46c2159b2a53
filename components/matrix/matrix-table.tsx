import { fieldHead } from '@/lib/matrix/matrix-field'
import { instancesByColumn } from '@/lib/matrix/attributes'
import { columnSentence } from '@/lib/matrix/matrix-words'
import type { StoredCellNote } from '@/lib/project/stored-cell-notes'
import { SeriesSample } from '../charts/plot/legend'
import { seriesStyle } from '../charts/plot/scale'
import type { SidesHref } from './matrix-cells'
import { MatrixRows } from './matrix-rows'
import styles from './matrix-table.module.css'
import type { PreparedMatrix } from './prepare-matrix'
import { showRows } from './shown-rows'

interface Props {
  /** Null: read-only. */
  readonly projectSlug: string | null
  /** Links of cells; null: none. */
  readonly hrefOf: SidesHref | null
  readonly prepared: PreparedMatrix
  readonly cellNotes: readonly StoredCellNote[]
  /** The rows that are shown; absent: all. */
  readonly rows?: readonly [from: number, to: number]
}

/** More columns than these scroll, in a box of their own; fewer share the width, unless a word of a name is as long. */
const maxFitting = 4
const longWord = 24

/**
 * One field down, another across (scenarios and variants by default); each cell links to its comparison with the base
 * column.
 */
export function MatrixTable({ projectSlug, hrefOf, prepared, cellNotes, rows }: Props) {
  const { matrix, runs, attributes } = prepared
  const words = [...matrix.columns, ...matrix.rows.map(({ name }) => name)].flatMap((name) => name.split(/[\s-]/))
  const isScrolled = matrix.columns.length > maxFitting || words.some(({ length }) => length > longWord)
  const isDoubtAbove = prepared.caution !== null
  const shown = showRows({ projectSlug, hrefOf, matrix, attributes, cellNotes, runs, isDoubtAbove })
  return (
    <div
      className={`relative ${styles.scroll}`}
      {...(isScrolled ? { tabIndex: 0, role: 'region', 'aria-label': 'Matrix' } : {})}
    >
      <table className={`plain-table ${styles.matrix}`} aria-label="Matrix">
        <Head prepared={prepared} />
        <tbody>
          <MatrixRows
            projectSlug={projectSlug}
            matrix={rows === undefined ? shown : { ...shown, rows: shown.rows.slice(...rows) }}
          />
          <Attributes prepared={prepared} />
        </tbody>
      </table>
    </div>
  )
}

/** The columns, and what the figures of each say in one sentence. */
function Head({ prepared: { matrix, attributes } }: Pick<Props, 'prepared'>) {
  const instancesOf = instancesByColumn(attributes, matrix)
  return (
    <thead>
      <tr>
        <th scope="col">{fieldHead(matrix.rowsBy)}</th>
        {matrix.columns.map((column, at) => {
          const sentence = columnSentence(matrix, column, instancesOf)
          return (
            <th key={column} scope="col">
              <span className={`flex baseline gap-8 ${styles.head}`}>
                <SeriesSample style={seriesStyle(at)} />
                {column} {matrix.baseColumns.includes(column) && <span className="tag text-12">base</span>}
              </span>
              {sentence !== null && <span className={`block muted regular ${styles.says}`}>{sentence}.</span>}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

/** How the runs were made: what differs between the columns, then what is equal in all cells. */
function Attributes({ prepared: { matrix, attributes } }: Pick<Props, 'prepared'>) {
  return (
    <>
      {attributes.differing.map(({ name, columns }) => (
        <tr key={name} className={styles.plain}>
          <th scope="row">{name}</th>
          {columns.map((own, at) => (
            <td key={at} data-label={matrix.columns[at]}>
              {own === null ? (
                <span className="muted">–</span>
              ) : (
                <>
                  <b>{own.text}</b>
                  {own.factor !== null && <span className="unusual"> {own.factor}</span>}
                  {own.except !== '' && <span className="muted"> ({own.except})</span>}
                </>
              )}
            </td>
          ))}
        </tr>
      ))}
      {attributes.equal.length > 0 && (
        <tr className={styles.plain}>
          <th scope="row">Equal in all cells</th>
          <td colSpan={matrix.columns.length}>{attributes.equal.join(', ')}</td>
        </tr>
      )}
    </>
  )
}
