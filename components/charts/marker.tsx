import { element, joined, placedAt, type Markup, type Place } from './markup'
import type { Marker as MarkerShape } from './scale'

const shapes: Readonly<Record<MarkerShape, string>> = {
  circle: 'M-4 0a4 4 0 108 0a4 4 0 10-8 0z',
  square: 'M-3.5-3.5h7v7h-7z',
  diamond: 'M0-5L5 0L0 5L-5 0z',
  triangle: 'M0-5L4.5 4h-9z',
}

interface Mark {
  readonly shape: MarkerShape
  readonly color: string
  /** Fewer than 10 values lie above it. */
  readonly hollow: boolean
}

const paintOf = ({ color, hollow }: Mark) => ({
  fill: hollow ? 'var(--surface)' : color,
  stroke: hollow ? color : 'var(--surface)',
  width: hollow ? 1.5 : 1,
})

/** A measured point, centred on 0, 0. */
export function Marker(mark: Mark) {
  const { fill, stroke, width } = paintOf(mark)
  return <path d={shapes[mark.shape]} fill={fill} stroke={stroke} strokeWidth={width} />
}

/** Points of one series at these places, as markup. */
export function marksMarkup(mark: Mark, places: readonly Place[]): Markup {
  if (places.length === 0) return joined()
  const { fill, stroke, width } = paintOf(mark)
  const shape = element('path', { d: shapes[mark.shape] })
  const marks = joined(...places.map((place) => placedAt(place, shape)))
  return element('g', { fill, stroke, 'stroke-width': width }, marks)
}
