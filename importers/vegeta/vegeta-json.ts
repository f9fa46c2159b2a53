/**
 * vegeta's JSON report, as https://github.com/tsenart/vegeta/blob/v12.12.0/lib/metrics.go#L12 (Metrics) is encoded:
 * in one line, or pretty (jq, editors). Versions 6 (no `throughput`, `90th`, `min`; `errors` null) to 12. Read by key.
 *
 *     {"latencies":{"total":2464133121,"mean":4928266,"50th":4086803,…},"bytes_in":{"total":512000,"mean":1024},…
 *     "earliest":"2026-11-21T02:13:41.640753001Z",…"duration":9980401152,"wait":2372609,"requests":500,
 *     "rate":50.09818667457105,"throughput":50.08627982268464,"success":1,"status_codes":{"200":500},"errors":[]}
 */
import * as z from 'zod'
import { ImportError } from '../../lib/errors'
import type { ImportProblem, LatencyHistogram, Milliseconds } from '../../lib/run/run'
import { truncatedProblem, errorAt, problemOf, warningAt } from '../import-problem'
import { describeIssue, findJsonFault, parseJson, refuseJson } from '../json-fault'
import type { Block, BlockReader, BlockRun, Line, TextImporter } from '../importer'
import { Printed, toMs } from '../printed'
import { JsonCollector } from '../text/json-collector'
import { readUtcIso } from '../text/iso-time'
import { isLoneBracket, jsonStart } from '../text/json-start'
import { interimReport, passedReports } from './snapshots'
import { createVegetaRun, sumStatusCodes, type VegetaFigures } from './vegeta-report'

