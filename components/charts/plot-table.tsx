import { TableRegion } from './chart-table'
import type { FramedPlot } from './packed-plots'
import { tableOf } from './plot-tables'

/** The figures of a plot in the place of its drawing. */
export function PlotTable({ plot }: { plot: FramedPlot }) {
  return <TableRegion title={plot.title} table={tableOf(plot)} />
}
