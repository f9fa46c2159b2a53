/**
 * oha's JSON, as https://github.com/hatoo/oha/blob/v1.16.0/src/printer.rs (print_json) writes it: `--json` up to 1.9,
 * `--output-format json` since. Seconds as full doubles; infinities and NaN are null. Bounds of the histogram are keys,
 * sorted as text.
 *
 *     {"summary":{"successRate":1.0,"total":0.433775594,"slowest":0.02412739,"fastest":0.000578598,"average":…},
 *     "responseTimeHistogram":{"0.000578598":1,"0.0029334772":234,…},"latencyPercentiles":{"p10":…},
 *     "statusCodeDistribution":{"200":500},"errorDistribution":{}}
 */
import * as z from 'zod'
import { ImportError } from '../../lib/errors'
import type { ImportProblem, Milliseconds, Phase } from '../../lib/run/run'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { truncatedProblem, problemOf } from '../import-problem'
import { readJsonDocuments, refuseDocument } from '../text/json-documents'
import { decodeHead } from '../text/text-head'
import { createOhaRun, type OhaDistribution } from './oha-run'

/** Reads oha's JSON: one report, or several consecutive ones. */
export const ohaJson: RawImporter = {
  kind: 'raw',
  id: 'oha-json',
  isJsonReport: true,
  detect: (head) => {
    const text = decodeHead(head, 65_536)
    return (
      /^[\s[]*\{/.test(text) && /"summary"\s*:\s*\{\s*"successRate"\s*:/.test(text) && /"requestsPerSec"\s*:/.test(text)
    )
  },
  stored: (bytes) => bytes,
  read: readOhaJson,
}

const hint = 'Upload the whole output of "oha --output-format json".'
const form = { name: "oha's JSON", hint, telling: /"requestsPerSec"\s*:/ }

async function* readOhaJson(bytes: Bytes): AsyncGenerator<BlockRun | ImportProblem> {
  const { documents, problems, isTruncated } = await readJsonDocuments(bytes, form)
  const refusals: ImportError[] = []
  let found = 0
  for (const document of documents.flatMap(({ value, ...place }) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown) => ({ value: one, ...place })),
  )) {
    const { line } = document
    const { data: report, error } = reportSchema.safeParse(document.value)
    if (report === undefined) refusals.push(...refuseDocument(form, document, error))
    else {
      found++
      yield { ...createRun(report), lines: [line, line] }
    }
  }
  const [refusal] = refusals
  if (found === 0) throw refusal ?? new ImportError('malformed', 'this is not a complete oha report', { line: 1, hint })
  yield* [...problems, ...refusals.map((one) => problemOf(one))]
  if (isTruncated) yield truncatedProblem(null, 'the last oha report is truncated')
}

const figure = z.number().nullish()
const counts = z.record(z.string(), z.number()).nullish()
const span = z.object({ average: figure, fastest: figure, slowest: figure }).nullish()
const percentiles = z.record(z.string(), z.number().nullable()).nullish()

const reportSchema = z.object({
  summary: z.object({
    successRate: figure,
    total: figure,
    slowest: figure,
    fastest: figure,
    average: figure,
    requestsPerSec: figure,
    totalData: figure,
  }),
  responseTimeHistogram: counts,
  latencyPercentiles: percentiles,
  responseTimeHistogramSuccessful: counts,
  latencyPercentilesSuccessful: percentiles,
  responseTimeHistogramNotSuccessful: counts,
  latencyPercentilesNotSuccessful: percentiles,
  details: z.object({ DNSDialup: span, DNSLookup: span, firstByte: span }).nullish(),
  statusCodeDistribution: z.record(z.string(), z.number()),
  errorDistribution: z.record(z.string(), z.number()),
})
type Report = z.infer<typeof reportSchema>

function createRun(report: Report): BlockRun {
  const { summary, details } = report
  const printed: Record<string, string> = {}
  const keep = (key: string, value: number | null | undefined, unit = '') => {
    if (value === null || value === undefined) return null
    printed[key] = `${value}${unit}`
    return value
  }
  const keepMs = (key: string, seconds: number | null | undefined) => {
    const kept = keep(key, seconds, ' s')
    return kept === null ? null : toMs(kept)
  }
  const all = distributionOf(report.responseTimeHistogram, report.latencyPercentiles)
  for (const { q } of all.quantiles) {
    const name = `p${percentOf(q)}`
    keep(`latencies.0.${name}`, report.latencyPercentiles?.[name], ' s')
  }
  const optional = (histogram: Report['responseTimeHistogram'], quantiles: Report['latencyPercentiles']) =>
    quantiles ? distributionOf(histogram, quantiles) : null
  const codes = countsOf(report.statusCodeDistribution, /^\d{3}$/)
  return createOhaRun({
    form: 'oha-json',
    durationMs: keepMs('durationMs', summary.total),
    successRatio: keep('successRatio', summary.successRate),
    requestsPerSecond: keep('requestsPerSecond', summary.requestsPerSec),
    bytesIn: keep('bytesIn', summary.totalData),
    minMs: keepMs('latencies.0.minMs', summary.fastest),
    meanMs: keepMs('latencies.0.meanMs', summary.average),
    maxMs: keepMs('latencies.0.maxMs', summary.slowest),
    all,
    good: optional(report.responseTimeHistogramSuccessful, report.latencyPercentilesSuccessful),
    bad: optional(report.responseTimeHistogramNotSuccessful, report.latencyPercentilesNotSuccessful),
    phases: [
      ...phaseOf('DNS+dialup', details?.DNSDialup),
      ...phaseOf('DNS-lookup', details?.DNSLookup),
      ...phaseOf('first byte', details?.firstByte),
    ],
    statusCodes: codes,
    errors: Object.entries(countsOf(report.errorDistribution, /./))
      .map(([message, count]) => ({ message, count }))
      .sort((a, b) => b.count - a.count),
    printed,
    complete: true,
  })
}

/** Names with valid counts. */
function countsOf(counted: Readonly<Record<string, number>>, name: RegExp): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counted).filter(([key, count]) => name.test(key) && Number.isSafeInteger(count) && count > 0),
  )
}

