import type { Timeline } from '@/lib/run'
import { ChartTable } from './chart-table'
import { ChartTools } from './chart-tools'
import { TimelineHover } from './timeline-hover'
import { prepareTimeline } from './timeline-plot'
import { TimelineSvg } from './timeline-svg'
import frameStyles from './chart-frame.module.css'
import styles from './timeline.module.css'

/** Rate, latency and heat map of a run over time under one cursor; nothing for a run without raw results. */
export function TimelinePanel({ timeline }: { timeline: Timeline | null }) {
  const plot = prepareTimeline(timeline)
  if (plot === null) return null
  return (
    <figure className={frameStyles.frame}>
      <div className={frameStyles.head}>
        <figcaption>
          <h2 className={frameStyles.title}>Over time</h2>
        </figcaption>
        <ChartTools title="Over time" />
      </div>
      <TimelineHover readings={plot.readings}>
        <TimelineSvg plot={plot} />
      </TimelineHover>
      <p className={styles.note}>
        {plot.note}
        {plot.heat !== null && ' The darker a cell of the map, the more requests.'}
      </p>
      <ChartTable title="Over time" table={plot.table} />
    </figure>
  )
}
