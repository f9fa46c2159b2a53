/**
 * bombardier's JSON (`-p r -o json`), as https://github.com/codesenberg/bombardier/blob/v2.0.2/internal/test_info.go and
 * https://github.com/codesenberg/bombardier/blob/v2.0.2/template/json.go make it. Latencies are in µs, percentiles only
 * with `-l`. Of its specification headers and body are not read: they may hold secrets.
 *
 *     {"spec":{"numberOfConnections":4,"testType":"timed","testDurationSeconds":2,"method":"GET","url":"http://…","body":"",
 *     "stream":false,"timeoutSeconds":2,"client":"fasthttp"},"result":{"bytesRead":2974104,"bytesWritten":182088,
 *     "timeTakenSeconds":2.003442813,"req1xx":0,"req2xx":2529,…"others":0,"latency":{"mean":3159.47,"stddev":1403.4,"max":12465,
 *     "percentiles":{"50":2687,…}},"rps":{…}}}
 */
import * as z from 'zod'
import type { Latency } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun } from '../importer'
import { createJsonImporter, readEach } from '../json-reports'
import { Printed } from '../printed'
import { listClasses, totalCount, warnOfOthers } from './bombardier-run'
import { latencyOf } from '../latency-of'

/** Reads bombardier's JSON, also inside a document. */
export const bombardierJson = createJsonImporter({
  id: 'bombardier-json',
  name: "bombardier's JSON",
  hint: 'Upload the whole output of "bombardier -p r -o json".',
  detect: (start) => /^\{\s*"spec"\s*:\s*\{\s*"numberOfConnections"\s*:/.test(start),
  read: (reports) => readEach(reports, reportSchema, createRun),
})

const figure = z.number().nullish()
const count = z.number().int().nonnegative().default(0)

const reportSchema = z.object({
  spec: z.object({
    numberOfConnections: figure,
    method: z.string().nullish(),
    url: z.string().nullish(),
    rate: figure,
  }),
  result: z.object({
    bytesRead: figure,
    bytesWritten: figure,
    timeTakenSeconds: figure,
    req1xx: count,
    req2xx: count,
    req3xx: count,
    req4xx: count,
    req5xx: count,
    others: count,
    errors: z.array(z.object({ description: z.string(), count: z.number().int().nonnegative() })).nullish(),
    latency: z
      .object({
        mean: figure,
        stddev: figure,
        max: figure,
        percentiles: z.record(z.string(), z.number()).nullish(),
      })
      .nullish(),
    rps: z.object({ mean: figure, stddev: figure, max: figure }).nullish(),
  }),
})
type Report = z.infer<typeof reportSchema>

function createRun({ spec, result }: Report, line: number): BlockRun {
  const printed = new Printed()
  const { req1xx, req2xx, req3xx, req4xx, req5xx, others, rps } = result
  const counts = { classes: { '1xx': req1xx, '2xx': req2xx, '3xx': req3xx, '4xx': req4xx, '5xx': req5xx }, others }
  const requests = totalCount(counts)
  const samples = [
    ['rate-of-samples-mean', rps?.mean],
    ['rate-of-samples-stdev', rps?.stddev],
    ['rate-of-samples-max', rps?.max],
  ] as const
  return {
    ...blankRun('bombardier', 'bombardier-json'),
    url: spec.url || null,
    method: spec.method || null,
    durationMs: printed.time('durationMs', result.timeTakenSeconds, 's'),
    load: spec.rate
      ? { kind: 'open', ratePerSecond: spec.rate }
      : { kind: 'closed', connections: spec.numberOfConnections ?? null },
    requests,
    bytesIn: printed.figure('bytesIn', result.bytesRead),
    bytesOut: printed.figure('bytesOut', result.bytesWritten),
    errors: (result.errors ?? []).map(({ description, count: times }) => ({ message: description, count: times })),
    latencies: requests === 0 ? [] : listLatencies(result.latency, requests, printed),
    measures: [
      ...listClasses(counts, line),
      ...(spec.rate && spec.numberOfConnections
        ? [{ name: 'connections', value: spec.numberOfConnections, unit: null, line }]
        : []),
      // A mean of samples over time, not requests divided by time.
      ...samples.flatMap(([name, value]) =>
        typeof value === 'number' ? [{ name, value, unit: 'requests/s', line }] : [],
      ),
    ],
    printed: printed.texts,
    warnings: warnOfOthers(counts, line),
  }
}

function listLatencies(latency: Report['result']['latency'], requests: number, printed: Printed): Latency[] {
  if (!latency) return []
  const percentiles = Object.entries(latency.percentiles ?? {}).flatMap(([percent, value]) =>
    /^\d{1,2}(?:\.\d{1,6})?$/.test(percent) ? [[Number(percent), value] as const] : [],
  )
  return [
    latencyOf({
      count: requests,
      meanMs: printed.time('latencies.0.meanMs', latency.mean, 'µs'),
      stdDevMs: printed.time('latencies.0.stdDevMs', latency.stddev, 'µs'),
      maxMs: printed.time('latencies.0.maxMs', latency.max, 'µs'),
      quantiles: printed.quantiles(0, percentiles, 'µs'),
      method: 'nearest-rank',
    }),
  ]
}
