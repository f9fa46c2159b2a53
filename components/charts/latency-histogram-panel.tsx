import { ChartFrame } from './chart-frame'
import { barCounts, chartViewHref, type ChartView } from './chart-view'
import type { PlottedRun } from './hdr-plot'
import { prepareLatencyHistogram, type HistogramPlot } from './latency-histogram'
import { packHistogramPlot } from './packed-plots'
import { NothingToPlot } from './panel-parts'
import { ViewLinks } from './view-links'
import styles from './chart-frame.module.css'

interface Props {
  readonly runs: readonly PlottedRun[]
  /** Why there is nothing to plot, where the caller knows better. */
  readonly reason?: string | undefined
  /** Axis and bars as the address says; without it the data choose and nothing is offered. */
  readonly view?: ChartView | undefined
}

const noHistogram = 'No histogram printed, and no samples to compute one from.'

/** Histogram of one run, or outlines of several: static at first paint, interactive afterwards. */
export function LatencyHistogramPanel({ runs, reason = noHistogram, view }: Props) {
  const plot = prepareLatencyHistogram(runs, view ? { scale: view.axis, barCount: view.barCount } : {})
  if (!plot) return <NothingToPlot title="Requests by latency" reason={reason} />
  return (
    <div>
      <ChartFrame plots={packHistogramPlot(plot)} initial="linear" tools={view && <Tools plot={plot} view={view} />} />
      {plot.note !== null && <p className={styles.note}>{plot.note}</p>}
    </div>
  )
}

function Tools({ plot, view }: { plot: HistogramPlot; view: ChartView }) {
  return (
    <>
      <ViewLinks
        label="Latency axis"
        choices={(['linear', 'log'] as const).map((axis) => ({
          name: axis === 'log' ? 'Log' : 'Linear',
          href: chartViewHref(view, { axis }),
          isChosen: plot.scale === axis,
        }))}
      />
      {plot.hasBarChoice && (
        <ViewLinks
          label="Number of bars"
          choices={barCounts.map((barCount) => ({
            name: `${barCount}`,
            href: chartViewHref(view, { barCount }),
            isChosen: view.barCount === barCount,
          }))}
        />
      )}
    </>
  )
}
