import type { ReactNode } from 'react'
import { ChartTable } from './chart-table'
import styles from './chart-frame.module.css'
import { Legend } from './panel-parts'
import { TrendHover } from './trend-hover'
import type { TrendPlot } from './trend-plot'
import { TrendPlotSvg } from './trend-plot-svg'

interface Props {
  readonly plot: TrendPlot
  readonly tools?: ReactNode
  /** See TrendHover. */
  readonly zoomBase?: string
}

/** A metric of one or more lines over time: drawn on the server, readable under the pointer and the arrow keys. */
export function TrendPanel({ plot, tools, zoomBase }: Props) {
  return (
    <figure className={styles.frame}>
      <div className={styles.head}>
        <figcaption className={styles.title}>{plot.title}</figcaption>
        <div className={styles.tools}>{tools}</div>
      </div>
      <TrendHover plot={plot} zoomBase={zoomBase}>
        <TrendPlotSvg plot={plot} />
      </TrendHover>
      <Legend series={plot.lines.map((line) => ({ id: line.key, name: line.name, style: line.style }))} markers />
      <ChartTable title={plot.title} table={plot.table} />
    </figure>
  )
}
