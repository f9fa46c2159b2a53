import styles from './chart-frame.module.css'
import { plural } from '../../lib/format'
import type { PlottedRun } from './hdr-plot'
import { Marker } from './marker'
import type { SeriesStyle } from './scale'

interface LegendEntry {
  readonly id: string
  readonly name: string
  readonly side?: PlottedRun['side']
  readonly style: SeriesStyle
  readonly note?: string | null
}

/** One entry for the repeats of a side: they have one line style. */
function entriesOf(series: readonly LegendEntry[]): readonly LegendEntry[] {
  return series.flatMap((one, at) => {
    const { side, style } = one
    if (!side) return [one]
    const isFirst =
      series.findIndex((other) => other.side?.name === side.name && other.style.color === style.color) === at
    return isFirst ? [{ ...one, name: `${side.name} (${plural(side.size, 'run')})` }] : []
  })
}

/** Names with the line they have, and why a line ends. One unnoted series needs no legend. */
export function Legend({
  series: all,
  markers,
  footnote = null,
}: {
  series: readonly LegendEntry[]
  markers: boolean
  /** Said of several series at once. */
  footnote?: string | null
}) {
  const series = entriesOf(all)
  if (all.length < 2 && series.every((one) => !one.note)) return null
  return (
    <ul className={styles.legend}>
      {series.map((one) => (
        <li key={one.id}>
          <svg width="28" height="12" aria-hidden="true">
            <line
              x1="0"
              x2="28"
              y1="6"
              y2="6"
              stroke={one.style.color}
              strokeWidth="2"
              strokeDasharray={one.style.dash}
            />
            {markers && (
              <g transform="translate(14 6)">
                <Marker shape={one.style.marker} color={one.style.color} hollow={false} />
              </g>
            )}
          </svg>
          {all.length > 1 ? one.name : one.note}
        </li>
      ))}
      {all.length > 1 && footnote !== null && <li>{footnote}</li>}
    </ul>
  )
}

/** Said in place of a chart that has nothing to show. */
export function NothingToPlot({ title, reason }: { title: string; reason: string }) {
  return (
    <div className={styles.frame}>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.nothing}>{reason}</p>
    </div>
  )
}
