import { PanelDrawings } from './figure'
import type { Plot } from './model'
import { pack } from './pack'

interface Props {
  readonly plot: Plot
  /** Of several plots of the same runs. */
  readonly packer?: typeof pack
}

/** A plot without card, tools and cursor, as lists show it; drawn in the browser again from the same numbers. */
export function SmallPlot({ plot, packer = pack }: Props) {
  return <PanelDrawings sent={packer({ ...plot, series: plot.series.map((one) => ({ ...one, name: '' })) })} />
}
