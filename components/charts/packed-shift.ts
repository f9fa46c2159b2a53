import { quantileToX } from '../../lib/stats/quantile'
import type { ShiftPlot, ShiftPoint, ShiftSeries } from './shift-plot'

/** A shift as it is sent: for each series a text with its points between `;`, their numbers between spaces. */
export type PackedShift = Omit<ShiftPlot, 'series'> & {
  readonly series: readonly (Omit<ShiftSeries, 'points'> & { readonly numbers: string })[]
}

/** Drawn and read to fewer digits than these. */
const short = (ms: number): number => Number(ms.toPrecision(9))

/** Packs the shift of a comparison. */
export function packShift({ series, ...rest }: ShiftPlot): PackedShift {
  const packed = series.map(({ points, ...own }) => {
    const texts = points.map(({ q, ms, lowMs, highMs }) =>
      [q, ...[ms, lowMs, highMs].flatMap((value) => (value === null ? [] : short(value)))].join(' '),
    )
    return { ...own, numbers: texts.join(';') }
  })
  return { ...rest, series: packed }
}

/** The shift as it was, to nine digits. */
export function unpackShift({ series, ...rest }: PackedShift): ShiftPlot {
  const read = series.map(({ numbers, ...own }): ShiftSeries => {
    const points = numbers.split(';').map((text): ShiftPoint => {
      const [q = Number.NaN, ms = Number.NaN, lowMs = null, highMs = null] = text.split(' ').map(Number)
      return { q, x: quantileToX(q), ms, lowMs, highMs }
    })
    return { ...own, points }
  })
  return { ...rest, series: read }
}
