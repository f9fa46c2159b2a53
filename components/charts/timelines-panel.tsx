import { ChartTools } from './chart-tools'
import { TimelinesChart } from './timelines-chart'
import { prepareTimelines, type TimedRun } from './timelines-plot'
import frameStyles from './chart-frame.module.css'

const title = 'Over time, on one scale'

/** The timelines of a comparison side by side; nothing where fewer than two runs have one. */
export function TimelinesPanel({ runs }: { readonly runs: readonly TimedRun[] }) {
  const plot = prepareTimelines(runs)
  if (plot === null) return null
  return (
    <section aria-label="Over time">
      <figure className={frameStyles.frame}>
        <div className={frameStyles.head}>
          <figcaption className={frameStyles.title}>{title}</figcaption>
          <ChartTools title={title} />
        </div>
        <TimelinesChart title={title} plot={plot} />
      </figure>
    </section>
  )
}
