import { recordedHistogram } from './histogram'
import type { Latency } from './run'

/** Steps for each halving of the distance to 100 %, as HdrHistogram's own writers take them. */
const ticksPerHalfDistance = 5

/**
 * A recorded histogram as HdrHistogram's percentile file, in ms: the columns of `outputPercentileDistribution`
 * (https://github.com/HdrHistogram/HdrHistogram/blob/HdrHistogram-2.2.2/src/main/java/org/HdrHistogram/AbstractHistogram.java),
 * which its plotFiles page reads. Null: nothing was recorded, and a percentile file made up from printed figures would
 * claim counts that nobody knows.
 */
export function toHgrm(latency: Latency): string | null {
  if (latency.histogram?.kind !== 'hdr') return null
  const { histogram, unitMs } = recordedHistogram(latency.histogram)
  if (histogram.totalCount === 0) return null
  // The writer divides values by this: a power of ten, so that nothing is rounded on the way.
  const text = histogram.outputPercentileDistribution(ticksPerHalfDistance, Math.round(1 / unitMs))
  return text.endsWith('\n') ? text : `${text}\n`
}
