/** Robust location and scale of plain arrays. All assume at least one value unless they say otherwise. */

function sorted(values: ArrayLike<number>): Float64Array {
  return Float64Array.from(values).sort()
}

/** Mean of the middle two for an even count. NaN when empty. */
export function median(values: ArrayLike<number>): number {
  const ordered = sorted(values)
  const middle = ordered.length >> 1
  const upper = ordered[middle] ?? Number.NaN
  return ordered.length % 2 === 1 ? upper : ((ordered[middle - 1] ?? Number.NaN) + upper) / 2
}

/** 1.4826 × the median absolute value: the standard deviation of a normal sample around zero. */
export function madAroundZero(residuals: ArrayLike<number>): number {
  return 1.4826 * median(Float64Array.from(residuals, Math.abs))
}

export function clip(value: number, limit: number): number {
  return Math.min(limit, Math.max(-limit, value))
}

/** Σ clip(v − centre, ±limit)². */
export function clippedSquares(values: ArrayLike<number>, centre: number, limit: number): number {
  let sum = 0
  for (let index = 0; index < values.length; index += 1) sum += clip((values[index] ?? 0) - centre, limit) ** 2
  return sum
}

/** Median below 5 values, else the mean of the values within 2.5 `scale` of it. */
export function robustLocation(values: ArrayLike<number>, scale: number): number {
  const centre = median(values)
  if (values.length < 5) return centre
  let sum = 0
  let count = 0
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0
    if (Math.abs(value - centre) > 2.5 * scale) continue
    sum += value
    count += 1
  }
  return count > 0 ? sum / count : centre
}

/** Mean with the lowest and highest 10 % pulled in to their neighbours; the median below 5 values. */
export function winsorisedMean(values: ArrayLike<number>): number {
  if (values.length < 5) return median(values)
  const ordered = sorted(values)
  const cut = Math.floor(0.1 * ordered.length)
  ordered.fill(ordered[cut] ?? 0, 0, cut)
  ordered.fill(ordered[ordered.length - cut - 1] ?? 0, ordered.length - cut)
  return ordered.reduce((sum, value) => sum + value, 0) / ordered.length
}

/** Scale of the noise around steps: 1.4826 · median|Δ| / √2, 0 below three values. */
export function differenceScale(values: ArrayLike<number>): number {
  if (values.length < 3) return 0
  const differences = new Float64Array(values.length - 1)
  for (let index = 1; index < values.length; index += 1)
    differences[index - 1] = Math.abs((values[index] ?? 0) - (values[index - 1] ?? 0))
  return (1.4826 * median(differences)) / Math.SQRT2
}

/** Theil–Sen slope (Sen 1968): the median slope between all pairs of points with different `x`; 0 without any. */
export function theilSenSlope(x: readonly number[], y: readonly number[]): number {
  const slopes: number[] = []
  x.forEach((from, at) => {
    for (let other = at + 1; other < x.length; other += 1) {
      const run = (x[other] ?? from) - from
      if (run !== 0) slopes.push(((y[other] ?? 0) - (y[at] ?? 0)) / run)
    }
  })
  return slopes.length > 0 ? median(slopes) : 0
}
