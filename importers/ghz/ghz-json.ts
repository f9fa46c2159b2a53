/**
 * ghz's JSON (`-O json`, `-O pretty`), as https://github.com/bojand/ghz/blob/v0.121.0/runner/reporter.go (Report) is
 * encoded, 0.93 on. `details` has every call: figures are computed from them, since the report's own mix all calls
 * (average) with those that were OK. Without details (`jq del`) its own are read, separately.
 *
 *     {"date":"2026-11-22T01:32:18Z","endReason":"normal","options":{"call":"shop.Catalogue.Lookup","host":"127.0.0.1:18221",
 *     …},"count":80,"total":711816899,"average":25081949,"fastest":2110981,"slowest":26072682,"rps":112.388,"errorDistribution":
 *     {…},"details":[{"timestamp":"2026-11-22T01:32:17.621973771Z","latency":3795896,"error":"","status":"OK"},…
 */
import * as z from 'zod'
import { ImportError } from '../../lib/errors'
import type { ImportProblem, Load } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { describeIssue, findJsonFault, parseJson, refuseJson } from '../json-fault'
import { Printed } from '../printed'
import { largestNs } from '../samples/flat-histogram'
import { truncatedProblem } from '../import-problem'
import { RowFaults } from '../samples/row-faults'
import { besideOf } from '../samples/run-cube'
import { warnOfRows } from '../samples/row-warnings'
import { Samples } from '../samples/samples'
import type { Wanted } from '../rows/wanted'
import { openText } from '../text/bytes'
import { toFastBytes } from '../text/fast-bytes'
import { JsonStream, type JsonSink } from '../text/json-stream'
import { decodeHead } from '../text/text-head'
import { listErrors, listStatuses, okCount, okStatus, printedLatencies, warnOfMeans } from './ghz-run'

