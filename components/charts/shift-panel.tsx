import styles from './chart-frame.module.css'
import type { PlottedRun } from './hdr-plot'
import { packShift } from './packed-shift'
import { ShiftChart } from './shift-chart'
import { prepareShiftPlot } from './shift-plot'
import type { TableAddress } from './table-fold'

/** How much slower each side is than the base at each percentile; nothing where they share fewer than two percentiles. */
export function ShiftPanel(props: {
  readonly sides: readonly (readonly Pick<PlottedRun, 'id' | 'imported'>[])[]
  readonly names: readonly string[]
  /** Of its table. */
  readonly address: TableAddress
}) {
  const plot = prepareShiftPlot(props.sides, props.names)
  if (!plot) return null
  return (
    <figure className={styles.frame}>
      <div className={styles.head}>
        <figcaption className={styles.title}>{plot.title}</figcaption>
      </div>
      <ShiftChart sent={packShift(plot)} address={props.address} />
    </figure>
  )
}
