import Link from 'next/link'
import { isSpeakable, missingReason } from '@/lib/comparison'
import { formatFactor, formatInColumn, type ColumnUnit } from '@/lib/format'
import type { CellFigure, Matrix, MatrixCell, MatrixRow } from '@/lib/matrix'
import { fieldHead } from '@/lib/matrix-field'
import type { RunRow, StoredCellNote } from '@/lib/stored'
import { Missing } from '../compare/missing'
import { CellNote } from './cell-note'
import { addressOf, linksOf, unitsOf } from './prepare-matrix'
import styles from './matrix-table.module.css'

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
          {matrix.rows.map((row) => (
            <Row
              key={JSON.stringify([row.name, row.others])}
              row={row}
              projectSlug={projectSlug}
              matrix={matrix}
              cellNotes={cellNotes}
              runs={runs}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ row, projectSlug, matrix, cellNotes, runs }: Props & { readonly row: MatrixRow }) {
  const links = projectSlug === null ? null : linksOf(row, matrix, projectSlug)
  const units = unitsOf(row)
  const others = row.others.map(({ field, value }) => value ?? `no ${field}`)
  return (
    <tr>
      <th scope="row" className={styles.scenario}>
        {row.name}
        {others.length > 0 && <span className={styles.other}>{others.join(' · ')}</span>}
        {links !== null && links.row !== null && (
          <Link href={links.row} className={styles.compare} prefetch={false}>
            Compare this row
          </Link>
        )}
      </th>
      {row.cells.map((cell) => {
        const href = links?.cells.get(cell.column)
        const run = runs.find((one) => one.id === cell.runIds[0])
        const figures = <Figures cell={cell} units={units} run={run} />
        return (
          <td key={cell.column} className={styles.cell}>
            {run === undefined && projectSlug !== null ? (
              <CellNote projectSlug={projectSlug} cell={addressOf(cell, row, matrix, cellNotes)} note={cell.note} />
            ) : run === undefined ? (
              <span className="muted">{cell.note ?? 'no run'}</span>
            ) : href === undefined ? (
              <span className={styles.figures}>{figures}</span>
            ) : (
              <Link href={href} className={styles.figures} prefetch={false}>
                {figures}
              </Link>
            )}
          </td>
        )
      })}
    </tr>
  )
}

interface FiguresProps {
  readonly cell: MatrixCell
  readonly units: ReadonlyMap<string, ColumnUnit>
  /** The newest of the cell. */
  readonly run: RunRow | undefined
}

function Figures({ cell, units, run }: FiguresProps) {
  return (
    <>
      {cell.figures.map((figure, at) => (
        <Figure key={figure.metric.id} figure={figure} unit={units.get(figure.metric.id)} leads={at === 0} run={run} />
      ))}
      {cell.runIds.length > 1 && (
        <span className={styles.count}>
          median of {cell.runIds.length} runs{cell.isMixed && ', under different loads'}
        </span>
      )}
    </>
  )
}

interface FigureProps {
  readonly figure: CellFigure
  readonly unit: ColumnUnit | undefined
  readonly leads: boolean
  /** The newest of the cell. */
  readonly run: RunRow | undefined
}

function Figure({ figure, unit = { label: '', factor: 1 }, leads, run }: FigureProps) {
  const { metric, value, count, factor, verdict, best } = figure
  const speakable = value === null || factor === null || isSpeakable(metric, value / factor, value)
  const judged = speakable && (verdict === 'better' || verdict === 'worse') ? verdict : null
  const label = value === null || unit.label === '' ? '' : unit.label === '/s' ? '/s' : `\u00a0${unit.label}`
  return (
    <span className={leads ? styles.lead : styles.figure}>
      <span className={styles.label}>{metric.shortLabel}</span>
      <span className={styles.values}>
        <span className={best ? styles.best : styles.value} title={`${metric.explain} Runs with it: ${count}`}>
          {value === null && run ? (
            <Missing reason={missingReason(metric, run)} />
          ) : (
            formatInColumn(value, metric.unit, unit)
          )}
          {label}
          {best && <span className="visually-hidden"> best</span>}
        </span>
        {factor !== null && (
          <span className={`${styles.ratio} ${judged ?? 'muted'}`}>
            {formatFactor(factor)} {judged ?? (speakable ? '' : '~ same')}
          </span>
        )}
      </span>
    </span>
  )
}