/** Reads the JSON of ghz, whatever the number of calls in it. */
export const ghzJson: RawImporter = {
  kind: 'raw',
  id: 'ghz-json',
  isJsonReport: true,
  detect: (head) => {
    const text = decodeHead(head, 8_192)
    return /^\s*\{\s*"(?:name|date|endReason|options)"\s*:/.test(text) && telling.every((key) => key.test(text))
  },
  read: readGhzJson,
}

const telling = [
  /"date"\s*:\s*"\d{4}-/,
  /"endReason"\s*:\s*"/,
  /"options"\s*:\s*\{\s*"(?:call|host|proto|insecure)"\s*:/,
]
const hint = 'Upload the whole output of "ghz -O json".'
const answered = 200

const figure = z.number().nullish()
const counts = z.record(z.string(), z.number().int().nonnegative()).nullish()

const reportSchema = z.object({
  name: z.string().nullish(),
  options: z
    .object({
      call: z.string().nullish(),
      host: z.string().nullish(),
      rps: figure,
      concurrency: figure,
      connections: figure,
      async: z.boolean().nullish(),
      'count-errors': z.boolean().nullish(),
    })
    .nullish(),
  count: figure,
  total: figure,
  average: figure,
  fastest: figure,
  slowest: figure,
  rps: figure,
  errorDistribution: counts,
  statusCodeDistribution: counts,
})
type Report = z.infer<typeof reportSchema>

const percentileSchema = z.object({ percentage: z.number(), latency: z.number() })
const markSchema = z.object({ mark: z.number(), count: z.number() })
const callSchema = z.object({
  timestamp: z.string(),
  latency: z.number().int().nonnegative().max(largestNs),
  status: z.string(),
})

/** Reads the report's own lists part by part. */
class GhzReader implements JsonSink {
  readonly samples: Samples
  readonly faults = new RowFaults()
  readonly percentiles: z.infer<typeof percentileSchema>[] = []
  readonly marks: z.infer<typeof markSchema>[] = []
  report: Report | null = null
  /** Why it cannot be read. */
  refusal: ImportError | null = null
  private outer: string | null = null
  private list = ''

  constructor(wanted?: Wanted) {
    this.samples = new Samples(wanted)
  }

  element(text: string, outer: string | null, line: number): void {
    if (outer !== this.outer) {
      this.outer = outer
      this.list = /"(\w{1,40})"\s{0,20}:\s{0,20}\[\s{0,20}$/.exec(outer?.slice(-120) ?? '')?.[1] ?? ''
    }
    const value = parseJson(text)
    if (this.list === 'details') this.readCall(value, text, line)
    else if (this.list === 'latencyDistribution') this.keep(this.percentiles, percentileSchema.safeParse(value).data)
    else if (this.list === 'histogram') this.keep(this.marks, markSchema.safeParse(value).data)
  }

  object(text: string, line: number): void {
    if (this.report !== null) return
    const fault = findJsonFault(text)
    const value = fault === null ? parseJson(text) : undefined
    const { data, error } = reportSchema.safeParse(value)
    this.report = data ?? null
    if (error !== undefined)
      this.refusal ??= refuseJson("ghz's JSON", fault ?? describeIssue(error, value, text), line, hint)
  }

  other(): void {
    this.faults.add("this is not ghz's JSON", {})
  }

  fault(kind: string, offset: number): void {
    this.faults.add(`a part of the JSON cannot be read (${kind})`, { offset })
  }

  private keep<Part>(list: Part[], part: Part | undefined): void {
    if (part !== undefined && list.length < 1_000) list.push(part)
  }

  private readCall(value: unknown, text: string, line: number): void {
    const { data: call, error } = callSchema.safeParse(value)
    const start = call === undefined ? null : readTimestamp(call.timestamp)
    if (call === undefined || start === null) {
      const told = findJsonFault(text) ?? (error === undefined ? null : describeIssue(error, value, text))
      const { reason, line: at } = told ?? { reason: '“timestamp” is not a time', line: 1 }
      return this.faults.add(`this is ghz's JSON, but of a call ${reason}`, { line: line + at - 1 })
    }
    this.samples.write(start.seconds, start.nanos, call.latency, call.status === okStatus ? answered : 0, 0, -1)
  }
}

/** RFC 3339 with up to nine decimals. */
function readTimestamp(text: string): { readonly seconds: number; readonly nanos: number } | null {
  const [, date, fraction = '', zone] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? []
  const ms = date === undefined ? NaN : Date.parse(`${date}${zone}`)
  return Number.isNaN(ms) || ms < 0 ? null : { seconds: ms / 1_000, nanos: Number(fraction.padEnd(9, '0')) }
}

async function* readGhzJson(bytes: Bytes, wanted?: Wanted): AsyncGenerator<BlockRun | ImportProblem> {
  const reader = new GhzReader(wanted)
  const stream = new JsonStream(reader)
  const text = await openText(bytes)
  for await (const chunk of text.bytes) stream.push(toFastBytes(chunk))
  const isTruncated = stream.finish()
  reader.samples.flush()
  const { report, samples, faults } = reader
  // Its figures precede the calls, and there are many calls: a partial report would be a partial run.
  if (isTruncated)
    throw new ImportError('truncated', "ghz's JSON is truncated: nothing in it can be read", { offset: 0, hint })
  if (report === null)
    throw reader.refusal ?? new ImportError('malformed', 'this is not a ghz report', { offset: 0, hint })
  const fault = faults.count === 0 ? null : faults.report(samples.count, hint)
  const run = await buildRun(reader, report, fault === null)
  yield run
  if (fault !== null) yield fault
  else if (!run.complete)
    yield truncatedProblem(
      null,
      `${samples.count} calls are listed, but ${run.requests ?? 'an unknown number'} were counted`,
    )
}

async function buildRun(reader: GhzReader, report: Report, complete: boolean): Promise<BlockRun> {
  const { samples } = reader
  const printed = new Printed()
  const statuses = report.statusCodeDistribution ?? {}
  const requests = printed.figure('requests', report.count)
  const successes = okCount(statuses)
  const hasCalls = samples.count > 0
  const figures = {
    count: requests,
    meanMs: printed.time('latencies.0.meanMs', report.average, 'ns'),
    minMs: printed.time('latencies.0.minMs', report.fastest, 'ns'),
    maxMs: printed.time('latencies.0.maxMs', report.slowest, 'ns'),
    quantiles: printed.quantiles(
      0,
      reader.percentiles.map(({ percentage, latency }) => [percentage, latency] as const),
      'ns',
    ),
    marks: reader.marks.map(({ mark, count }) => ({ ms: Number((mark * 1_000).toPrecision(15)), count })),
    statuses,
  }
  // The printed latencies are of other calls than those of the rows.
  const own = Object.entries(printed.texts).filter(([key]) => !hasCalls || !key.startsWith('latencies.'))
  return {
    ...blankRun('ghz', 'ghz-json'),
    name: report.name || report.options?.call || null,
    startedAt: hasCalls ? samples.startedAt() : null,
    durationMs: printed.time('durationMs', report.total, 'ns'),
    load: loadOf(report),
    requests,
    successes,
    successRatio: successes === null || requests === null || requests === 0 ? null : successes / requests,
    requestsPerSecond: report.rps ?? null,
    errors: listErrors(report.errorDistribution ?? {}),
    latencies: hasCalls ? await samples.latencies() : printedLatencies(figures),
    timeline: hasCalls ? samples.buildTimeline(true) : null,
    measures: [
      ...listStatuses(statuses, null),
      ...(['connections', 'concurrency'] as const).flatMap((name) => {
        const value = report.options?.[name]
        return typeof value === 'number' ? [{ name, value, unit: null, line: null }] : []
      }),
    ],
    complete: complete && (!hasCalls || samples.count === requests),
    ...besideOf(samples, { tool: 'ghz', resolutionMs: 0, isOpenLoop: false, decodeError: String }),
    printed: Object.fromEntries(own),
    warnings: hasCalls ? warnOfRows(samples) : warnOfMeans(figures, null),
  }
}

/** A rate is maintained by workers that wait for their answers, except with async, which sends without waiting. */
function loadOf({ options }: Report): Load {
  const rate = options?.rps ?? 0
  if (options?.async === true) return { kind: 'open', ratePerSecond: rate > 0 ? rate : null }
  return { kind: 'closed', connections: options?.connections ?? null }
}
