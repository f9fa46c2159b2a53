/**
 * statistics.json of JMeter's dashboard, as
 * https://github.com/apache/jmeter/blob/rel/v5.6.3/src/core/src/main/java/org/apache/jmeter/report/processor/SamplingStatisticCalculator
 * and SummaryData fill it: a member for each label, and Total, which leaves transactions out. pct1 to pct3 are
 * percentiles that are a setting: 90, 95 and 99 unless it was changed, which the file does not state.
 *
 *     {"Total":{"transaction":"Total","sampleCount":240,"errorCount":0,"errorPct":0.0,"meanResTime":5.9,"medianResTime":4.0,…
 */
import * as z from 'zod'
import { ImportError } from '../../lib/errors'
import type { ImportProblem, Measure } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { truncatedProblem, problemOf } from '../import-problem'
import { readJsonDocuments, refuseDocument } from '../text/json-documents'
import { decodeHead } from '../text/text-head'
import { latencyOf } from '../latency-of'

/** Reads the statistics of JMeter's dashboard. */
export const jmeterStatistics: RawImporter = {
  kind: 'raw',
  id: 'jmeter-statistics',
  isJsonReport: true,
  detect: (head) => {
    const text = decodeHead(head, 65_536)
    return /^\s*\{/.test(text) && /"Total"\s*:\s*\{/.test(text) && /"pct1ResTime"\s*:/.test(text)
  },
  stored: (bytes) => bytes,
  read: readStatistics,
}

const hint = 'Upload the whole statistics.json of the dashboard.'
const form = { name: "JMeter's statistics.json", hint, telling: /"pct1ResTime"\s*:/ }

const figure = z.number().nullish()
const totalSchema = z.object({
  Total: z.object({
    sampleCount: z.number(),
    errorCount: z.number(),
    meanResTime: figure,
    medianResTime: figure,
    minResTime: figure,
    maxResTime: figure,
    pct1ResTime: figure,
    pct2ResTime: figure,
    pct3ResTime: figure,
    throughput: figure,
    receivedKBytesPerSec: figure,
    sentKBytesPerSec: figure,
  }),
})

async function* readStatistics(bytes: Bytes): AsyncGenerator<BlockRun | ImportProblem> {
  const { documents, problems, isTruncated } = await readJsonDocuments(bytes, form)
  const refusals: ImportError[] = []
  let found = 0
  for (const document of documents) {
    const { value, line } = document
    const { data, error } = totalSchema.safeParse(value)
    if (data === undefined) refusals.push(...refuseDocument(form, document, error))
    if (data === undefined || data.Total.sampleCount === 0) continue
    found++
    yield { ...createRun(data.Total, Object.keys(Object(value)).length - 1), lines: [line, line] }
  }
  const [refusal] = refusals
  if (found === 0)
    throw refusal ?? new ImportError('empty', "JMeter's statistics contain no total of samples", { line: 1, hint })
  yield* [...problems, ...refusals.map((one) => problemOf(one))]
  if (isTruncated) yield truncatedProblem(null, "JMeter's last statistics are truncated")
}

/** `labels`: number of labels besides the total. */
function createRun(total: z.infer<typeof totalSchema>['Total'], labels: number): BlockRun {
  const { sampleCount, errorCount } = total
  const printed: Record<string, string> = {}
  const keep = (field: string, value: number | null | undefined, unit = '') => {
    if (value === null || value === undefined) return null
    printed[field] = `${value}${unit}`
    return value
  }
  const quantiles = [
    { q: 0.5, ms: total.medianResTime },
    { q: 0.9, ms: total.pct1ResTime },
    { q: 0.95, ms: total.pct2ResTime },
    { q: 0.99, ms: total.pct3ResTime },
  ].flatMap(({ q, ms }) => {
    const kept = keep(`latencies.0.p${q * 100}`, ms, ' ms')
    return kept === null ? [] : [{ q, ms: kept }]
  })
  return {
    ...blankRun('jmeter', 'jmeter-statistics'),
    requests: keep('requests', sampleCount),
    successes: sampleCount - errorCount,
    successRatio: (sampleCount - errorCount) / sampleCount,
    requestsPerSecond: keep('requestsPerSecond', total.throughput),
    latencies: [
      latencyOf({
        count: sampleCount,
        minMs: keep('latencies.0.minMs', total.minResTime, ' ms'),
        meanMs: keep('latencies.0.meanMs', total.meanResTime, ' ms'),
        maxMs: keep('latencies.0.maxMs', total.maxResTime, ' ms'),
        quantiles,
        method: 'interpolated-beyond',
      }),
    ],
    measures: [
      ...perSecond('received-per-second', total.receivedKBytesPerSec),
      ...perSecond('sent-per-second', total.sentKBytesPerSec),
    ],
    printed,
    warnings: [
      ...(labels > 1
        ? [
            {
              code: 'names-left-out',
              message: `The figures of its ${labels} labels are not read: the file does not say which of them are transactions. JMeter's .jtl has all.`,
              line: null,
            },
          ]
        : []),
      {
        code: 'percentiles-are-a-setting',
        message:
          'The dashboard calls its percentiles pct1 to pct3: they are read as p90, p95 and p99, which they are unless aggregate_rpt_pct1 to 3 were set otherwise.',
        line: null,
      },
    ],
  }
}

/** JMeter's kB has 1,024 bytes. */
const perSecond = (name: string, kilobytes: number | null | undefined): Measure[] =>
  kilobytes === null || kilobytes === undefined ? [] : [{ name, value: kilobytes * 1_024, unit: 'bytes/s', line: null }]
