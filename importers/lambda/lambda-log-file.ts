/**
 * A Lambda log as a file of its own, with only the lines of `lambda-report.ts`, as the console, `aws
 * logs tail` and the export to S3 give them (https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html, closed
 * source). REPORT lines are read from bytes, all other relevant lines by `lambda-report`, which also reads short files
 * and documents.
 *
 *     START RequestId: 49dc9b34-eae3-432d-b8c1-15d69a1f7aa5 Version: $LATEST
 *     END RequestId: 49dc9b34-eae3-432d-b8c1-15d69a1f7aa5
 *     REPORT RequestId: 49dc9b34-…	Duration: 52.33 ms	Billed Duration: 182 ms	Memory Size: 128 MB	Max Memory Used: 58 MB	Init Duration: 129.39 ms
 */
import type { ImportProblem } from '../../lib/run/run'
import { ImportError } from '../../lib/errors'
import { decodeLine } from '../text/bytes'
import { findByte, readLatin1, toFastBytes } from '../text/fast-bytes'
import type { BlockRun, Bytes, RawImporter, RawText } from '../importer'
import { LambdaLog } from './lambda-log'
import { LambdaReportReader } from './lambda-report'
import type { Wanted } from '../rows/wanted'
import { ReportBytes } from './lambda-report-bytes'
import { createPrefixRemover } from '../text/line-prefix'
import { maxLineBytes } from '../text/line-splitter'
import { cleanText } from '../text/lines'
import { decodeHead } from '../text/text-head'
import { warningAt } from '../import-problem'

/** Reads a file that is only a log, from 64 KiB on. */
export const lambdaLogFile: RawImporter = {
  kind: 'raw',
  id: 'lambda-log-file',
  detect: (head) => {
    if (head.length < 65_536 || !opening.test(decodeHead(head, 1_000))) return false
    const text = decodeHead(head, head.length)
    return (text.match(/^REPORT RequestId: [\w-]{36}\tDuration: /gm)?.length ?? 0) >= 4 && !document.test(text)
  },
  read: readLogFile,
}

