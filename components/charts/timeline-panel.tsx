import type { Timeline } from '@/lib/run/run'
import { ChartTools } from './chart-tools'
import { packTimeline } from './packed-timeline'
import type { TableAddress } from './table-fold'
import { TimelineChart } from './timeline-chart'
import frameStyles from './chart-frame.module.css'

interface Props {
  readonly timeline: Timeline | null
  /** Of its table. */
  readonly address: TableAddress
}

/** Rate, latency and heat map of a run over time under one cursor; nothing for a run without raw results. */
export function TimelinePanel({ timeline, address }: Props) {
  if (timeline === null || timeline.requests.length === 0) return null
  return (
    <figure className={frameStyles.frame}>
      <div className={frameStyles.head}>
        <figcaption>
          <h2 className={frameStyles.title}>Over time</h2>
        </figcaption>
        <ChartTools title="Over time" />
      </div>
      <TimelineChart sent={packTimeline(timeline)} address={address} />
    </figure>
  )
}
