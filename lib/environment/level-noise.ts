import { pooledAutocorrelation, pooledNoise, type AutocorrelationPrior } from '../detect/series-noise'
import { clip } from '../stats/robust'

/** Noise of a run about its level: standard deviation of the logarithm, and lag-1 autocorrelation. */
export interface LevelNoise {
  readonly deviation: number
  readonly autocorrelation: number
}

/** What is assumed of a series of which little is known: weak autocorrelation, worth 20 runs. */
export const usualPrior: AutocorrelationPrior = { autocorrelation: 0.15, runs: 20 }

/** Of a series without two runs on one level. */
const unknownDeviation = 0.02
const largestAutocorrelation = 0.88
/** Shorter levels say nothing of autocorrelation. */
const fewestRuns = 6

/** Noise about levels, from their values (logarithms), oldest first. */
export function noiseOfLevels(levels: readonly Float64Array[], prior: AutocorrelationPrior = usualPrior): LevelNoise {
  const known = levels.filter((values) => values.length >= 3)
  if (known.length === 0) return { deviation: unknownDeviation, autocorrelation: prior.autocorrelation }
  const deviation = pooledNoise(known)
  const measured = pooledAutocorrelation(known, deviation, prior, largestAutocorrelation)
  const runs = known.reduce((sum, { length }) => sum + (length < fewestRuns ? 0 : length), prior.runs)
  // Measured about an estimated level, it is too small.
  const lost = (0.8 * (1 + 3 * measured)) / Math.max(runs, 30)
  return { deviation, autocorrelation: Math.min(largestAutocorrelation, measured + lost) }
}

/**
 * Variance of the mean of so many runs, in units of one run's: 1/count if they are independent, more if each is like
 * the one before it (AR(1)).
 */
export function varianceOfMean(count: number, autocorrelation: number): number {
  if (autocorrelation <= 0 || count < 2) return 1 / Math.max(count, 1)
  const rest = (1 - autocorrelation ** count) / (count * (1 - autocorrelation))
  return (1 + ((2 * autocorrelation) / (1 - autocorrelation)) * (1 - rest)) / count
}

const truncation = 3

/** Whether a residual is an outlier: it costs `truncatedLoss` no more than 9. */
export const isOutlier = (residual: number, deviation: number): boolean => Math.abs(residual) > truncation * deviation

/** Σ of squared residuals from `centre`, in deviations, at most 9 each. */
export function truncatedLoss(values: ArrayLike<number>, centre: number, deviation: number): number {
  let sum = 0
  for (let at = 0; at < values.length; at += 1) sum += clip(((values[at] ?? 0) - centre) / deviation, truncation) ** 2
  return sum
}
