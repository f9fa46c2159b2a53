import { recordedHistogram } from '../stats/histogram'
import type { Latency } from '../run/run'

/** Steps for each halving of the distance to 100 %, as in HdrHistogram's own writers. */
const ticksPerHalfDistance = 5

/** Decimal places of one histogram unit in ms. */
const placesOf = { ns: 6, us: 3, ms: 0 } as const

/**
 * A recorded histogram as HdrHistogram's percentile file, in ms: the columns of `outputPercentileDistribution`
 * (https://github.com/HdrHistogram/HdrHistogram/blob/HdrHistogram-2.2.2/src/main/java/org/HdrHistogram/AbstractHistogram.java),
 * which its plotFiles page reads: rows of four columns, but no line that begins with `#`. Values have as many decimal
 * places as were recorded; a comment names the unit, which HdrHistogram's writers omit. Null: nothing was recorded, and
 * a percentile file made up from printed figures would claim unknown counts.
 */
export function toHgrm(latency: Latency): string | null {
  if (latency.histogram?.kind !== 'hdr') return null
  const { histogram, unitMs } = recordedHistogram(latency.histogram)
  if (histogram.totalCount === 0) return null
  // At least three, like the writers of HdrHistogram.
  const places = Math.max(3, placesOf[latency.histogram.unit])
  // Dividing by a power of ten rounds only once.
  const perMs = Math.round(1 / unitMs)
  const inMs = (value: number) => (value / perMs).toFixed(places).padStart(12)
  const lines = ['       Value     Percentile TotalCount 1/(1-Percentile)', '']
  const iterator = histogram.percentileIterator
  iterator.reset(ticksPerHalfDistance)
  while (iterator.hasNext()) {
    const step = iterator.next()
    const level = step.percentileLevelIteratedTo / 100
    const row = `${inMs(step.valueIteratedTo)} ${level.toFixed(12).padStart(14)} ${pad(step.totalCountToThisValue, 10)}`
    // As in HdrHistogram's JavaScript writer, the last row has no fourth column: 1/(1 − 1).
    lines.push(level < 1 ? `${row} ${(1 / (1 - level)).toFixed(2).padStart(14)}` : row)
  }
  const { mean, stdDeviation, maxValue, totalCount, bucketCount, subBucketCount } = histogram
  lines.push(
    '#[Unit    = milliseconds]',
    `#[Mean    = ${inMs(mean)}, StdDeviation   = ${inMs(stdDeviation)}]`,
    `#[Max     = ${inMs(maxValue)}, Total count    = ${pad(totalCount, 12)}]`,
    `#[Buckets = ${pad(bucketCount, 12)}, SubBuckets     = ${pad(subBucketCount, 12)}]`,
  )
  return `${lines.join('\n')}\n`
}

const pad = (count: number, width: number): string => String(count).padStart(width)
