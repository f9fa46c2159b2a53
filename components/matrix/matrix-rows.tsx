'use client'

import { Link } from '../ui/link'
import { Missing } from '../compare/missing'
import { CellNote } from './cell-note'
import styles from './matrix-table.module.css'
import type { ShownCell, ShownFigure, ShownMatrix, ShownRow } from './shown-rows'

interface Props {
  /** Null: nothing is edited. */
  readonly projectSlug: string | null
  readonly matrix: ShownMatrix
}

/** The rows of a matrix. Drawn in the browser again: a page carries their words, not their elements twice. */
export function MatrixRows({ projectSlug, matrix }: Props) {
  return matrix.rows.map((row, at) => <Row key={at} row={row} metrics={matrix.metrics} projectSlug={projectSlug} />)
}

type RowProps = Pick<Props, 'projectSlug'> & Pick<ShownMatrix, 'metrics'> & { readonly row: ShownRow }

function Row({ row, metrics, projectSlug }: RowProps) {
  return (
    <tr>
      <th scope="row" className={styles.scenario}>
        {row.name}
        {row.others !== '' && <span className={styles.other}>{row.others}</span>}
        {row.href !== null && (
          <Link href={row.href} className={styles.compare}>
            Compare this row
          </Link>
        )}
      </th>
      {row.cells.map((cell, at) => (
        <td key={at}>
          {cell.figures === undefined ? (
            <EmptyCell cell={cell} projectSlug={projectSlug} />
          ) : cell.href === undefined ? (
            <span className={styles.figures}>
              <Figures figures={cell.figures} failed={cell.failed} foot={cell.foot} metrics={metrics} />
            </span>
          ) : (
            <Link href={cell.href} className={styles.figures}>
              <Figures figures={cell.figures} failed={cell.failed} foot={cell.foot} metrics={metrics} />
            </Link>
          )}
        </td>
      ))}
    </tr>
  )
}

function EmptyCell({ cell, projectSlug }: { cell: ShownCell; projectSlug: string | null }) {
  if (projectSlug === null || cell.address === undefined) return <span className="muted">{cell.note ?? 'no run'}</span>
  const [scenario, variant, environment] = cell.address
  return <CellNote projectSlug={projectSlug} cell={{ scenario, variant, environment }} note={cell.note ?? null} />
}

interface FiguresProps extends Pick<ShownMatrix, 'metrics'> {
  readonly figures: readonly ShownFigure[]
  readonly failed: string | undefined
  readonly foot: string | undefined
}

function Figures({ figures, failed, foot, metrics }: FiguresProps) {
  return (
    <>
      {failed !== undefined && <span className={styles.failed}>{failed}</span>}
      {figures.map((figure, at) => (
        <Figure key={at} figure={figure} metric={metrics[figure.of]} leads={at === 0} />
      ))}
      {foot !== undefined && <span className={styles.count}>{foot}</span>}
    </>
  )
}

interface FigureProps {
  readonly figure: ShownFigure
  readonly metric: ShownMatrix['metrics'][number] | undefined
  readonly leads: boolean
}

function Figure({ figure, metric, leads }: FigureProps) {
  const { text, count, gap, best = false, factor, word, tone = 'muted' } = figure
  return (
    <span className={leads ? styles.lead : styles.figure}>
      <span className={styles.label}>{metric?.label}</span>
      <span className={styles.values}>
        <span className={best ? styles.best : styles.value} title={`${metric?.explain ?? ''} Runs with it: ${count}`}>
          {gap === undefined ? text : <Missing reason={gap} />}
          {best && <span className="visually-hidden"> best</span>}
        </span>
        {word !== undefined && (
          <span className={`${styles.ratio} ${tone}`}>
            {factor} {word}
          </span>
        )}
      </span>
    </span>
  )
}
