import type { HdrPlot } from './hdr-plot'
import type { FramedPlot } from './packed-plots'
import { Legend } from './panel-parts'

/** The names of a plot's series with their lines, and why those of percentiles end. */
export function PlotLegend({ plot }: { plot: FramedPlot }) {
  if (plot.kind === 'histogram') return <Legend series={plot.series} markers={false} />
  if (plot.kind === 'ecdf') return <Legend series={plot.series} markers={plot.series.some((one) => one.marked)} />
  const series = plot.series.map((one) => ({ ...one, note: one.endNote }))
  return <Legend series={series} markers footnote={footnoteOf(plot)} />
}

function footnoteOf(plot: HdrPlot): string {
  const faded = plot.series.some((one) => one.points.some((point) => !point.supported))
  return faded ? 'Faded and hollow: fewer than 10 requests are slower.' : 'Lines end at the last percentile printed.'
}
