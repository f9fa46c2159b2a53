/**
 * autocannon's JSON (`-j`), as https://github.com/mcollina/autocannon/blob/v8.0.0/lib/run.js puts it together and
 * https://github.com/mcollina/autocannon/blob/v8.0.0/lib/histUtil.js its percentiles (7.15 to 9.0). Times are whole
 * milliseconds. With a warm-up (`-W`) two are printed: the first is the warm-up's alone, the second contains it again.
 *
 *     {"url":"http://127.0.0.1:18201/api/items","connections":4,"sampleInt":1000,"pipelining":1,"workers":0,"duration":2.06,
 *     "samples":2,"start":"2026-11-22T01:29:20.685Z",…"errors":0,"timeouts":0,"mismatches":0,"non2xx":0,"resets":0,…"2xx":1710,
 *     "statusCodeStats":{"200":{"count":1710}},"latency":{"average":4.09,…"p97_5":13,"p99":25,"totalCount":1710},"requests":{…
 */
import * as z from 'zod'
import type { Latency, Measure, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun } from '../importer'
import { createJsonImporter, faultOfReports, type JsonReport } from '../json-reports'
import { Printed } from '../printed'
import { latencyOf } from '../latency-of'

const keys = /^\{\s*"(?:url|title|connections|sampleInt|pipelining|1xx)"\s*:/

/** Reads autocannon's JSON, also inside a document. */
export const autocannonJson = createJsonImporter({
  id: 'autocannon-json',
  name: "autocannon's JSON",
  hint: 'Upload the whole output of "autocannon -j".',
  detect: (start) =>
    keys.test(start.replace(/^\[\s*/, '')) &&
    (/"connections"\s*:\s*[^\s,:{}[\]]{1,30},\s*"(?:sampleInt|pipelining)"\s*:/.test(start) ||
      /"1xx"\s*:\s*[^\s,:{}[\]]{1,30},\s*"2xx"\s*:/.test(start)),
  continues: (start) => keys.test(start),
  read(reports) {
    const results = reports.flatMap(readResults)
    if (results.length === 0) return faultOfReports(reports, resultSchema)
    // The warm-up's own result precedes the one that repeats it.
    const runs = results.filter((_, at) => results[at + 1]?.result.warmup == null)
    return { runs: runs.map(createRun) }
  },
})

const figure = z.number().nullish()
const count = z.number().int().nonnegative()
const histogram = z.looseObject({ mean: figure, average: figure, stddev: figure, min: figure, max: figure })

const resultSchema = z.object({
  title: z.string().nullish(),
  url: z.string().nullish(),
  connections: count.nullish(),
  pipelining: count.nullish(),
  workers: count.nullish(),
  duration: figure,
  start: z.iso.datetime().nullish().catch(null),
  errors: count.nullish(),
  timeouts: count.nullish(),
  mismatches: count.nullish(),
  resets: count.nullish(),
  '2xx': count.nullish(),
  statusCodeStats: z.record(z.string(), z.object({ count })).nullish(),
  latency: histogram.extend({ totalCount: count.nullish() }),
  requests: histogram.extend({ total: count.nullish(), sent: count.nullish() }),
  throughput: z.object({ total: figure }).nullish(),
  warmup: z.unknown().optional(),
})
type Result = z.infer<typeof resultSchema>

interface Found {
  readonly result: Result
  readonly lines: readonly [number, number]
}

function readResults({ value, lines }: JsonReport): Found[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => {
    const result = resultSchema.safeParse(one).data
    return result === undefined ? [] : [{ result, lines }]
  })
}

function createRun({ result, lines }: Found): BlockRun {
  const printed = new Printed()
  const { requests, connections, errors } = result
  const responses = requests.total ?? null
  return {
    ...blankRun('autocannon', 'autocannon-json'),
    lines,
    name: result.title || null,
    url: result.url || null,
    startedAt: result.start ?? null,
    durationMs: printed.time('durationMs', result.duration, 's'),
    load: { kind: 'closed', connections: connections ?? null },
    // Its total counts responses; a request without one is an error.
    requests: responses === null || errors == null ? null : responses + errors,
    successes: result['2xx'] ?? null,
    successRatio:
      responses === null || errors == null || result['2xx'] == null || responses + errors === 0
        ? null
        : result['2xx'] / (responses + errors),
    requestsPerSecond: printed.figure('requestsPerSecond', requests.average ?? requests.mean),
    bytesIn: printed.figure('bytesIn', result.throughput?.total),
    statusCodes: Object.fromEntries(
      Object.entries(result.statusCodeStats ?? {}).map(([code, { count: times }]) => [code, times]),
    ),
    latencies: listLatencies(result, printed),
    measures: listMeasures(result, lines[0]),
    printed: printed.texts,
    warnings: listWarnings(result, lines[0]),
  }
}

/** With -R and -r values are added: then there are more of them than responses. */
function addsValues({ latency, requests }: Result): boolean {
  return typeof latency.totalCount === 'number' && latency.totalCount > (requests.total ?? Infinity)
}

function listLatencies(result: Result, printed: Printed): Latency[] {
  const { latency } = result
  // Without a response all are 0: absence, not speed.
  if (latency.totalCount === 0 || (latency.totalCount == null && !latency.max)) return []
  const percentiles = Object.entries(latency).flatMap(([key, value]) => {
    const percent = /^p(\d{1,2})(?:_(\d{1,6}))?$/.exec(key)
    return percent && typeof value === 'number' ? [[Number(`${percent[1]}.${percent[2] ?? 0}`), value] as const] : []
  })
  return [
    latencyOf({
      of: addsValues(result) ? 'recorded' : 'all',
      count: latency.totalCount ?? null,
      minMs: printed.time('latencies.0.minMs', latency.min, 'ms'),
      meanMs: printed.time('latencies.0.meanMs', latency.average ?? latency.mean, 'ms'),
      stdDevMs: printed.time('latencies.0.stdDevMs', latency.stddev, 'ms'),
      maxMs: printed.time('latencies.0.maxMs', latency.max, 'ms'),
      quantiles: printed.quantiles(0, percentiles, 'ms'),
      method: 'hdr',
    }),
  ]
}

function listMeasures(result: Result, line: number): Measure[] {
  const { errors, timeouts, mismatches, resets, pipelining, workers } = result
  const always = { 'requests-sent': result.requests.sent }
  const ifAny = { errors, timeouts, mismatches, resets, workers, pipelining: pipelining === 1 ? 0 : pipelining }
  return [
    ...Object.entries(always).filter(([, value]) => value != null),
    ...Object.entries(ifAny).filter(([, value]) => value != null && value > 0),
  ].map(([name, value]) => ({ name, value: value ?? 0, unit: null, line }))
}

function listWarnings(result: Result, line: number): Warning[] {
  const { latency, requests, errors, connections, pipelining } = result
  const warnings: Warning[] = []
  const warn = (code: string, message: string, numbers: Record<string, number>) =>
    warnings.push({ code, message, line, numbers })
  const values = latency.totalCount ?? 0
  const responses = requests.total ?? 0
  if (addsValues(result))
    warn(
      'values-added',
      `autocannon added ${values - responses} values to ${responses} measured ones, as if a request were due every millisecond (-R, -r): its mean and percentiles are not those of the responses.`,
      { values, responses },
    )
  if (values > 0 && values < responses)
    warn('successes-only', `Only the ${values} responses with 2xx are in the latencies (-x), of ${responses}.`, {
      values,
      responses,
    })
  const inFlight = (connections ?? 0) * (pipelining ?? 1)
  const lost = (requests.sent ?? 0) - responses - (errors ?? 0)
  // With -R and -r a request counts as sent when it is due.
  if (connections != null && lost > inFlight && !addsValues(result))
    warn(
      'sent-again',
      `${lost} more requests than responses, of which ${inFlight} at most were in flight at the end: connections were reset and requests sent again, which autocannon counts nowhere.`,
      { lost, inFlight },
    )
  if ((errors ?? 0) > responses)
    warn('mostly-errors', 'Most requests got no response: their number says how fast they failed.', {
      errors: errors ?? 0,
      responses,
    })
  return warnings
}
