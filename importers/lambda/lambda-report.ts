/**
 * The REPORT lines that AWS Lambda's platform writes to a function's log at the end of each invocation:
 * https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html#node-logging-output (closed source). All since 2018:
 * with X-Ray, SnapStart, Status and Error Type, of SAM local, with the prefixes of `aws logs tail` and `sam logs`; what
 * Serverless prints instead.
 *
 *     START RequestId: 49dc9b34-eae3-432d-b8c1-15d69a1f7aa5 Version: $LATEST
 *     END RequestId: 49dc9b34-eae3-432d-b8c1-15d69a1f7aa5
 *     REPORT RequestId: 49dc9b34-…	Duration: 52.33 ms	Billed Duration: 182 ms	Memory Size: 128 MB	Max Memory Used: 58 MB	Init Duration: 129.39 ms
 */
import { ImportError } from '../../lib/errors'
import type { ImportProblem } from '../../lib/run/run'
import type { Block, BlockReader, Line, TextImporter } from '../importer'
import {
  createInvocation,
  findBareReport,
  holdsReportTail,
  lacksMemory,
  listMissingFields,
  readFields,
  readOfflineReport,
  readPlainReport,
  readRequestId,
  readServerlessEnd,
  reportAnchor,
  startsWithField,
  type ReportFields,
} from './lambda-invocation'
import { holdsBase64, isJsonLine, LambdaJsonLines } from './lambda-json-lines'
import { readFailureLine } from './failure-line'
import { LambdaLog } from './lambda-log'
import { findTimeMs } from '../text/log-times'
import { truncatedProblem } from '../import-problem'

/** Reads all REPORT lines of a text: one run, or one per function if the log names several. */
export const lambdaReport: TextImporter = {
  kind: 'text',
  id: 'lambda-report',
  detect: ({ text }) =>
    holdsReport(withFirstLetter(text)) || (text.includes('aws lambda invoke') && invokeCommand.test(text)),
  open: () => new LambdaReportReader(),
}

/** When copying, the first letter is easily missed. */
function withFirstLetter(text: string): string {
  return text.startsWith('EPORT RequestId: ') ? `R${text}` : text
}

function holdsReport(text: string): boolean {
  return (
    (text.includes('RequestId:') && opening.test(text)) ||
    findBareReport(text) >= 0 ||
    holdsReportTail(text) ||
    text.includes('_START Runtime Version') ||
    readServerlessEnd(text) !== null ||
    readOfflineReport(text) !== null ||
    readFailureLine(text) !== null ||
    isJsonLine(text)
  )
}

const opening = /\b(?:REPORT|START|END) RequestId: [\w-]{8,80}|\bREPORT RequestId:.{0,90}?\sDuration: /
const platformLine =
  /\b(?:(?:START|END) RequestId: |(?:INIT|RESTORE)_START |(?:INIT|RESTORE)_REPORT |XRAY TraceId: |EXTENSION\tName: |TELEMETRY\tName: |LOGS\tName: )/
