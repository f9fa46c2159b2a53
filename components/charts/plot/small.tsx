import { PanelDrawings } from './figure'
import type { Plot } from './model'
import { pack } from './pack'

interface Props {
  readonly plot: Plot
  /** A packer for several plots of the same runs. */
  readonly packer?: typeof pack
}

/** A plot without card, tools and cursor, for lists; the browser draws it again from the same numbers. */
export function SmallPlot({ plot, packer = pack }: Props) {
  return <PanelDrawings sent={packer({ ...plot, series: plot.series.map((one) => ({ ...one, name: '' })) })} />
}
