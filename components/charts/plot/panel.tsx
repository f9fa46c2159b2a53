import type { ReactNode } from 'react'
import { PanelDrawings, PlotFigure } from './figure'
import type { BoxChoice, Plot, Prepared } from './model'
import { pack, packTable } from './sent/pack'
import styles from './plot.module.css'

interface Props {
  /** Null: there is nothing to plot. */
  readonly prepared: Prepared | null
  /** Shown in that case; absent: nothing. */
  readonly otherwise?: { readonly title: string; readonly reason: string }
  /** The plots of the page that are shown as tables, by their ids. */
  readonly tables: readonly string[]
  /** Further choices, before those of every plot. */
  readonly tools?: ReactNode
  /** Further entries of its menu. */
  readonly menu?: ReactNode
  /** Its figures as a file, if the server has them unrounded; absent: the drawn ones. */
  readonly csvHref?: string
  /** See Cursor. */
  readonly zoomBase?: string
  /** See Cursor. */
  readonly picksPlaces?: boolean
  /** See Cursor. */
  readonly box?: BoxChoice | undefined
  /** Below the drawing, with its width. */
  readonly below?: ReactNode
}

/** A plot in its card: drawn, or as its figures if the address says so. Numbers go to the browser once, packed. */
export function PlotPanel({ prepared, otherwise, tables, ...rest }: Props) {
  if (!prepared) return otherwise ? <NothingToPlot {...otherwise} /> : null
  const { plot } = prepared
  const isTable = tables.includes(plot.id)
  const sent = isTable ? { ...plot, panels: [], places: [] } : plot
  return (
    <div className={plot.isLate ? styles.late : undefined}>
      <PlotFigure sent={pack(sent)} table={isTable ? packTable(prepared.table()) : null} tables={tables} {...rest} />
    </div>
  )
}

/** The same as a named part of its page; nothing if there is nothing to plot and nothing to say. */
export function PlotSection({ label, ...panel }: Props & { readonly label: string }) {
  if (panel.prepared === null && panel.otherwise === undefined) return null
  return (
    <section aria-label={label}>
      <PlotPanel {...panel} />
    </section>
  )
}

function NothingToPlot({ title, reason }: { title: string; reason: string }) {
  return (
    <div className={`outlined slim flush ${styles.frame}`}>
      <h2 className={styles.title}>{title}</h2>
      <p className="muted flush">{reason}</p>
    </div>
  )
}

interface SmallProps {
  readonly plot: Plot
  /** A packer for several plots of the same runs. */
  readonly packer?: typeof pack
}

/** A plot without card, tools and cursor, for lists; the browser draws it again from the same numbers. */
export function SmallPlot({ plot, packer = pack }: SmallProps) {
  return <PanelDrawings sent={packer({ ...plot, series: plot.series.map((one) => ({ ...one, name: '' })) })} />
}
