import { PanelDrawings } from './figure'
import type { Plot } from './model'
import { pack } from './pack'

/** A plot without card, tools and cursor, as lists show it; drawn in the browser again from the same numbers. */
export function SmallPlot({ plot }: { plot: Plot }) {
  return <PanelDrawings sent={pack({ ...plot, series: plot.series.map((one) => ({ ...one, name: '' })) })} />
}