const percentOf = (q: number) => Number((q * 100).toPrecision(12))

function distributionOf(histogram: Report['responseTimeHistogram'], quantiles: Report['latencyPercentiles']) {
  const distribution: OhaDistribution = {
    quantiles: Object.entries(quantiles ?? {})
      .flatMap(([name, seconds]) => {
        const percent = /^p(\d{1,2}(?:\.\d{1,4})?)$/.exec(name)?.[1]
        return percent === undefined || seconds === null ? [] : [{ q: Number(`${percent}e-2`), ms: toMs(seconds) }]
      })
      .sort((a, b) => a.q - b.q),
    buckets: Object.entries(histogram ?? {})
      .map(([upper, count]) => ({ upperMs: toMs(Number(upper)), count }))
      .filter(({ upperMs, count }) => Number.isFinite(upperMs) && Number.isSafeInteger(count) && count >= 0)
      .sort((a, b) => a.upperMs - b.upperMs),
  }
  return distribution
}

function phaseOf(name: string, found: z.infer<typeof span>): Phase[] {
  if (typeof found?.average !== 'number') return []
  return [{ name, meanMs: toMs(found.average), minMs: orNull(found.fastest), maxMs: orNull(found.slowest) }]
}

const orNull = (seconds: number | null | undefined): Milliseconds | null =>
  typeof seconds === 'number' ? toMs(seconds) : null

/** Seconds as milliseconds, rounded once. */
function toMs(seconds: number): Milliseconds {
  const text = String(seconds)
  return text.includes('e') ? seconds * 1e3 : Number(`${text}e3`)
}
