/**
 * ghz's CSV (`-O csv`), as https://github.com/bojand/ghz/blob/v0.121.0/printer/template.go (csvTmpl) prints it: an empty
 * line, a heading, a row for each call in ms with two decimals. Messages are not quoted: all after the second comma is
 * one.
 *
 *     duration (ms),status,error
 *     3.80,OK,
 *     11.24,NotFound,rpc error: code = NotFound desc = no such item
 */
import { blankRun } from '../blank-run'
import type { BlockRun } from '../importer'
import { largestNs } from '../samples/flat-histogram'
import { LineRows } from '../samples/line-rows'
import { besideOf } from '../samples/run-cube'
import { createSampleImporter, type SampleFile } from '../samples/sample-file'
import type { Samples } from '../samples/samples'
import { readDigits } from '../text/digits'
import { decodeHead } from '../text/text-head'
import { listStatuses, okStatus } from './ghz-run'

/** Reads the CSV of ghz. */
export const ghzCsv = createSampleImporter({
  id: 'ghz-csv',
  // A spreadsheet fills the empty line with commas.
  detect: (head) => /^[\s,]{0,40}duration \(ms\),status,error[\s,]/.test(decodeHead(head, 100)),
  // All its rows end with a line feed: without it the last message may be truncated.
  open: (samples) => new GhzCsvRows(samples),
  hint: 'Upload what ghz wrote with -O csv, unchanged.',
  truncation: 'the file ends within a row: more calls are missing',
  nothing: "there is no complete row in ghz's CSV",
  build: buildRun,
})

const comma = 44
const point = 46
const answered = 200
const maxStatuses = 100
const utf8 = new TextDecoder()
const decodeError = (message: Uint8Array): string => utf8.decode(message)

/** Milliseconds with two decimals, or fewer if a spreadsheet dropped trailing zeros, in ns; −1: not a number. */
function readNs(bytes: Uint8Array, from: number, to: number): number {
  const found = bytes.subarray(from, to).indexOf(point)
  const dot = found < 0 ? to : from + found
  const decimals = to - dot - 1
  const whole = readDigits(bytes, from, dot, 16)
  const part = decimals > 0 ? readDigits(bytes, dot + 1, to, 16) : 0
  if (whole < 0 || part < 0 || decimals === 0 || decimals > 2) return -1
  return (whole * 100 + part * (decimals === 1 ? 10 : 1)) * 10_000
}

class GhzCsvRows extends LineRows {
  readonly statuses = new Map<string, number>()
  private hasHeading = false

  constructor(private readonly samples: Samples) {
    super("row of ghz's CSV")
  }

  protected read(bytes: Uint8Array, _view: DataView, from: number, to: number): boolean {
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
    const { samples } = this
    samples.write(0, 0, ns, status === okStatus ? answered : 0, 0, -1)
    if (samples.cube !== null) samples.cube.hasTimes = false
    if (end > second + 1) samples.addError(samples.lastRow, bytes, second + 1, end)
    return true
  }
}

async function buildRun({ samples, reader, complete }: SampleFile<GhzCsvRows>): Promise<BlockRun> {
  return {
    ...blankRun('ghz', 'ghz-csv'),
    requests: samples.count,
    successes: samples.successes,
    successRatio: samples.successes / samples.count,
    errors: samples.errors.list(decodeError),
    latencies: await samples.latencies(),
    measures: listStatuses(Object.fromEntries(reader.statuses), null),
    complete,
    ...besideOf(samples, { tool: 'ghz', resolutionMs: 0.01, isOpenLoop: false, decodeError }),
    warnings: [
      {
        code: 'no-times',
        message: "ghz's CSV has no times of day: start, duration and rate are in its JSON (-O json).",
        line: null,
      },
    ],
  }
}
