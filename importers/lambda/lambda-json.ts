/**
 * JSON that AWS writes about Lambda invocations: records of the JSON log format and of the Telemetry API, in lists or one
 * by one (https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html#platform-report); events of
 * `aws logs filter-log-events` and `get-log-events`; what subscriptions hand over, gzipped in base64 or unpacked
 * (https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/SubscriptionFilters.html); results of Logs Insights; the
 * answer of `aws lambda invoke --log-type Tail`.
 *
 *     {"time":"2026-11-21T02:00:04.064Z","type":"platform.report","record":{"requestId":"7e7d…","metrics":{"durationMs":34.948,"billedDurationMs":250,…}}}
 *     {"events":[{"logStreamName":"2026/11/21/[$LATEST]14b6…","timestamp":1795226401457,"message":"REPORT RequestId: 33b6…\tDuration: …"}]}
 *     {"StatusCode":200,"LogResult":"U1RBUlQgUmVxdWVzdElkOi…","ExecutedVersion":"$LATEST"}
 */
import { ImportError } from '../../lib/errors'
import type { ImportProblem } from '../../lib/run/run'
import { openText, readHead } from '../text/bytes'
import { toFastBytes } from '../text/fast-bytes'
import { gunzipBase64 } from '../text/gunzip'
import type { BlockRun, Bytes, RawImporter, RawText } from '../importer'
import { JsonStream, type JsonSink } from '../text/json-stream'
import { gzipInBase64, LambdaEvents, nowhere, type EventPlace } from './lambda-events'
import { parseJson } from '../json-fault'
import { LambdaLog } from './lambda-log'
import type { Wanted } from '../rows/wanted'
import { LineCount } from '../text/line-count'
import { PartBuffer } from '../text/part-buffer'
import { RowFaults } from '../samples/row-faults'
import { decodeHead } from '../text/text-head'
import { truncatedProblem } from '../import-problem'

