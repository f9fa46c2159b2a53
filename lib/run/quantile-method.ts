/**
 * How a quantile was computed, in words for readers; the method travels with the value because the same samples give
 * different results. nearest-rank: the ceil(q·n)-th smallest sample. hey-rank: sorted[ceil(q·n)] (0-based), one rank
 * higher. t-digest: vegeta ≥ 10. stream-estimate: vegeta < 10. wrk-corrected: wrk's µs table with coordinated-omission
 * values added. hdr: HdrHistogram, 3 significant digits. buckets: read from printed buckets. as-reported: an author's
 * table. floor-rank: sorted[floor(q·n)] (0-based; oha, ab). interpolated: at q·(n−1) (R-7; k6). interpolated-beyond: at
 * q·(n+1) (R-6; JMeter's dashboard). rounded-rank: nearest rank of values rounded before (Locust). within-buckets:
 * linear inside of a bucket (Fortio).
 */
export const quantileMethods = {
  'nearest-rank': 'nearest rank, exact',
  'hey-rank': 'one rank above nearest rank',
  't-digest': 't-digest estimates, up to tens of percent off for few samples',
  'stream-estimate': 'streaming estimates',
  'floor-rank': 'nearest rank, one above it where q·n is whole',
  interpolated: 'linear between two samples, at q·(n−1)',
  'interpolated-beyond': 'linear between two samples, at q·(n+1)',
  'rounded-rank': 'nearest rank of rounded values',
  'within-buckets': 'linear inside a bucket: exact to its width',
  'wrk-corrected': 'from values that include ones added for coordinated omission',
  hdr: 'HdrHistogram, 3 significant digits',
  buckets: 'read off buckets',
  'as-reported': 'as reported by the author, method not stated',
} as const satisfies Readonly<Record<string, string>>

/** What that means for who reads the value. */
export const plainMethods: Readonly<Record<QuantileMethod, string>> = {
  'nearest-rank': 'exact: a response time that was measured',
  'hey-rank': 'a response time that was measured, one place higher than exact: with few samples it reads high',
  't-digest': 'estimated: up to tens of percent off for few samples',
  'stream-estimate': 'estimated while the run went on',
  'floor-rank': 'a response time that was measured, at most one place higher than exact',
  interpolated: 'between two response times that were measured',
  'interpolated-beyond': 'between two response times that were measured',
  'rounded-rank': 'a response time that was measured, rounded',
  'within-buckets': 'estimated inside a bucket, exact to its width',
  'wrk-corrected': 'includes values that were added for requests sent late',
  hdr: 'exact to 3 significant digits',
  buckets: 'read off buckets, exact to their width',
  'as-reported': 'as the author reports it; how it was computed is not stated',
}

export type QuantileMethod = keyof typeof quantileMethods

/** Whether a text names one. */
export const isQuantileMethod = (text: string): text is QuantileMethod => Object.hasOwn(quantileMethods, text)
