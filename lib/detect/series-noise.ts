/** Noise of a series around its levels: scale and autocorrelation, pooled over the segments between changes. */
import { clip, clippedSquares, madAroundZero, median } from '../stats/robust'

/** Minimum noise assumed for a run: standard deviation of the logarithm. */
export const noiseFloor = 0.005

/** What is assumed before anything is measured, and how many runs that is worth. */
export interface AutocorrelationPrior {
  readonly autocorrelation: number
  readonly runs: number
}

/** What continuous-integration series show. */
const usualPrior: AutocorrelationPrior = { autocorrelation: 0.15, runs: 25 }
const largestAutocorrelation = 0.7

/**
 * Scale of the residuals within segments: MAD, but at least 0.8 of the clipped deviation (two modes would fool the
 * MAD).
 */
export function pooledNoise(segments: readonly Float64Array[]): number {
  const long = segments.filter((segment) => segment.length >= 3)
  const residuals: number[] = []
  for (const segment of long) {
    const centre = median(segment)
    for (const value of segment) residuals.push(value - centre)
  }
  if (residuals.length === 0) return noiseFloor
  const degrees = Math.max(1, residuals.length - long.length)
  const middle = median(residuals)
  const scale = madAroundZero(residuals.map((value) => value - middle)) * Math.sqrt(residuals.length / degrees)
  const clipped = Math.sqrt(clippedSquares(residuals, 0, 4 * Math.max(scale, 1e-9)) / degrees)
  return Math.max(scale, 0.8 * clipped, noiseFloor)
}

/** Lag-1 autocorrelation of the clipped residuals, shrunk to `prior`, from 0 to `largest`. */
export function pooledAutocorrelation(
  segments: readonly Float64Array[],
  noise: number,
  prior = usualPrior,
  largest = largestAutocorrelation,
): number {
  let numerator = prior.autocorrelation * prior.runs * noise * noise
  let denominator = prior.runs * noise * noise
  for (const segment of segments) {
    if (segment.length < 6) continue
    const centre = median(segment)
    const residuals = segment.map((value) => clip(value - centre, 3 * noise))
    let products = 0
    let squares = 0
    residuals.forEach((value, at) => {
      squares += value * value
      if (at > 0) products += value * (residuals[at - 1] ?? 0)
    })
    numerator += products
    denominator += (squares * (segment.length - 1)) / segment.length
  }
  return Math.min(largest, Math.max(0, denominator > 0 ? numerator / denominator : prior.autocorrelation))
}

/** How many runs of this autocorrelation know as much as one independent run. */
export const slowness = (autocorrelation: number): number => (1 + autocorrelation) / (1 - autocorrelation)

/**
 * Noise between neighbours in time, little affected by a wandering level: the deviation of successive differences of
 * the log within segments / √2. Differences are clipped at 4 deviations, by their own median or by `noise` if that is
 * more; `noise` itself if no two runs are neighbours.
 */
export function stepNoise(segments: readonly Float64Array[], noise: number): number {
  const steps = segments.flatMap((segment) =>
    Array.from(segment.subarray(1), (value, at) => value - (segment[at] ?? value)),
  )
  if (steps.length === 0) return noise
  const limit = 4 * Math.max(Math.SQRT2 * noise, madAroundZero(steps))
  const squares = steps.reduce((sum, step) => sum + clip(step, limit) ** 2, 0)
  return Math.max(Math.sqrt(squares / steps.length / 2), noiseFloor)
}