const opening = /^(?:(?:START|END|REPORT) RequestId: |INIT_START Runtime|\d{4}-\d\d-\d\dT[\d:.]{8,20}Z\t)/
/** Headings, fences, quotes, tables, prompts and reports of other tools: a text for the document reader. */
const document =
  /^[ \t]*(?:#{1,6}\s|```|~~~|>|\||\$ )|^(?:Summary:|Running \d+[smh] test @ |Requests +\[|Bucket +# )|^[ \t]*\{$|"type"\s*:\s*"platform\.|"LogResult"|\r(?!\n)|\u001b/m
/** Reports of other tools further down. */
const foreign = /^(?:Summary:$|Running \d+[smh] test @ |Requests +\[|Bucket +# )/

const lineFeed = 10

async function* readLogFile(bytes: Bytes, wanted?: Wanted): AsyncGenerator<BlockRun | ImportProblem | RawText> {
  const reader = new LogFileReader(wanted)
  for await (const chunk of bytes) reader.push(toFastBytes(chunk))
  yield* reader.finish()
}

class LogFileReader {
  private readonly log: LambdaLog
  private readonly lines: LambdaReportReader
  private readonly reports = new ReportBytes()
  private readonly withoutPrefix = createPrefixRemover()
  private carry = createCarry(4_096)
  private carried = 0
  private number = 0
  /** First line from the platform. */
  private firstLine = 0
  private foreignLine: number | null = null

  constructor(wanted?: Wanted) {
    this.log = new LambdaLog(wanted)
    this.lines = new LambdaReportReader(lambdaLogFile.id, this.log)
  }

  push(bytes: Uint8Array): void {
    let at = 0
    if (this.carried > 0) {
      const end = bytes.indexOf(lineFeed)
      this.keep(bytes, 0, end < 0 ? bytes.length : end)
      if (end < 0) return
      this.takeCarried()
      at = end + 1
    }
    while (at < bytes.length) {
      const end = this.take(bytes, at, bytes.length)
      if (end < 0) break
      at = end + 1
    }
    this.keep(bytes, at, bytes.length)
  }

  private keep(bytes: Uint8Array, from: number, to: number): void {
    const part = Math.min(to - from, maxLineBytes - this.carried)
    // One more for the line feed.
    if (this.carried + part >= this.carry.length) {
      const larger = createCarry(Math.min(maxLineBytes, Math.max(this.carry.length * 2, this.carried + part)) + 1)
      larger.set(this.carry.subarray(0, this.carried))
      this.carry = larger
    }
    this.carry.set(bytes.subarray(from, from + part), this.carried)
    this.carried += part
  }

  private takeCarried(): void {
    if (this.carried === 0) return
    this.carry[this.carried] = lineFeed
    this.take(this.carry, 0, this.carried + 1)
    this.carried = 0
  }

  /**
   * Reads the line at `from` and returns the position of its line feed; −1: not before `limit`, and nothing was read.
   */
  private take(bytes: Uint8Array, from: number, limit: number): number {
    if (!this.lines.isWaiting) {
      const first = bytes[from]
      if (first === 82) {
        const end = this.reports.read(bytes, from, limit, this.log.waiting)
        if (end >= 0) {
          this.number++
          this.log.addNext(this.lines.functionName, null, this.number)
          this.mark()
          return end
        }
      } else if (isMark(bytes, from, first)) {
        const end = findByte(bytes, lineFeed, from, limit)
        if (end >= 0) {
          this.number++
          this.mark()
        }
        return end
      }
    }
    const end = findByte(bytes, lineFeed, from, limit)
    if (end >= 0) {
      this.number++
      this.takeOther(bytes, from, end)
    }
    return end
  }

  private takeOther(bytes: Uint8Array, from: number, to: number): void {
    const line = bytes.subarray(from, Math.min(to, from + maxLineBytes))
    if (!this.lines.isWaiting) {
      const text = readLatin1(line, 0, line.length)
      if (!mayMatter.test(text)) {
        this.log.times.addLine(text)
        return
      }
    }
    const { text: raw } = decodeLine(line, false)
    const cleaned = cleanText(raw)
    if (this.foreignLine === null && foreign.test(cleaned)) this.foreignLine = this.number
    const answer = this.lines.push({ number: this.number, text: this.withoutPrefix(cleaned), raw })
    if (answer === 'taken') this.firstLine ||= this.number
  }

  private mark(): void {
    this.firstLine ||= this.number
    this.lines.lastLine = this.number
  }

  *finish(): Generator<BlockRun | ImportProblem | RawText> {
    this.takeCarried()
    const block = this.lines.end(true)
    if (block === null) throw new ImportError('empty', 'it contains no REPORT line', { line: 1, hint: null })
    yield { encoding: 'utf-8', lineCount: this.number }
    const lines = [this.firstLine, this.lines.lastLine] as const
    for (const run of block.runs) yield { ...run, lines: run.lines ?? lines }
    yield* block.problems
    if (this.foreignLine !== null)
      yield warningAt(
        'not-imported',
        this.foreignLine,
        'this log contains a report of another tool',
        'Upload that report alone.',
      )
  }
}

const createCarry = (length: number) => toFastBytes(new Uint8Array(length))

/** What a line must contain to be more than an application's. */
const mayMatter =
  /RequestId:|^END Duration: |Billed Duration: |Memory Size: |(?:^|\s)REPORT\s|"platform\.|"LogResult"|_REPORT |_START |XRAY |Task timed out after |\/aws\/lambda\/|sam logs|aws lambda invoke|^(?:Summary:|Running |Requests +\[|Bucket +#)|\tName: /

/** Unmasked START and END lines: nothing in them is needed. */
function isMark(bytes: Uint8Array, from: number, first: number | undefined): boolean {
  return (
    (first === 83 && bytes[from + 1] === 84 && bytes[from + 5] === 32 && bytes[from + 6] === 82) ||
    (first === 69 && bytes[from + 1] === 78 && bytes[from + 3] === 32 && bytes[from + 4] === 82)
  )
}
