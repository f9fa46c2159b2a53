import { truncatedLoss, isOutlier } from './level-noise'

/** Flat at `base` up to `from`, then rising by `slope` a run. */
export interface Ramp {
  /** Position in the series. */
  readonly from: number
  readonly base: number
  readonly slope: number
}

export interface RampFit extends Ramp {
  /** Truncated loss of the values about it. */
  readonly loss: number
}

/** A creep lasts this many runs at least. */
export const shortestRamp = 20
/** Fewer values decide no line. */
const fewestKept = 8
/** Places of its beginning that are tried. */
const places = 12

/** Least squares of `y` on `x`, repeated without outliers: base, slope, and truncated loss. */
export function fitLine(
  x: Float64Array,
  y: Float64Array,
  deviation: number,
  rounds: number,
): { readonly base: number; readonly slope: number; readonly loss: number } {
  let kept = new Uint8Array(x.length).fill(1)
  let base = 0
  let slope = 0
  for (let round = 0; round < rounds; round += 1) {
    ;({ base, slope } = leastSquares(x, y, kept))
    const next = kept.map((_, at) => (isOutlier((y[at] ?? 0) - base - slope * (x[at] ?? 0), deviation) ? 0 : 1))
    const count = next.reduce((sum, one) => sum + one, 0)
    if (count < fewestKept || next.every((one, at) => one === kept[at])) break
    kept = next
  }
  const residuals = y.map((value, at) => value - base - slope * (x[at] ?? 0))
  return { base, slope, loss: truncatedLoss(residuals, 0, deviation) }
}

function leastSquares(x: Float64Array, y: Float64Array, kept: Uint8Array): { base: number; slope: number } {
  let [count, sumX, sumY] = [0, 0, 0]
  for (let at = 0; at < x.length; at += 1) {
    if (kept[at] === 0) continue
    count += 1
    sumX += x[at] ?? 0
    sumY += y[at] ?? 0
  }
  const [meanX, meanY] = [sumX / count, sumY / count]
  let [squares, products] = [0, 0]
  for (let at = 0; at < x.length; at += 1) {
    if (kept[at] === 0) continue
    const away = (x[at] ?? 0) - meanX
    squares += away * away
    products += away * ((y[at] ?? 0) - meanY)
  }
  const slope = squares > 0 ? products / squares : 0
  return { slope, base: meanY - slope * meanX }
}

/** The ramp that fits best to the values from position `from` on, up to the newest. */
export function bestRamp(values: Float64Array, from: number, deviation: number): RampFit {
  const { length } = values
  const stride = Math.max(1, Math.floor((length - shortestRamp) / places))
  const starts = [0]
  for (let at = stride; at <= length - shortestRamp; at += stride) starts.push(at)
  const fits = starts.map((start): RampFit => {
    const x = values.map((_, at) => Math.max(0, at - start))
    return { ...fitLine(x, values, deviation, 3), from: from + start }
  })
  return fits.reduce((best, one) => (one.loss < best.loss ? one : best))
}