/** Nearly every log line that is not a REPORT. */
const mark = /^(?:START RequestId: [\w-]{36} Version: [\w$.-]{1,20}|END RequestId: [\w-]{36})\s*$/
const logStream = /\d{4}\/\d\d\/\d\d\/[\w.-]{0,100}\[[^\]\s]{1,80}\][0-9a-f]{32}/
/** Names the function of the lines below it: a log group as a heading or JSON member, a command. */
const functionHeading =
  /^[\s=#>*$%"'`-]{0,40}(?:aws logs [^\s/]{1,40}.{0,80}?|log[ _-]?group(?:name)?["'` ]{0,3}[:=]?[ "'`]{0,3})?\/aws\/lambda\/([\w-]{1,140})/i
const functionCommand =
  /^(?:[^'"]{0,80}[$%>#❯➜] )?\s{0,20}(?:(?:aws lambda invoke\b.{0,200}?)?--function-name[ =]|sam logs\b.{0,100}?(?:-n|--name)[ =])([\w-]{1,140})/
/** May be followed by an answer with a report in it. */
const invokeCommand = /^(?:[^'"]{0,80}[$%>#❯➜] )?\s{0,20}aws lambda invoke\s/
const functionPrefix = /(?:\/aws\/lambda\/|:function:)([\w-]{1,140})|\d\[ {1,40}([\w-]{1,140})\] $/

/** Lines after a REPORT line that may continue it: one field each, or text wrapped by a terminal. */
const maxContinuations = 12
interface Pending {
  /** Null: the report states none. */
  readonly requestId: string | null
  readonly functionName: string | null
  readonly stream: string | null
  readonly atMs: number | null
  readonly line: number
  text: string
  fields: ReportFields
  continuations: number
}

/** Reads lines of a log into `log`; `form`: id of the importer. */
export class LambdaReportReader implements BlockReader {
  private firstLine = 0
  lastLine = 0
  private pending: Pending | null = null
  /** Number of reports without memory. */
  private withoutMemory = 0
  /** The log's function, according to the lines so far. */
  functionName: string | null = null

  private readonly json: LambdaJsonLines
  /** The fence of the first answer has ended. */
  private isBeyond = false

  constructor(
    private readonly form = 'lambda-report',
    private readonly log = new LambdaLog(),
  ) {
    this.json = new LambdaJsonLines(log)
  }

  /** Whether a report has begun whose fields may continue on the next line. */
  get isWaiting(): boolean {
    return this.pending !== null || this.json.isOpen
  }

  /** If only answers of `invoke` were found, further ones belong to the same run. */
  goesOn(): boolean {
    this.isBeyond = this.json.answered === this.log.found && !this.isWaiting
    return this.isBeyond
  }

  push(line: Line): 'taken' | 'passed' | 'outside' | 'not-mine' {
    const text = withFirstLetter(line.text)
    if (this.isBeyond && holdsReport(text) && !holdsBase64(text)) return 'not-mine'
    if (this.pending !== null && this.continues(this.pending, text)) return this.take(line)
    if (this.pending === null && !this.json.isOpen && mark.test(text)) {
      this.log.times.addLine(line.raw)
      return this.take(line)
    }
    const { functionName } = this
    const place = { functionName, stream: null, line: line.number }
    if (this.json.push(text, line.tooLong === true, place)) return this.take(line)
    const ended = readServerlessEnd(text)
    if (ended !== null) {
      this.finish()
      // Serverless prints the time of the machine that it ran on.
      this.log.times.isZoneUnknown = true
      this.log.add(ended, place)
      return this.take(line)
    }
    const offline = readOfflineReport(text)
    if (offline !== null) {
      this.finish()
      this.log.add(offline.invocation, { ...place, functionName: offline.functionName })
      return this.take(line)
    }
    const anchorAt = text.indexOf(reportAnchor)
    const at = anchorAt >= 0 ? anchorAt : findBareReport(text)
    if (at >= 0) {
      this.readReport({ ...line, text }, at)
      return this.take(line)
    }
    this.log.times.addLine(line.raw)
    const failed = readFailureLine(text)
    if (failed !== null) {
      this.log.addFailure(failed)
      return this.take(line)
    }
    if (holdsReportTail(text)) {
      this.log.lose(line.number, 'truncated', 'its beginning was cut off')
      return this.take(line)
    }
    if (text.length < 400) this.readFunction(text)
    if (!platformLine.test(text)) return this.json.answered === this.log.found ? 'outside' : 'passed'
    if (text.includes('INIT_REPORT ')) this.log.initReports++
    return this.take(line)
  }

  private take(line: Line): 'taken' {
    if (this.firstLine === 0) this.firstLine = line.number
    this.lastLine = line.number
    return 'taken'
  }

  private readReport({ text, raw, number }: Line, at: number): void {
    this.finish()
    const rawAt = raw.indexOf(reportAnchor)
    const prefix = rawAt > 0 ? raw.slice(Math.max(0, rawAt - 400), rawAt) : ''
    let { functionName } = this
    let stream: string | null = null
    let atMs: number | null = null
    if (prefix.length > 8) {
      atMs = findTimeMs(prefix)
      stream = logStream.exec(prefix)?.[0] ?? null
      const [, byPath, byLabel] = functionPrefix.exec(prefix) ?? []
      functionName = byPath ?? byLabel ?? functionName
    }
    const report = text.slice(at)
    const invocation = readPlainReport(report, atMs)
    if (invocation !== null) {
      this.log.add(invocation, { functionName, stream, line: number })
      return
    }
    const requestId = report.startsWith(reportAnchor) ? readRequestId(text, at) : null
    const fields = readFields(report)
    const pending = { requestId, functionName, stream, atMs, line: number, text: report, fields, continuations: 0 }
    // Lines below a sentence about reports are not its fields.
    if (fields.values.size > 0 || isReport(pending)) this.pending = pending
    // A line with tabs, as printed, is complete. In a copy its end may be on the next line.
    if (fields.isWhole && report.includes('\t')) this.finish()
  }

  private continues(pending: Pending, text: string): boolean {
    const isField = startsWithField(text)
    const isOver =
      pending.continuations >= maxContinuations ||
      text.length > 500 ||
      text.trim() === '' ||
      (pending.fields.values.has('Duration') && findBareReport(text) >= 0) ||
      /RequestId: |INIT_START|_REPORT |^\s*(?:```|~~~)/.test(text)
    // A torn word has no blank at the tear, and a field need not have one before it.
    const joined = isOver ? '' : pending.text + text.trim()
    const fields = isOver ? pending.fields : readFields(joined)
    const gains =
      fields.values.size > pending.fields.values.size &&
      [...pending.fields.values].every(([key, value]) => fields.values.get(key) === value)
    // Once the four fields are there, only a new field can continue them on the next line.
    const goesOn = gains || (!pending.fields.isWhole && (isField || isTorn(pending, text)))
    if (isOver || !goesOn) {
      this.finish()
      return false
    }
    pending.text = joined
    pending.fields = fields
    pending.continuations++
    return true
  }

  /** Counts the current invocation. */
  private finish(): void {
    const { pending } = this
    if (pending === null) return
    this.pending = null
    const invocation = createInvocation(pending.requestId, pending.fields, pending.atMs)
    if (invocation !== null) this.log.add(invocation, pending)
    const isWithoutMemory = pending.continuations === 0 && lacksMemory(pending.text, pending.fields)
    if (isWithoutMemory) this.withoutMemory++
    if (pending.fields.isWhole || isWithoutMemory) return
    if (invocation !== null) this.log.lose(pending.line, 'truncated', `it lacks ${listMissingFields(pending.fields)}`)
    else if (isReport(pending)) this.log.lose(pending.line, 'malformed', 'it has no duration that can be read')
  }

  private readFunction(text: string): void {
    if (text.includes('/aws/lambda/')) this.functionName = functionHeading.exec(text)?.[1] ?? this.functionName
    else if (text.includes('sam logs') || text.includes('--function-name'))
      this.functionName = functionCommand.exec(text)?.[1] ?? this.functionName
  }

  end(atEnd: boolean): Block | null {
    const { pending } = this
    const isLike = pending !== null && this.withoutMemory > 0 && lacksMemory(pending.text, pending.fields)
    const isWhole = !atEnd || (!this.json.isOpen && (pending === null || isLike || !mayBeTruncated(pending)))
    // For a truncated report it is unknown whether some fields are absent, so it is not counted.
    if (!isWhole) this.pending = null
    this.finish()
    const lines = [this.firstLine, Math.max(this.firstLine, this.lastLine)] as const
    if (this.log.isEmpty) {
      const [lost] = this.log.listProblems(lines)
      if (isWhole && lost !== undefined)
        throw new ImportError('malformed', lost.message, { line: lost.line, hint: lost.hint })
      if (isWhole) return null
      throw new ImportError('truncated', 'the only REPORT line is truncated', {
        line: lines[1],
        hint: 'Upload the whole log.',
      })
    }
    const runs = this.log.toRuns(this.form, isWhole)
    const problems = [...this.log.listProblems(lines), ...(isWhole ? [] : [createTruncatedProblem(lines[1])])]
    return { lines, runs, problems }
  }
}

/** Whether the end of the input may have truncated a report. */
function mayBeTruncated(pending: Pending): boolean {
  return !pending.fields.isWhole && !pending.fields.values.has('MaxMemoryUsed') && isReport(pending)
}

/** Whether it is a report, not a sentence about reports. */
function isReport({ text }: Pending): boolean {
  const rest = text.replace(/^REPORT(?: RequestId:(?:\s*(?!Duration:|Init Duration:)[^\s\\]{1,80})?)?/, '').trim()
  return ['Duration:', 'Init Duration:', 'Billed Duration:', 'Memory Size:'].some(
    (name) => rest.startsWith(name) || name.startsWith(rest) || rest.startsWith('\\t'),
  )
}

/** Whether the previous line ends inside a field: `Billed`, `Memory Size: 12`. */
function isTorn({ text, fields }: Pending, next: string): boolean {
  return (
    !fields.isWhole &&
    /[A-Za-z:\d.]$/.test(text.trimEnd()) &&
    !/\d (?:ms|MB)$/.test(text.trimEnd()) &&
    /(?:ms|MB)\b/.test(next)
  )
}

function createTruncatedProblem(line: number): ImportProblem {
  return truncatedProblem(line, 'the last REPORT line is truncated', 'Upload the whole log.')
}
