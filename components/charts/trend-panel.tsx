import { Link } from '../ui/link'
import type { ReactNode } from 'react'
import { ChartTable, TableRegion } from './chart-table'
import styles from './chart-frame.module.css'
import { packTrendPlot } from './packed-trend'
import { Legend } from './panel-parts'
import type { PlotTable } from './plot-tables'
import { TrendHover } from './trend-hover'
import type { TrendPlot } from './trend-plot'

interface Props {
  readonly plot: TrendPlot
  readonly tools?: ReactNode
  /** See TrendHover. */
  readonly zoomBase?: string
  /** Folded below the chart, or open in its place; null: behind `tableHref`. */
  readonly table: PlotTable | null
  /** Where the other view is: the table of a chart, the chart of a table; absent: the table is folded below. */
  readonly otherViewHref?: string
}

/** A metric of one or more lines over time: drawn on the server, readable under the pointer and the arrow keys. */
export function TrendPanel({ plot, tools, zoomBase, table, otherViewHref }: Props) {
  const isTable = otherViewHref !== undefined && table !== null
  return (
    <figure className={styles.frame}>
      <div className={styles.head}>
        <figcaption className={styles.title}>{plot.title}</figcaption>
        <div className={styles.tools}>{tools}</div>
      </div>
      {isTable ? (
        <TableRegion title={plot.title} table={table} />
      ) : (
        <>
          <TrendHover plot={packTrendPlot(plot)} zoomBase={zoomBase} />
          <Legend series={plot.lines.map((line) => ({ id: line.key, name: line.name, style: line.style }))} markers />
        </>
      )}
      {otherViewHref === undefined ? (
        table && <ChartTable title={plot.title} table={table} />
      ) : (
        <Link href={otherViewHref} scroll={false}>
          {isTable ? 'Show as chart' : 'Show as table'}
        </Link>
      )}
    </figure>
  )
}
