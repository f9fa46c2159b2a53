import { leadingLatency } from '../run/figures'
import type { Finding } from './findings'
import { formatNumber as show } from '../format'
import type { ImportedRun } from '../run/run'

type Rule = (run: ImportedRun) => Finding | null

const inconsistent = (id: string, numbers: Finding['numbers'], sentence: string): Finding => ({
  id,
  severity: 'inconsistent',
  numbers,
  sentence,
  learn: null,
})

/** Fewer requests take so little time that its rounding explains any rate. */
const leastRequests = 20
const largestRateError = 0.05
/** Half of the last place of the coarsest time that is printed with a rate (hey: 0.1 ms). */
const timeRoundingMs = 0.05

/** Requests and their time give a rate; another one printed beside them is wrong, or one of the two is. */
export const rateAgainstCount: Rule = (run) => {
  const { requests, requestsPerSecond } = run
  // vegeta counts the time until the last request was sent.
  const timeMs = run.tool === 'vegeta' ? run.attackMs : run.durationMs
  if (requests === null || requests < leastRequests || requestsPerSecond === null || !timeMs) return null
  const perSecond = (requests / timeMs) * 1_000
  if (Math.abs(requestsPerSecond / perSecond - 1) <= largestRateError + timeRoundingMs / timeMs) return null
  return inconsistent(
    'rate-contradicts-count',
    { requests, timeMs, requestsPerSecond, perSecond },
    `${show(requests)} requests in ${show(timeMs)} ms are ${show(perSecond)} requests/s, not ${show(requestsPerSecond)} as printed`,
  )
}

/** A printed histogram holds every response once. */
export const histogramAgainstCount: Rule = (run) => {
  for (const { histogram, count } of run.latencies) {
    if (histogram?.kind !== 'buckets' || count === null) continue
    const counted = histogram.buckets.reduce((sum, bucket) => sum + bucket.count, 0)
    if (counted === count || run.warnings.some((warning) => warning.code === 'sample-cap')) continue
    const sentence = `the histogram holds ${show(counted)} responses, and ${show(count)} were counted`
    return inconsistent('histogram-does-not-sum', { counted, count }, sentence)
  }
  return null
}

/** What rounding of printed times may be off by. */
const rounding = 1.01

/** Mean and percentiles lie between the fastest and the slowest. wrk adds values for coordinated omission: not there. */
export const figuresWithinRange: Rule = (run) => {
  const latency = leadingLatency(run)
  if (latency === null || run.tool === 'wrk' || run.tool === 'wrk2') return null
  const { minMs, maxMs, meanMs, quantiles } = latency
  if (minMs !== null && maxMs !== null && minMs > maxMs * rounding) {
    const sentence = `the fastest (${show(minMs)} ms) is slower than the slowest (${show(maxMs)} ms)`
    return inconsistent('figure-out-of-range', { minMs, maxMs }, sentence)
  }
  const known = [
    ...(meanMs === null ? [] : [{ name: 'mean', ms: meanMs }]),
    ...quantiles.map(({ q, ms }) => ({ name: `p${Number((q * 100).toPrecision(12))}`, ms })),
  ]
  const beyond = known.find(
    ({ ms }) => (maxMs !== null && ms > maxMs * rounding) || (minMs !== null && ms * rounding < minMs),
  )
  if (beyond === undefined) return null
  const range = `${minMs === null ? '' : `from ${show(minMs)} `}${maxMs === null ? 'on' : `to ${show(maxMs)}`} ms`
  return inconsistent(
    'figure-out-of-range',
    { ms: beyond.ms, ...(minMs === null ? {} : { minMs }), ...(maxMs === null ? {} : { maxMs }) },
    `${beyond.name} (${show(beyond.ms)} ms) is not within the range ${range}`,
  )
}
