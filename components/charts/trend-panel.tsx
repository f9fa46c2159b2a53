import type { ReactNode } from 'react'
import { ChartTable } from './chart-table'
import styles from './chart-frame.module.css'
import { Legend } from './panel-parts'
import { TrendHover } from './trend-hover'
import type { TrendPlot } from './trend-plot'
import { TrendPlotSvg } from './trend-plot-svg'

/** A metric of one or more lines over time: drawn on the server, readable under the pointer and the arrow keys. */
export function TrendPanel({ plot, tools }: { plot: TrendPlot; tools?: ReactNode }) {
  return (
    <figure className={styles.frame}>
      <div className={styles.head}>
        <figcaption className={styles.title}>{plot.title}</figcaption>
        <div className={styles.tools}>{tools}</div>
      </div>
      <TrendHover plot={plot}>
        <TrendPlotSvg plot={plot} />
      </TrendHover>
      <Legend series={plot.lines.map((line) => ({ id: line.key, name: line.name, style: line.style }))} markers />
      <ChartTable title={plot.title} table={plot.table} />
    </figure>
  )
}
