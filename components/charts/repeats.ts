import { median } from '../../lib/stats/robust'
import type { PlottedRun } from './hdr-plot'
import type { SeriesStyle } from './scale'

interface OfSide {
  readonly name: string
  readonly side?: PlottedRun['side']
  readonly style: SeriesStyle
}

/** A series as its line is drawn. */
export type StyledSeries = Pick<OfSide, 'side' | 'style'>

/** How a line is drawn: the repeats of a side are thin, so that together they look like a band. */
export function strokeOf({ side }: Pick<OfSide, 'side'>): {
  readonly strokeWidth: number
  readonly strokeOpacity: number
} {
  return side ? { strokeWidth: 1.25, strokeOpacity: 0.75 } : { strokeWidth: 2, strokeOpacity: 1 }
}

/** The fill under the outline of an overlaid histogram: those of repeats lie upon each other. */
export const outlineOpacity = ({ side }: Pick<OfSide, 'side'>): number => (side ? 0.04 : 0.12)

/** What a cursor reads, one row a side: the value of a lone run, or median and range of those repeats that have one. */
export function readingRows(
  readings: readonly { readonly series: OfSide; readonly value: number | null }[],
  format: (value: number) => string,
): readonly { readonly name: string; readonly color: string; readonly value: string; readonly order: number }[] {
  const sides = new Map<string, { readonly series: OfSide; readonly values: number[] }>()
  for (const { series, value } of readings) {
    if (value === null) continue
    const key = `${series.style.color} ${series.side?.name ?? series.name}`
    const known = sides.get(key) ?? { series, values: [] }
    known.values.push(value)
    sides.set(key, known)
  }
  return [...sides.values()].map(({ series, values }) => {
    const middle = median(values)
    const range = `${format(Math.min(...values))} to ${format(Math.max(...values))}`
    return {
      name: series.side?.name ?? series.name,
      color: series.style.color,
      value: series.side && values.length > 1 ? `${format(middle)} (${range})` : format(middle),
      order: middle,
    }
  })
}
