import { ChartFrame } from './chart-frame'
import type { PlottedRun } from './hdr-plot'
import { prepareLatencyHistogram } from './latency-histogram'
import { LatencyHistogramSvg } from './latency-histogram-svg'
import { Legend, NothingToPlot } from './panel-parts'

/** Histogram of one run, or outlines of several: static at first paint, interactive afterwards. */
export function LatencyHistogramPanel({ runs }: { runs: readonly PlottedRun[] }) {
  const plot = prepareLatencyHistogram(runs)
  if (!plot)
    return (
      <NothingToPlot
        title="Requests by latency"
        reason="The tool printed no histogram, and there are no samples to make one."
      />
    )
  return (
    <div>
      <ChartFrame plots={{ linear: plot, log: null }} initial="linear">
        <LatencyHistogramSvg plot={plot} />
      </ChartFrame>
      <Legend series={plot.series} markers={false} />
    </div>
  )
}
