/**
 * Fortio's JSON (`-json`, `-a`), as https://github.com/fortio/fortio/blob/v1.75.3/periodic/periodic.go (RunnerResults) and
 * https://github.com/fortio/fortio/blob/v1.75.3/fhttp/httprunner.go (HTTPRunnerResults) are encoded; Nighthawk's
 * `--output-format fortio` has the same root. Seconds as full doubles; its percentiles are interpolated inside of
 * buckets.
 *
 *     {"RunType":"HTTP","Labels":"","StartTime":"2026-11-22T01:32:45.377793272Z","RequestedQPS":"100",
 *     "RequestedDuration":"exactly 240 calls","ActualQPS":99.629367668506,"ActualDuration":2408928267,"NumThreads":2,
 *     "Version":"1.75.3","DurationHistogram":{"Count":240,"Min":0.000540871,…"Data":[{"Start":…,"End":…,"Count":1},…
 */
import * as z from 'zod'
import type { Latency, Load, Measure, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun } from '../importer'
import { createJsonImporter, readEach } from '../json-reports'
import { Printed, toMs } from '../printed'
import { latencyOf } from '../latency-of'
import { readUtcIso } from '../text/iso-time'

/** Reads Fortio's JSON, also inside a document. */
export const fortioJson = createJsonImporter({
  id: 'fortio-json',
  name: "Fortio's JSON",
  hint: 'Upload the whole file that "fortio load -json" wrote.',
  detect: (start) =>
    /^\{\s*"RunType"\s*:\s*"\w{1,20}"\s*,\s*"Labels"\s*:/.test(start) ||
    (/^\{\s*"[A-Z]\w{1,40}"\s*:/.test(start) &&
      /"DurationHistogram"\s*:\s*\{/.test(start) &&
      /"RequestedQPS"\s*:\s*"/.test(start)),
  read: (reports) => readEach(reports, resultSchema, createRun),
})

const figure = z.number().nullish()
const counts = z.record(z.string(), z.number().int().nonnegative()).nullish()

const histogramSchema = z.object({
  Count: z.number().int().nonnegative(),
  Min: figure,
  Max: figure,
  Sum: figure,
  Avg: figure,
  StdDev: figure,
  Data: z.array(z.object({ Start: z.number(), End: z.number(), Count: z.number().int().nonnegative() })).nullish(),
  Percentiles: z.array(z.object({ Percentile: z.number(), Value: z.number() })).nullish(),
})
type Histogram = z.infer<typeof histogramSchema>

const resultSchema = z.object({
  Labels: z.string().nullish(),
  StartTime: z.string().nullish(),
  RequestedQPS: z.string().nullish(),
  RequestedDuration: z.string().nullish(),
  ActualQPS: figure,
  ActualDuration: figure,
  NumThreads: figure,
  Version: z.string().nullish(),
  DurationHistogram: histogramSchema,
  ErrorsDurationHistogram: histogramSchema.nullish(),
  RetCodes: counts,
  Sizes: histogramSchema.nullish(),
  URL: z.string().nullish(),
  Destination: z.string().nullish(),
  AbortOn: figure,
})
type Result = z.infer<typeof resultSchema>

/** I'm a teapot: passes by default. */
const passingCode = 418

function createRun(result: Result, line: number): BlockRun {
  const printed = new Printed()
  const requests = printed.figure('requests', result.DurationHistogram.Count)
  const successes = countSuccesses(result)
  const { RetCodes: codes = {}, URL: url } = result
  const noResponse = codes?.['-1'] ?? 0
  return {
    ...blankRun('fortio', 'fortio-json'),
    name: result.Labels || null,
    toolVersion: result.Version || null,
    url: url && /^https?:\/\//.test(url) ? url : null,
    startedAt: readUtcIso(result.StartTime),
    durationMs: printed.time('durationMs', result.ActualDuration, 'ns'),
    load: loadOf(result),
    requests,
    successes,
    successRatio: successes === null || !requests ? null : successes / requests,
    requestsPerSecond: printed.figure('requestsPerSecond', result.ActualQPS),
    bytesIn: printed.figure('bytesIn', result.Sizes?.Sum),
    statusCodes: Object.fromEntries(
      Object.entries(codes ?? {}).flatMap(([code, count]) => (/^[1-9]\d{2}$/.test(code) ? [[code, count]] : [])),
    ),
    latencies: listLatencies(result, printed),
    measures: listMeasures(result, noResponse, line),
    printed: printed.texts,
    warnings: listWarnings(result, line),
  }
}

/** Fortio's own rule: 2xx, and 418; non-HTTP runs have no codes to count by. */
function countSuccesses({
  RetCodes: codes,
  DurationHistogram,
  ErrorsDurationHistogram: errors,
}: Result): number | null {
  if (errors) return DurationHistogram.Count - errors.Count
  if (!codes) return null
  return Object.entries(codes).reduce(
    (sum, [code, count]) =>
      /^2\d\d$/.test(code) || Number(code) === passingCode || code === 'OK' || code === 'SERVING' ? sum + count : sum,
    0,
  )
}

/** A rate is shared by threads that wait for their answers; "max" is not a rate. */
function loadOf({ RequestedQPS: rate, NumThreads: threads }: Result): Load {
  if (rate === 'max' || rate === '0') return { kind: 'closed', connections: threads ?? null }
  return { kind: 'unstated' }
}

function listLatencies(result: Result, printed: Printed): Latency[] {
  const { DurationHistogram: all, ErrorsDurationHistogram: failed } = result
  const latencies = all.Count === 0 ? [] : [describe('all', all, 0, printed)]
  return failed && failed.Count > 0 ? [...latencies, describe('failure', failed, 1, printed)] : latencies
}

function describe(of: Latency['of'], histogram: Histogram, at: number, printed: Printed): Latency {
  const time = (field: string, value: number | null | undefined) => printed.time(`latencies.${at}.${field}`, value, 's')
  const data = histogram.Data ?? []
  const buckets = data.flatMap(({ Start, End, Count }, index) => {
    const lowerMs = toMs(Start, 's')
    const before = data[index - 1]
    const gap = before === undefined ? null : toMs(before.End, 's')
    // Fortio leaves empty buckets out.
    const empty = gap !== null && gap < lowerMs ? [{ lowerMs: gap, upperMs: lowerMs, count: 0 }] : []
    return [...empty, { lowerMs: gap !== null && gap > lowerMs ? gap : lowerMs, upperMs: toMs(End, 's'), count: Count }]
  })
  const counted = data.reduce((sum, { Count }) => sum + Count, 0)
  const rises = buckets.every(({ lowerMs, upperMs }) => lowerMs >= 0 && upperMs >= lowerMs && Number.isFinite(upperMs))
  return latencyOf({
    of,
    count: histogram.Count,
    minMs: time('minMs', histogram.Min),
    meanMs: time('meanMs', histogram.Avg),
    stdDevMs: time('stdDevMs', histogram.StdDev),
    maxMs: time('maxMs', histogram.Max),
    quantiles: printed.quantiles(
      at,
      (histogram.Percentiles ?? []).map(({ Percentile, Value }) => [Percentile, Value] as const),
      's',
    ),
    histogram:
      rises && counted === histogram.Count && buckets.length > 0
        ? { kind: 'buckets', inclusive: 'upper', buckets }
        : null,
    origin: 'buckets',
    method: 'within-buckets',
  })
}

function listMeasures(result: Result, noResponse: number, line: number): Measure[] {
  const target = Number(result.RequestedQPS)
  return [
    ['threads-of-load', result.NumThreads ?? null] as const,
    ['requested-rate', Number.isFinite(target) && target > 0 ? target : null] as const,
    ['no-response', noResponse > 0 ? noResponse : null] as const,
  ].flatMap(([name, value]) =>
    value === null ? [] : [{ name, value, unit: name === 'requested-rate' ? 'requests/s' : null, line }],
  )
}

function listWarnings(result: Result, line: number): Warning[] {
  const asked = Number(result.RequestedQPS)
  const { ActualQPS: actual } = result
  if (!Number.isFinite(asked) || asked <= 0 || typeof actual !== 'number' || actual >= asked * 0.95) return []
  return [
    {
      code: 'rate-not-kept',
      message: `${asked} requests/s were asked for and ${Number(actual.toPrecision(4))} sent: its ${result.NumThreads ?? ''} threads were waiting for responses.`,
      line,
      numbers: { asked, actual },
    },
  ]
}
