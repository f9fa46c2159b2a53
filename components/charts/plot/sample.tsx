import { LineSample } from './drawing'
import { Marker } from './legend'
import type { SeriesStyle } from './scale'

/** A series as in legends beside a table: a piece of its line with its marker, or the marker alone. */
export function SeriesSample({ style, isMarker = false }: { style: SeriesStyle; isMarker?: boolean }) {
  if (!isMarker)
    return (
      <LineSample series={style}>
        <Marker style={style} x={14} y={6} />
      </LineSample>
    )
  return (
    <svg width="10" height="10" aria-hidden="true">
      <Marker style={style} x={5} y={5} />
    </svg>
  )
}
