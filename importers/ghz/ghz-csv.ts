/**
 * ghz's CSV (`-O csv`), as https://github.com/bojand/ghz/blob/v0.121.0/printer/template.go (csvTmpl) prints it: an empty
 * line, a heading, a row for each call in ms with two decimals. Messages are not quoted: all after the second comma is
 * one.
 *
 *     duration (ms),status,error
 *     3.80,OK,
 *     11.24,NotFound,rpc error: code = NotFound desc = no such item
 */
import { ImportError } from '../../lib/errors'
import type { ImportProblem } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { largestNs } from '../samples/flat-histogram'
import { LineRows, readDigits } from '../samples/line-rows'
import { cutProblem } from '../import-problem'
import { batchRows, SampleBatch } from '../samples/sample-batch'
import { Samples } from '../samples/samples'
import { openText } from '../text/bytes'
import { decodeHead } from '../text/text-head'
import { listStatuses, okStatus } from './ghz-run'

/** Reads the CSV of ghz. All rows of a file are one run. */
export const ghzCsv: RawImporter = {
  kind: 'raw',
  id: 'ghz-csv',
  // A spreadsheet fills the empty line with commas.
  detect: (head) => /^[\s,]{0,40}duration \(ms\),status,error[\s,]/.test(decodeHead(head, 100)),
  read: readGhzCsv,
}

const hint = 'Upload what ghz wrote with -O csv, unchanged.'
const comma = 44
const point = 46
const answered = 200
const maxStatuses = 100
const utf8 = new TextDecoder()

/** Milliseconds with two decimals, or fewer if a spreadsheet dropped trailing zeros, in ns; −1: not a number. */
function readNs(bytes: Uint8Array, from: number, to: number): number {
  const found = bytes.subarray(from, to).indexOf(point)
  const dot = found < 0 ? to : from + found
  const decimals = to - dot - 1
  const whole = readDigits(bytes, from, dot)
  const part = decimals > 0 ? readDigits(bytes, dot + 1, to) : 0
  if (whole < 0 || part < 0 || decimals === 0 || decimals > 2) return -1
  return (whole * 100 + part * (decimals === 1 ? 10 : 1)) * 10_000
}

class GhzCsvRows {
  readonly samples = new Samples()
  readonly statuses = new Map<string, number>()
  readonly rows = new LineRows((bytes, from, to) => this.read(bytes, from, to), "ghz's CSV")
  private readonly batch = new SampleBatch()
  private hasHeading = false

  private read(bytes: Uint8Array, from: number, to: number): boolean {
    if (!this.hasHeading) {
      this.hasHeading = bytes[from] !== comma
      return true
    }
    const first = bytes.indexOf(comma, from)
    const second = first < 0 ? -1 : bytes.indexOf(comma, first + 1)
    if (second < 0 || second >= to) return false
    const ns = readNs(bytes, from, first)
    if (ns < 0 || ns > largestNs) return false
    const status = utf8.decode(bytes.subarray(first + 1, second))
    if (!/^[A-Za-z]\w{1,40}$/.test(status)) return false
    if (this.statuses.size < maxStatuses || this.statuses.has(status))
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    let end = to
    while (bytes[end - 1] === comma && end > second + 1) end--
    if (end > second + 1) this.samples.errors.add(bytes, second + 1, end)
    this.add(ns, status === okStatus)
    return true
  }

  private add(ns: number, isOk: boolean): void {
    const { batch } = this
    if (batch.size === batchRows) this.samples.add(batch)
    const row = batch.size++
    batch.seconds[row] = 0
    batch.nanos[row] = 0
    batch.latencyNs[row] = ns
    batch.codes[row] = isOk ? answered : 0
    batch.targets[row] = -1
    batch.bytesIn[row] = 0
    batch.bytesOut[row] = 0
  }

  finish(): void {
    this.samples.add(this.batch)
  }
}

async function* readGhzCsv(bytes: Bytes): AsyncGenerator<BlockRun | ImportProblem> {
  const reader = new GhzCsvRows()
  const { rows, samples } = reader
  const text = await openText(bytes)
  for await (const chunk of text.bytes) rows.push(chunk)
  reader.finish()
  // All its rows end with a line feed: without it the last message may be cut.
  const isTorn = rows.rest().length > 0
  const fault = rows.faults.report(samples.count, hint)
  if (samples.count === 0)
    throw new ImportError(isTorn ? 'truncated' : 'empty', "there is no whole row in ghz's CSV", { line: 1, hint })
  yield {
    ...blankRun('ghz', 'ghz-csv'),
    requests: samples.count,
    successes: samples.successes,
    successRatio: samples.successes / samples.count,
    errors: samples.errors.list((message) => utf8.decode(message)),
    latencies: await samples.latencies(),
    measures: listStatuses(Object.fromEntries(reader.statuses), null),
    complete: fault === null && !isTorn,
    warnings: [
      {
        code: 'no-times',
        message: "ghz's CSV has no times of day: start, duration and rate are in its JSON (-O json).",
        line: null,
      },
    ],
  }
  if (fault !== null) yield fault
  if (isTorn) yield cutProblem(rows.line, 'the file ends within a row: more calls are missing')
}
