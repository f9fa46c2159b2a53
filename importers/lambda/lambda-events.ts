import { parseJson } from '../json-fault'
import { readInsightsRow, type InsightsRow } from './insights-row'
import {
  createInvocation,
  asRequestId,
  findBareReport,
  holdsReportTail,
  listMissingFields,
  readFields,
  readRequestId,
  reportAnchor,
  type LambdaInvocation,
} from './lambda-invocation'
import { readFailureLine } from './failure-line'
import type { LambdaLog } from './lambda-log'
import { findTimeMs } from '../text/log-times'
import { parseDecimal } from '../text/number'

/** The surroundings of an event: the log group's function and the log stream. */
export interface EventPlace {
  readonly functionName: string | null
  readonly stream: string | null
  readonly line: number | null
}

export const nowhere: EventPlace = { functionName: null, stream: null, line: null }

/** A gzipped payload in base64, as CloudWatch Logs passes it to subscribers. */
export type OnPayload = (base64: string) => void

/** The beginning of gzip in base64. */
export const gzipInBase64 = 'H4sI'

/**
 * Reads the values that AWS writes about invocations, whatever contains them: records of the JSON log format and of the
 * Telemetry API, events of CloudWatch Logs, rows of Logs Insights, the answer of `invoke`. Unknown values are skipped.
 */
export class LambdaEvents {
  /** Number of values around the current one. */
  private depth = 0

  constructor(
    private readonly log: LambdaLog,
    private readonly onPayload: OnPayload,
  ) {}

  /** Reads a JSON value and its contents. */
  read(value: unknown, place: EventPlace): void {
    if (this.depth >= maxDepth) return
    this.depth++
    if (Array.isArray(value)) this.readList(value, place)
    else if (isRecord(value)) this.readObject(value, place)
    this.depth--
  }

  private readList(list: readonly unknown[], place: EventPlace): void {
    const row = toInsightsRow(list)
    if (row !== null) this.readInsights(row, place)
    else for (const item of list) this.read(item, place)
  }

  private readObject(object: Readonly<Record<string, unknown>>, outer: EventPlace): void {
    const place = readPlace(object, outer)
    const { type, message, LogResult: logResult } = object
    if (typeof type === 'string' && type.startsWith('platform.')) return this.readPlatform(type, object, place)
    if (typeof logResult === 'string') return this.readBase64(logResult, place)
    if (hasInsightsFields(object)) return this.readInsights(toTexts(object), place)
    if (typeof message === 'string') {
      const { timestamp } = object
      const { found } = this.log
      this.readMessage(message, typeof timestamp === 'number' ? timestamp : null, place)
      if (this.log.found > found) return
    }
    this.readMembers(object, place)
  }

  /** Log shippers wrap what they carry in members of any name. */
  private readMembers(object: Readonly<Record<string, unknown>>, place: EventPlace): void {
    for (const [key, held] of Object.entries(object)) {
      if (typeof held === 'object') this.read(held, place)
      else if (typeof held !== 'string' || key === 'message') continue
      else if (payloadHolders.has(key) && held.startsWith(gzipInBase64)) this.onPayload(held)
      else if (held.includes(reportAnchor) || held.includes('"platform.')) this.readMessage(held, null, place)
    }
  }

  private readPlatform(type: string, object: Readonly<Record<string, unknown>>, place: EventPlace): void {
    const record = isRecord(object['record']) ? object['record'] : {}
    const atMs = typeof object['time'] === 'string' ? findTimeMs(object['time']) : null
    this.log.times.add(atMs)
    const { functionName, functionArn } = record
    if (place.functionName === null) {
      if (typeof functionName === 'string') this.log.addName(functionName)
      else if (typeof functionArn === 'string') this.readArn(functionArn)
    }
    if (type !== 'platform.report') return
    if (typeof object['record'] === 'string') return this.readMessage(object['record'], atMs, place)
    const invocation = readReportRecord(object, record, atMs)
    if (invocation !== null) this.log.add(invocation, place)
    else
      this.log.lose(
        place.line,
        'malformed',
        'it is a record of type "platform.report" without a "durationMs" that can be read',
      )
  }

  private readArn(arn: string): void {
    const name = /:function:([\w-]{1,140})/.exec(arn)?.[1]
    if (name !== undefined) this.log.addName(name)
  }

  /** Reads one event's text, which may have several lines. */
  readMessage(message: string, atMs: number | null, place: EventPlace): void {
    this.log.times.add(atMs)
    const anchorAt = message.indexOf(reportAnchor)
    const at = anchorAt >= 0 ? anchorAt : findBareReport(message)
    const failed = at >= 0 ? null : readFailureLine(message)
    if (at >= 0) this.readReports(message, at, atMs, place)
    else if (failed !== null) this.log.addFailure(failed)
    else if (message.startsWith('INIT_REPORT ')) this.log.initReports++
    else if (message.includes('"platform.') && message.trimStart().startsWith('{')) this.read(parseJson(message), place)
    else if (holdsReportTail(message)) this.log.lose(place.line, 'truncated', 'its beginning was cut off')
  }

  private readReports(message: string, first: number, atMs: number | null, place: EventPlace): void {
    for (let at = first; at >= 0;) {
      const next = message.indexOf(reportAnchor, at + reportAnchor.length)
      const text = message.slice(at, next < 0 ? undefined : next)
      const fields = readFields(text)
      const requestId = readRequestId(text, 0)
      const invocation = createInvocation(requestId, fields, atMs)
      if (invocation !== null) this.log.add(invocation, place)
      const isReport = at === 0 && (requestId !== null || text.includes('Duration:'))
      if (invocation !== null && !fields.isWhole)
        this.log.lose(place.line, 'truncated', `it lacks ${listMissingFields(fields)}`)
      else if (invocation === null && isReport)
        this.log.lose(place.line, 'malformed', 'it has no duration that can be read')
      at = next
    }
  }