/** Reads vegeta's JSON report, also inside a document; in a `-every` capture the last snapshot. */
export const vegetaJson: TextImporter = {
  kind: 'text',
  id: 'vegeta-json',
  isJsonReport: true,
  starts: '{[',
  detect: (line) => {
    const start = jsonStart(line)
    if (!start?.startsWith('{')) return false
    return /^\{\s*"latencies"\s*:\s*\{/.test(start) || isSorted(start)
  },
  open: () => new VegetaJsonReader(),
}

/** With sorted keys (`jq -S`) other keys come first. */
function isSorted(text: string): boolean {
  if (startsWithKnownKey(text) !== true) return false
  return (
    /"bytes_in"\s*:\s*\{\s*"(?:mean|total)"\s*:/.test(text) ||
    /"buckets"\s*:\s*\{\s*"\d{1,19}"\s*:\s*\d/.test(text) ||
    (text.includes('"latencies"') && text.includes('"bytes_in"'))
  )
}

const keys: ReadonlySet<string> = new Set([
  'latencies',
  'buckets',
  'bytes_in',
  'bytes_out',
  'earliest',
  'latest',
  'end',
  'duration',
  'wait',
  'requests',
  'rate',
  'throughput',
  'success',
  'status_codes',
  'errors',
])

/** Whether the object's first key is one of the report's; null: not read yet. */
function startsWithKnownKey(text: string): boolean | null {
  const body = text.replace(/^\s*\{\s*/, '')
  if (body === '') return null
  const key = /^"([^"\\]{1,40})"\s*(?::|$)/.exec(body)?.[1]
  return key !== undefined && keys.has(key)
}

const uploadHint = 'Upload the whole output of "vegeta report -type=json".'
const printedHint = 'Upload the output of "vegeta report -type=json" as it was printed.'

interface Found {
  readonly run: BlockRun
  readonly problems: readonly ImportProblem[]
  readonly lines: readonly [number, number]
}

class VegetaJsonReader implements BlockReader {
  private collector = new JsonCollector()
  private firstLine = 0
  private objectLine = 0
  private lastLine = 0
  private isSnapshot = false
  private passedSnapshots = 0
  /** The last report that was read completely; null: none yet. */
  private last: Found | null = null
  /** Why a later report, or the only one, cannot be read. */
  private refusal: ImportError | null = null

  push(line: Line): 'taken' | 'last' | 'not-mine' {
    if (this.collector.isEmpty) {
      // Between two snapshots of -every, only the next one may come.
      if (this.last !== null && !isLoneBracket(line.text) && !vegetaJson.detect(line)) return 'not-mine'
      if (this.firstLine === 0) this.firstLine = line.number
      this.objectLine = line.number
      this.isSnapshot = line.clearsScreen === true
    }
    const state = this.collector.add(line.text, line.tooLong === true)
    if (state === 'not-json' || startsWithKnownKey(this.collector.text) === false) return 'not-mine'
    this.lastLine = line.number
    return state === 'closed' ? this.close() : 'taken'
  }

  private close(): 'taken' | 'last' | 'not-mine' {
    const { text } = this.collector
    const found = this.readObject(false)
    this.collector = new JsonCollector()
    if (found === null) {
      this.refusal = refuse(text, this.objectLine)
      return this.last === null && this.refusal === null ? 'not-mine' : 'last'
    }
    if (this.last !== null) this.passedSnapshots++
    this.last = found
    return this.isSnapshot ? 'taken' : 'last'
  }

  /** Null: not a report of vegeta's, or nothing of it is left. */
  private readObject(isTruncated: boolean): Found | null {
    const value = this.collector.parse()
    const lines = [this.objectLine, this.lastLine] as const
    const made = createRunOfMetrics(value, this.objectLine)
    if (made === null) return null
    return {
      run: { ...made.run, complete: made.complete && !isTruncated && !this.isSnapshot },
      problems: [...this.listLosses(made, isTruncated), ...(this.isSnapshot ? [interimReport(lines)] : [])],
      lines,
    }
  }

  private listLosses({ complete, missing }: MetricsRun, isTruncated: boolean): ImportProblem[] {
    const lines = [this.objectLine, this.lastLine] as const
    if (isTruncated)
      return [
        truncatedProblem(lines, "vegeta's JSON report is truncated: everything before that point was read", uploadHint),
      ]
    if (this.collector.isShortened) {
      const tooLargeAt = complete ? warningAt : errorAt
      const message = "vegeta's JSON report exceeds the size limit: the rest of its errors is omitted"
      return [tooLargeAt('too-large', lines, message)]
    }
    if (complete) return []
    return [errorAt('malformed', lines, `vegeta's JSON report lacks figures: ${missing.join(', ')}`, printedHint)]
  }

  end(atEnd: boolean): Block | null {
    if (this.last === null) {
      if (this.refusal !== null) throw this.refusal
      if (this.collector.isEmpty) return null
      const isReport = this.collector.text.includes('"latencies"')
      this.last = this.readObject(true)
      if (this.last === null && atEnd && isReport)
        throw new ImportError('truncated', "vegeta's JSON report ends before its first figure", {
          line: this.objectLine,
          hint: uploadHint,
        })
    }
    const { last } = this
    if (last === null) return null
    const { passedSnapshots, refusal } = this
    return {
      lines: [this.firstLine, last.lines[1]],
      runs: [passedSnapshots > 0 ? { ...last.run, lines: last.lines } : last.run],
      problems: [
        ...passedReports(passedSnapshots, this.firstLine, last.lines[0] - 1),
        ...last.problems,
        ...(refusal === null ? [] : [problemOf(refusal)]),
      ],
    }
  }
}

const figure = z.number().nullish()
const nanoseconds = z.number().nullish()

/** vegeta's Metrics as JSON. All optional: older versions print fewer, as does a truncated report. */
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
  latest: z.string().nullish(),
  end: z.string().nullish(),
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

/** Every version prints the median. */
const medianSchema = metricsSchema.extend({ latencies: metricsSchema.shape.latencies.extend({ '50th': z.number() }) })

/** A run made from a report's JSON value; `missing` names the keys that every version prints and this value lacks. */
interface MetricsRun {
  readonly run: BlockRun
  readonly complete: boolean
  readonly missing: readonly string[]
}

/** Why an object with vegeta's keys cannot be read; null: it is not vegeta's. */
function refuse(collected: string, line: number): ImportError | null {
  if (!/"latencies"\s*:\s*\{/.test(collected) || !/"(?:status_codes|bytes_in)"\s*:\s*\{\s*"/.test(collected))
    return null
  const text = collected.slice(0, collected.lastIndexOf('}') + 1)
  const value = parseJson(text)
  const { error } = medianSchema.safeParse(value)
  const fault =
    findJsonFault(text) ??
    (value === undefined ? { line: 1, reason: 'its brackets do not match' } : null) ??
    (error === undefined ? null : describeIssue(error, value, text))
  return fault && refuseJson("vegeta's JSON", fault, line, printedHint)
}

/** Makes a run from a parsed JSON report. Null: the value is not one. `line`: its place, for warnings. */
function createRunOfMetrics(value: unknown, line: number): MetricsRun | null {
  const metrics = metricsSchema.safeParse(value).data
  if (metrics === undefined || typeof metrics.latencies['50th'] !== 'number') return null
  const requests = metrics.requests ?? null
  const statusCodes = readCounts(metrics.status_codes, /^\d{1,3}$/)
  const missing = (
    ['bytes_in', 'bytes_out', 'duration', 'wait', 'requests', 'rate', 'success', 'status_codes'] as const
  )
    // A figure that is not a number (NaN is not JSON) would have been null.
    .filter((key) => metrics[key] === undefined)
  const codesAddUp = statusCodes !== null && sumStatusCodes(statusCodes) === requests
  const run = createVegetaRun(figuresOf(metrics, statusCodes, line))
  return { run, complete: missing.length === 0 && (codesAddUp || requests === 0), missing }
}

function figuresOf(metrics: Metrics, statusCodes: Record<string, number> | null, line: number): VegetaFigures {
  const { latencies, duration, wait } = metrics
  const printed = new Printed()
  const quantiles = printed.quantiles(
    0,
    ([50, 90, 95, 99] as const).map((percent) => [percent, latencies[`${percent}th`]] as const),
    'ns',
  )
  return {
    form: 'vegeta-json',
    toolVersion: guessVersion(metrics),
    startedAt: metrics.requests === 0 ? null : readUtcIso(metrics.earliest),
    requests: printed.figure('requests', metrics.requests),
    requestsPerSecond: printed.figure('requestsPerSecond', metrics.rate),
    throughputPerSecond: printed.figure('throughputPerSecond', metrics.throughput),
    // The text report prints this sum as its total.
    durationMs: typeof duration === 'number' && typeof wait === 'number' ? toMs(duration + wait, 'ns') : null,
    attackMs: printed.time('attackMs', duration, 'ns'),
    waitMs: printed.time('waitMs', wait, 'ns'),
    spansMs: [spanMs(metrics.earliest, metrics.latest), spanMs(metrics.earliest, metrics.end)],
    minMs: printed.time('latencies.0.minMs', latencies.min, 'ns'),
    meanMs: printed.time('latencies.0.meanMs', latencies.mean, 'ns'),
    maxMs: printed.time('latencies.0.maxMs', latencies.max, 'ns'),
    quantiles,
    histogram: createHistogram(metrics.buckets),
    bytesIn: printed.figure('bytesIn', metrics.bytes_in?.total),
    bytesOut: printed.figure('bytesOut', metrics.bytes_out?.total),
    successRatio: printed.figure('successRatio', metrics.success),
    statusCodes,
    errors: metrics.errors ?? [],
    measures: (['in', 'out'] as const).flatMap((way) => {
      const value = printed.figure(`measures.bytes-${way}-mean`, metrics[`bytes_${way}`]?.mean)
      return value === null ? [] : [{ name: `bytes-${way}-mean`, value, unit: 'bytes', line }]
    }),
    complete: true,
    printed: printed.texts,
    line,
  }
}

function guessVersion({ latencies, throughput }: Metrics): string {
  if (typeof latencies.min === 'number' || typeof latencies['90th'] === 'number') return '>=12.8'
  return typeof throughput === 'number' ? '12.6-12.7' : '<12.6'
}

/** Entries with a valid key and count, as a safe object (`__proto__` is no code). */
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
      return { lowerMs: toMs(lowerNs, 'ns'), upperMs: next === undefined ? null : toMs(next.lowerNs, 'ns'), count }
    }),
  }
}

/** Null: one of the times is not stated. */
function spanMs(from: string | null | undefined, to: string | null | undefined): Milliseconds | null {
  const [start, end] = [readUtcIso(from), readUtcIso(to)]
  return start === null || end === null ? null : Date.parse(end) - Date.parse(start)
}
