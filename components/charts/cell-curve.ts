import { percentiles, type RunFigures } from '../../lib/run/metrics'
import { quantileToX } from '../../lib/stats/quantile'
import { median } from '../../lib/stats/robust'
import { curveX, type CellCurve, type CurvePlace } from './plot/rows/curve'
import { place } from './plot/scale'

/** A cell is too small for the tail. */
const shown = percentiles.filter(({ q }) => q <= 0.99)
/** Ratio of largest to smallest value from which a linear scale would press lines to the floor. */
const logFromFactor = 25

interface CurveCell {
  readonly runs: readonly { readonly figures: RunFigures }[]
  /** Place of its base in the row; its own place: it is the base. */
  readonly baseAt: number
}

/**
 * Prepares the percentile curves of a row of a matrix on one scale, from p50 to p99 as printed: medians for cells with
 * several runs. Null: fewer than two percentiles.
 */
export function prepareCellCurves(cells: readonly CurveCell[]): readonly (CellCurve | null)[] {
  const lines = cells.map(({ runs }) =>
    shown.flatMap(({ q, key }) => {
      const values = runs.flatMap(({ figures }) => figures[key] ?? [])
      return values.length === 0 ? [] : [{ x: quantileToX(q), ms: median(values) }]
    }),
  )
  const all = lines.flatMap((line) => (line.length < 2 ? [] : line.map(({ ms }) => ms)))
  const [least, most] = [Math.min(...all), Math.max(...all)]
  const isLog = least > 0 && most / least >= logFromFactor
  const domain = isLog ? ([least / 1.5, most] as const) : ([0, most] as const)
  const placesOf = (at: number): readonly CurvePlace[] => {
    const line = lines[at] ?? []
    if (line.length < 2) return []
    return line.map(({ x, ms }) => [curveX(x), 1 - (most === 0 ? 0 : place(ms, domain, isLog ? 'log' : 'linear'))])
  }
  return cells.map(({ baseAt }, at) => {
    const own = placesOf(at)
    return own.length === 0 ? null : { own, base: baseAt === at ? [] : placesOf(baseAt) }
  })
}