  /** Reads the log's last 4 KiB from the answer of `invoke`. */
  readBase64(base64: string, place: EventPlace): void {
    const text = decodeBase64(base64)
    if (text === null) return this.log.lose(place.line, 'malformed', 'its LogResult is not base64')
    const { found } = this.log
    for (const line of text.split('\n')) this.readMessage(line, null, place)
    if (this.log.found === found) this.log.lose(place.line, 'truncated', 'it is not in its LogResult')
  }

  /** Reads a row of Logs Insights: its message if that is a report, else its fields. */
  readInsights(row: InsightsRow, place: EventPlace): void {
    const { invocation, message, atMs, stream, functionName, fault } = readInsightsRow(row)
    const own = { ...place, stream: stream ?? place.stream, functionName: functionName ?? place.functionName }
    if (message !== null && (invocation === null || message.includes(reportAnchor)))
      return this.readMessage(message, atMs, own)
    if (fault !== null) this.log.lose(place.line, 'malformed', fault)
    if (invocation !== null) this.log.add(invocation, own)
    else this.log.times.add(atMs)
  }
}

/** Members that hold gzipped events in base64: of subscriptions in Lambda, Kinesis and Firehose. */
const payloadHolders: ReadonlySet<string> = new Set(['data', 'rawData'])
/** Nesting limit; AWS writes at most eight levels. */
const maxDepth = 64

function readPlace(object: Readonly<Record<string, unknown>>, outer: EventPlace): EventPlace {
  const { logGroup, logStream, logStreamName } = object
  const stream = logStreamName ?? logStream
  if (typeof logGroup !== 'string' && typeof stream !== 'string') return outer
  return {
    functionName: typeof logGroup === 'string' ? (nameOfGroup(logGroup) ?? outer.functionName) : outer.functionName,
    stream: typeof stream === 'string' ? stream.slice(0, 512) : outer.stream,
    line: outer.line,
  }
}

/** The function of a log group; null: not one of Lambda's. */
function nameOfGroup(logGroup: string): string | null {
  return /\/aws\/lambda\/([\w-]{1,140})/.exec(logGroup)?.[1] ?? null
}

/**
 * Loggers that reshape records move their contents up: the metrics are in the record, in the event, or beside its type.
 */
function readReportRecord(
  event: Readonly<Record<string, unknown>>,
  record: Readonly<Record<string, unknown>>,
  atMs: number | null,
): LambdaInvocation | null {
  const metrics = [record['metrics'], event['metrics'], record, event]
    .filter(isRecord)
    .find((held) => 'durationMs' in held)
  if (metrics === undefined) return null
  const { requestId = event['requestId'], status = event['status'], errorType = event['errorType'] } = record
  const durationMs = readNumber(metrics['durationMs'])
  if (durationMs === null) return null
  return {
    requestId: typeof requestId === 'string' ? asRequestId(requestId) : null,
    durationMs,
    billedMs: readNumber(metrics['billedDurationMs']),
    memorySizeMb: readNumber(metrics['memorySizeMB']),
    maxMemoryUsedMb: readNumber(metrics['maxMemoryUsedMB']),
    initMs: readNumber(metrics['initDurationMs']),
    restoreMs: readNumber(metrics['restoreDurationMs']),
    billedRestoreMs: readNumber(metrics['billedRestoreDurationMs']),
    status: typeof status === 'string' ? status.slice(0, 20) : 'success',
    errorType: typeof errorType === 'string' ? errorType.slice(0, 100) : null,
    reportedAtMs: atMs,
  }
}

function readNumber(value: unknown): number | null {
  const number = typeof value === 'string' ? parseDecimal(value) : value
  return typeof number === 'number' && number >= 0 && number < 1e12 ? number : null
}

/** Decodes base64 text; null: invalid. */
export function decodeBase64(base64: string): string | null {
  const plain = base64.replace(/\s+/g, '')
  const isWhole = plain.endsWith('=') ? plain.length % 4 === 0 : plain.length % 4 !== 1
  if (plain === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(plain) || !isWhole) return null
  return new TextDecoder().decode(Uint8Array.from(atob(plain), (character) => character.charCodeAt(0)))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasInsightsFields(object: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(object).some((key) => key.startsWith('@'))
}

function toTexts(object: Readonly<Record<string, unknown>>): InsightsRow {
  const texts = new Map<string, string>()
  for (const [key, value] of Object.entries(object))
    if (typeof value === 'string' || typeof value === 'number') texts.set(key, String(value))
    // A JSON log comes as JSON in the answer.
    else if (key === '@message' && isRecord(value)) texts.set(key, JSON.stringify(value))
  return texts
}

/** `[{"field":"@duration","value":"6.96"}, …]`, from get-query-results; null: another list. */
function toInsightsRow(list: readonly unknown[]): InsightsRow | null {
  const texts = new Map<string, string>()
  for (const cell of list) {
    if (!isRecord(cell)) return null
    const { field, value } = cell
    if (typeof field !== 'string') return null
    if (typeof value === 'string') texts.set(field, value)
  }
  return texts.size > 0 ? texts : null
}
