import { ChartTools } from './chart-tools'
import { packSide } from './packed-timeline'
import type { TableAddress } from './table-fold'
import { TimelinesChart, type SentRun } from './timelines-chart'
import type { TimedRun } from './timelines-plot'
import frameStyles from './chart-frame.module.css'
import styles from './timelines.module.css'

const title = 'Over time, on one scale'

interface Props {
  readonly runs: readonly TimedRun[]
  /** Of the table. */
  readonly address: TableAddress
}

/** The timelines of a comparison side by side; nothing where fewer than two runs have one. */
export function TimelinesPanel({ runs, address }: Props) {
  const sent = runs.map(({ id, name, styleIndex, side, timeline }): SentRun => {
    return {
      id,
      name,
      styleIndex,
      side,
      timeline: timeline && timeline.requests.length > 0 ? packSide(timeline) : null,
    }
  })
  if (sent.filter((run) => run.timeline !== null).length < 2) return null
  return (
    <section aria-label="Over time" className={styles.section}>
      <figure className={frameStyles.frame}>
        <div className={frameStyles.head}>
          <figcaption className={frameStyles.title}>{title}</figcaption>
          <ChartTools title={title} />
        </div>
        <TimelinesChart title={title} runs={sent} address={address} />
      </figure>
    </section>
  )
}