/** Reads a whole JSON file: one run, or one per function. */
export const lambdaJson: RawImporter = {
  kind: 'raw',
  id: 'lambda-json',
  detect: (head) => {
    const text = decodeHead(head, head.length).trimStart()
    if (text.startsWith(gzipInBase64)) return /^[A-Za-z0-9+/\s]+(?:={1,2}\s*)?$/.test(text)
    return /^[{[]/.test(text) && marks.some((mark) => mark.test(text))
  },
  read: readLambdaJson,
}

const marks = [
  /"type"\s*:\s*"platform\.[a-zA-Z]/,
  /"logEvents"\s*:\s*\[/,
  /"events"\s*:\s*\[\s*\{[^{}]{0,60000}"message"\s*:/,
  /"field"\s*:\s*"@[a-zA-Z]/,
  /"@(?:duration|requestId|message)"\s*:/,
  /"LogResult"\s*:\s*"/,
  /"(?:data|rawData)"\s*:\s*"H4sI/,
]

const hint = 'Upload what the AWS command wrote, unchanged.'
/** A subscription's payload has at most 6 MiB before it is packed again; more is a bomb. */
const maxPayloadBytes = 64 * 1024 * 1024
const maxBase64Bytes = 16 * 1024 * 1024

async function* readLambdaJson(bytes: Bytes, wanted?: Wanted): AsyncGenerator<BlockRun | ImportProblem | RawText> {
  const reader = new LambdaJsonReader(wanted)
  const { encoding, bytes: text } = await openText(bytes)
  const lines = new LineCount()
  const { head, bytes: content } = await readHead(lines.watch(text), 1_024)
  if (decodeHead(head, head.length).trimStart().startsWith(gzipInBase64)) await reader.readPayloads(content)
  else
    for await (const chunk of content) {
      reader.stream.push(toFastBytes(chunk))
      await reader.unpack()
    }
  const isTruncated = reader.stream.finish()
  await reader.unpack()
  if (reader.log.isEmpty) throw reader.explainNothing(isTruncated)
  const fault = reader.faults.report(reader.reads, hint)
  yield { encoding, lineCount: lines.count }
  for (const run of reader.log.toRuns(lambdaJson.id, !isTruncated && fault === null))
    yield { ...run, lines: [1, lines.count] }
  yield* reader.log.listProblems(null)
  if (fault !== null) yield fault
  if (isTruncated) yield tornJson
}

const tornJson: ImportProblem = truncatedProblem(
  null,
  'the file ends within its JSON: more events are missing',
  'The invocations before it were read. Upload the whole file to get all.',
)

class LambdaJsonReader implements JsonSink {
  readonly log: LambdaLog
  readonly faults = new RowFaults()
  readonly stream = new JsonStream(this)
  /** Number of parts that could be read. */
  reads = 0
  private payloads: string[] = []
  private readonly events: LambdaEvents
  private outer: string | null = null
  private place: EventPlace = nowhere

  /** The current values are in a payload: its lines are not the file's. */
  private isPacked = false

  constructor(wanted?: Wanted) {
    this.log = new LambdaLog(wanted)
    this.events = new LambdaEvents(this.log, (base64) => this.payloads.push(base64))
  }

  element(text: string, outer: string | null, line: number): void {
    if (outer !== this.outer) {
      this.outer = outer
      this.place = outer === null ? nowhere : readOuterPlace(outer)
    }
    this.readText(text, this.place, line)
  }

  object(text: string, line: number): void {
    this.readText(text, nowhere, line)
  }

  private readText(text: string, place: EventPlace, line: number): void {
    const value = parseJson(text)
    if (value === undefined) return this.faults.add('JSON that cannot be read', {})
    this.reads++
    this.events.read(value, { ...place, line: this.isPacked ? null : line })
  }

  /** A line of another kind amid the JSON: a function's own, or the platform's before its log format was changed. */
  other(text: string, line: number): void {
    if (text.startsWith(gzipInBase64)) this.payloads.push(text)
    else this.events.readMessage(text, null, { ...nowhere, line: this.isPacked ? null : line })
  }

  fault(kind: 'too-long' | 'too-deep' | 'broken', offset: number): void {
    this.faults.add(faultTexts[kind], { offset })
  }

  /** Reads a file of base64 payloads only. */
  async readPayloads(bytes: Bytes): Promise<void> {
    const kept = new PartBuffer(maxBase64Bytes)
    for await (const chunk of bytes) kept.add(chunk, 0, chunk.length)
    const text = kept.text()
    if (text === null)
      throw new ImportError('too-large', 'a payload in base64 is longer than 16 MiB', { offset: 0, hint })
    this.payloads = text
      .trim()
      .split(/\s(?=H4sI)/)
      .map((payload) => payload.trim())
    await this.unpack()
  }

  /** Reads the payloads found since; those within payloads are not unpacked. */
  async unpack(): Promise<void> {
    const { payloads } = this
    if (payloads.length === 0) return
    this.payloads = []
    this.isPacked = true
    for (const payload of payloads) {
      const inner = new JsonStream(this)
      for await (const chunk of gunzipBase64(payload, maxPayloadBytes)) inner.push(chunk)
      if (inner.finish()) this.faults.add('a gzipped payload ends within its JSON', {})
      this.payloads = []
    }
    this.isPacked = false
  }

  explainNothing(isTruncated: boolean): ImportError {
    const [lost] = this.log.listProblems(null)
    if (lost !== undefined) return new ImportError('malformed', lost.message, { line: lost.line, hint: lost.hint })
    if (isTruncated) return new ImportError('truncated', 'the file ends before the first report', { offset: 0, hint })
    return new ImportError('empty', 'it contains no report of an invocation', {
      offset: 0,
      hint: 'Reports are events that begin with "REPORT RequestId", or records of type "platform.report".',
    })
  }
}

const faultTexts = {
  'too-long': 'an event is longer than 8 MiB',
  'too-deep': 'an event is nested more than 64 levels deep',
  broken: 'the JSON is broken',
} as const

/** The log group and stream in the object around a list, which is not closed yet. */
function readOuterPlace(outer: string): EventPlace {
  const functionName = /"logGroup(?:Name)?"\s*:\s*"\/aws\/lambda\/([\w-]{1,140})"/.exec(outer)?.[1] ?? null
  const stream = /"logStream(?:Name)?"\s*:\s*"([^"\\]{1,512})"/.exec(outer)?.[1] ?? null
  return { functionName, stream, line: null }
}
