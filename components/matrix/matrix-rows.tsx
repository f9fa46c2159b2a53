'use client'

import { CurveDrawing } from '../charts/plot/rows/curve'
import { Link } from '../ui/links/link'
import { fewRule } from '@/lib/stats/few-samples'
import { Missing } from '../compare/missing'
import { CellNote } from './cell-note'
import styles from './matrix-table.module.css'
import type { ShownCell, ShownFigure, ShownMatrix, ShownRow } from './shown-rows'

interface Props {
  /** Null: read-only. */
  readonly projectSlug: string | null
  readonly matrix: ShownMatrix
}

/** The rows of a matrix, drawn again in the browser: a page carries their words, not their elements twice. */
export function MatrixRows({ projectSlug, matrix }: Props) {
  return matrix.rows.map((row, at) => <Row key={at} row={row} matrix={matrix} projectSlug={projectSlug} />)
}

function Row({ row, matrix, projectSlug }: Props & { readonly row: ShownRow }) {
  return (
    <tr>
      <th scope="row" className={`bold ${styles.row}`}>
        {row.href === null ? (
          row.name
        ) : (
          <Link href={row.href} className={`text ${styles.compare}`} title="Compare this row">
            {row.name}
          </Link>
        )}
        {row.others !== '' && <span className={`muted ${styles.other}`}>{row.others}</span>}
        {row.facts !== '' && <span className={`muted ${styles.other}`}>{row.facts}</span>}
      </th>
      {row.cells.map((cell, at) => (
        <td key={at} data-label={matrix.columns[at]}>
          {cell.figures === undefined ? (
            <EmptyCell cell={cell} projectSlug={projectSlug} />
          ) : cell.href === undefined ? (
            <span className={`row wrap between text ${styles.cell}`}>
              <Figures cell={cell} metrics={matrix.metrics} column={at} />
            </span>
          ) : (
            <Link href={cell.href} className={`row wrap between text ${styles.cell}`}>
              <Figures cell={cell} metrics={matrix.metrics} column={at} />
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
  return (
    <CellNote
      projectSlug={projectSlug}
      cell={{ scenario, variant, environment }}
      note={cell.note ?? null}
      line={cell.line}
    />
  )
}

interface FiguresProps extends Pick<ShownMatrix, 'metrics'> {
  readonly cell: ShownCell
  readonly column: number
}

/** What leads: the figure, or failures if too many requests failed; the rest in one line below. */
function Figures({ cell: { figures = [], facts = [], failing, curve, foot }, metrics, column }: FiguresProps) {
  const [lead, ...more] = figures
  const small = failing === undefined ? more : figures
  // The served share of the offered rate, and the median, come before the tail.
  const before = facts.filter(([name]) => name === 'served' || name === 'p50')
  return (
    <>
      <span className={`slim ${styles.words}`}>
        {failing !== undefined ? (
          <span className={`flex wrap baseline bold worse ${styles.failing}`}>
            {failing} <small className="text-13 medium">failed</small>
          </span>
        ) : (
          lead !== undefined && (
            <span className={`flex wrap baseline ${styles.lead}`}>
              <Figure figure={lead} metric={metrics[lead.of]} />
            </span>
          )
        )}
        <span className={`flex wrap muted ${styles.small}`}>
          {before.map((fact) => (
            <Fact key={fact[0]} fact={fact} />
          ))}
          {small.map((figure) => (
            <span key={figure.of} className="nowrap">
              <Figure figure={figure} metric={metrics[figure.of]} isSmall />
            </span>
          ))}
          {facts.slice(before.length).map((fact) => (
            <Fact key={fact[0]} fact={fact} />
          ))}
        </span>
        {foot !== undefined && <span className={`muted ${styles.other}`}>{foot}</span>}
      </span>
      {curve !== undefined && <CurveDrawing curve={curve} styleIndex={column} />}
    </>
  )
}

function Fact({ fact: [name, text] }: { readonly fact: readonly [name: string, text: string] }) {
  return (
    <span className="nowrap">
      {name} <b>{text}</b>
    </span>
  )
}

interface FigureProps {
  readonly figure: ShownFigure
  readonly metric: ShownMatrix['metrics'][number] | undefined
  readonly isSmall?: boolean
}

function Figure({ figure, metric, isSmall = false }: FigureProps) {
  const { text, count, gap, best = false, few, factor, arrow, word, isWordAbove = false, tone = 'muted' } = figure
  const isNamed = isSmall || metric?.isRate !== true
  return (
    <>
      <span className={isNamed ? `muted ${styles.label}` : 'visually-hidden'}>{metric?.label} </span>
      <b
        className={best && !isSmall ? styles.best : undefined}
        data-few={few}
        title={`${metric?.explain ?? ''} Runs with it: ${count}${few ? `. ${fewRule}` : ''}`}
      >
        {gap === undefined ? text : <Missing reason={gap} />}
        {best && <span className="visually-hidden"> best</span>}
      </b>
      {word !== undefined && (
        <span className={`text-13 nowrap ${styles.ratio} ${tone}`} data-arrow={arrow}>
          {factor} <span className={isWordAbove ? 'visually-hidden' : undefined}>{word}</span>
        </span>
      )}
    </>
  )
}
