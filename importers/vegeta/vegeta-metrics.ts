import { z } from 'zod'
import type { LatencyHistogram, Milliseconds, UtcIso } from '../../lib/run/run'
import type { BlockRun } from '../importer'
import { createVegetaRun, sumStatusCodes } from './vegeta-report'

const figure = z.number().nullish()
const nanoseconds = z.number().nullish()

/** vegeta's Metrics as JSON. All optional: older versions print fewer, a cut report too. */
const metricsSchema = z.object({
  latencies: z.object({
    total: nanoseconds,
    mean: nanoseconds,
    '50th': nanoseconds,
    '90th': nanoseconds,
    '95th': nanoseconds,
    '99th': nanoseconds,
    max: nanoseconds,
    min: nanoseconds,
  }),
  buckets: z.record(z.string(), z.number()).nullish(),
  bytes_in: z.object({ total: figure, mean: figure }).nullish(),
  bytes_out: z.object({ total: figure, mean: figure }).nullish(),
  earliest: z.string().nullish(),
  duration: nanoseconds,
  wait: nanoseconds,
  requests: z.number().int().nonnegative().nullish(),
  rate: figure,
  throughput: figure,
  success: figure,
  status_codes: z.record(z.string(), z.number()).nullish(),
  errors: z.array(z.string()).nullish(),
})

type Metrics = z.infer<typeof metricsSchema>

/** A run made of a report's JSON value; `missing` names the keys that every version prints and this value has not. */
export interface MetricsRun {
  readonly run: BlockRun
  readonly complete: boolean
  readonly missing: readonly string[]
}

/** Makes a run of a parsed JSON report. Null: the value is not one. `line`: where it stands, for warnings. */
export function createRunOfMetrics(value: unknown, line: number): MetricsRun | null {
  const metrics = metricsSchema.safeParse(value).data
  if (metrics === undefined || typeof metrics.latencies['50th'] !== 'number') return null
  const { latencies } = metrics
  const statusCodes = readCounts(metrics.status_codes, /^\d{1,3}$/)
  const requests = metrics.requests ?? null
  const missing = (
    ['bytes_in', 'bytes_out', 'duration', 'wait', 'requests', 'rate', 'success', 'status_codes'] as const
  )
    // A figure that is not a number (NaN is not JSON) would have been null.
    .filter((key) => metrics[key] === undefined)
  const codesAddUp = statusCodes !== null && sumStatusCodes(statusCodes) === requests

  const printed: Record<string, string> = {}
  /** Go prints numbers in JSON as JavaScript does, so that this is the text of the file, with the unit it leaves unsaid. */
  function keep(key: string, number: number | null | undefined, unit = ''): number | null {
    if (number === null || number === undefined) return null
    printed[key] = `${number}${unit}`
    return number
  }
  function keepMs(key: string, ns: number | null | undefined): Milliseconds | null {
    const kept = keep(key, ns, ' ns')
    return kept === null ? null : toMs(kept)
  }
  const percents = [50, 90, 95, 99] as const
  const quantiles = percents.flatMap((percent) => {
    const ms = keepMs(`latencies.0.p${percent}`, latencies[`${percent}th`])
    return ms === null ? [] : [{ q: percent / 100, ms }]
  })
  const { duration, wait } = metrics
  const run = createVegetaRun({
    form: 'vegeta-json',
    toolVersion: guessVersion(metrics),
    startedAt: requests === 0 ? null : toUtcIso(metrics.earliest),
    requests: keep('requests', metrics.requests),
    requestsPerSecond: keep('requestsPerSecond', metrics.rate),
    throughputPerSecond: keep('throughputPerSecond', metrics.throughput),
    // The text report prints this sum as its total.
    durationMs: typeof duration === 'number' && typeof wait === 'number' ? toMs(duration + wait) : null,
    attackMs: keepMs('attackMs', duration),
    waitMs: keepMs('waitMs', wait),
    minMs: keepMs('latencies.0.minMs', latencies.min),
    meanMs: keepMs('latencies.0.meanMs', latencies.mean),
    maxMs: keepMs('latencies.0.maxMs', latencies.max),
    quantiles,
    histogram: createHistogram(metrics.buckets),
    bytesIn: keep('bytesIn', metrics.bytes_in?.total),
    bytesOut: keep('bytesOut', metrics.bytes_out?.total),
    successRatio: keep('successRatio', metrics.success),
    statusCodes,
    errors: metrics.errors ?? [],
    measures: (['in', 'out'] as const).flatMap((way) => {
      const value = keep(`measures.bytes-${way}-mean`, metrics[`bytes_${way}`]?.mean)
      return value === null ? [] : [{ name: `bytes-${way}-mean`, value, unit: 'bytes', line }]
    }),
    complete: true,
    printed,
    line,
  })
  return { run, complete: missing.length === 0 && (codesAddUp || requests === 0), missing }
}

/** Nanoseconds as milliseconds, rounded once. */
function toMs(ns: number): Milliseconds {
  return Number.isInteger(ns) ? Number(`${ns}e-6`) : ns / 1e6
}

function guessVersion({ latencies, throughput }: Metrics): string {
  if (typeof latencies.min === 'number' || typeof latencies['90th'] === 'number') return '>=12.8'
  return typeof throughput === 'number' ? '12.6-12.7' : '<12.6'
}

/** Entries whose key and count are what they should be, as an object without surprises (`__proto__` is no code). */
function readCounts(counts: Record<string, number> | null | undefined, key: RegExp): Record<string, number> | null {
  if (counts === null || counts === undefined) return null
  return Object.fromEntries(
    Object.entries(counts).filter(([name, count]) => key.test(name) && Number.isSafeInteger(count) && count >= 0),
  )
}

/** `{"0": 12, "1000000": 3}`: lower bounds in ns, inclusive; each bucket ends where the next begins. */
function createHistogram(buckets: Metrics['buckets']): LatencyHistogram | null {
  const counts = Object.entries(readCounts(buckets, /^\d{1,16}$/) ?? {})
    .map(([lower, count]) => ({ lowerNs: Number(lower), count }))
    .sort((a, b) => a.lowerNs - b.lowerNs)
  if (counts.length === 0) return null
  return {
    kind: 'buckets',
    inclusive: 'lower',
    buckets: counts.map(({ lowerNs, count }, index) => {
      const next = counts[index + 1]
      return { lowerMs: toMs(lowerNs), upperMs: next === undefined ? null : toMs(next.lowerNs), count }
    }),
  }
}

/** RFC 3339 with any offset and up to nine decimals, cut to milliseconds. Go's zero time is absence. */
function toUtcIso(text: string | null | undefined): UtcIso | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text ?? '')) return null
  const time = Date.parse((text ?? '').replace(/(\.\d{3})\d+/, '$1'))
  return Number.isNaN(time) || time <= 0 ? null : new Date(time).toISOString()
}
