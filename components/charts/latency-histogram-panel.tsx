import { ChartFrame } from './chart-frame'
import type { PlottedRun } from './hdr-plot'
import { prepareLatencyHistogram } from './latency-histogram'
import { LatencyHistogramSvg } from './latency-histogram-svg'
import { Legend, NothingToPlot } from './panel-parts'

interface Props {
  readonly runs: readonly PlottedRun[]
  /** Why there is nothing to plot, where the caller knows better. */
  readonly reason?: string | undefined
}

const noHistogram = 'The tool printed no histogram, and there are no samples to make one.'

/** Histogram of one run, or outlines of several: static at first paint, interactive afterwards. */
export function LatencyHistogramPanel({ runs, reason = noHistogram }: Props) {
  const plot = prepareLatencyHistogram(runs)
  if (!plot) return <NothingToPlot title="Requests by latency" reason={reason} />
  return (
    <div>
      <ChartFrame plots={{ linear: plot, log: null }} initial="linear">
        <LatencyHistogramSvg plot={plot} />
      </ChartFrame>
      <Legend series={plot.series} markers={false} />
    </div>
  )
}
