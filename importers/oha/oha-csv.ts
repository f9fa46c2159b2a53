/**
 * oha's CSV, as https://github.com/hatoo/oha/blob/v1.16.0/src/printer.rs (print_csv) writes it: one row for each
 * response, seconds with up to nine decimals, from the start of the run. Requests without a response are not in it.
 *
 *     request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status
 *     0.006260681,0.000039077,0.00021417,0.023569627,0.023627381,64,200
 */
import { ImportError } from '../../lib/errors'
import type { Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun } from '../importer'
import { CsvRows } from '../samples/csv-rows'
import { largestNs } from '../samples/flat-histogram'
import { besideOf } from '../samples/run-cube'
import { warnOfRows } from '../samples/row-warnings'
import { createSampleImporter, type SampleFile } from '../samples/sample-file'
import type { Samples } from '../samples/samples'
import type { CsvFields } from '../text/csv-fields'
import { readDigits, readScaledDigits } from '../text/digits'
import { decodeHead } from '../text/text-head'

/** A second apart, few and many digits, a failure. */
const rowsOfEachKind = `request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status
0.006260681,0.000039077,0.00021417,0.023569627,0.023627381,64,200
1.017696647,0.000028964,0.00012949,0.022961948,1.022998883,64,503
12.5,0,0,0.1,0.2,1024,404
`

/** Reads oha's CSV. */
export const ohaCsv = createSampleImporter({
  id: 'oha-csv',
  detect: (head) => /^\s*"?request-start"?,"?DNS"?,"?DNS\+dialup"?,/.test(decodeHead(head, 200)),
  rowsOfEachKind,
  open: (samples) => new OhaRows(samples),
  hint: 'Upload what "oha --output-format csv" wrote, unchanged.',
  truncation: 'the file ends within a row: more responses are missing',
  nothing: ({ reader: { line }, isTorn }) =>
    new ImportError(
      isTorn ? 'truncated' : 'empty',
      isTorn
        ? "oha's CSV ends before its first whole row"
        : "oha's CSV lists responses only, and there are none: each request failed, or none was sent",
      { line, hint: 'Upload the JSON or the text of oha: these count failures.' },
    ),
  build: buildRun,
})

/** Columns that are read. */
const columnNames = ['request-start', 'Response-delay', 'request-duration', 'bytes', 'status'] as const
/** Time that a response may need to arrive completely after its first byte, ns. */
const longReadNs = 10e6

class OhaRows extends CsvRows {
  /** Rows whose duration exceeds their delay by more than reading takes. */
  late = 0
  private columns: readonly number[] = []

  constructor(private readonly samples: Samples) {
    super("row of oha's CSV")
  }

  protected heading(names: readonly string[]): boolean {
    this.columns = columnNames.map((name) => names.indexOf(name))
    return this.columns.every((column) => column >= 0)
  }

  protected row(bytes: Uint8Array, _view: DataView, { from, to, count }: CsvFields): boolean {
    const [start = 0, delay = 0, duration = 0, received = 0, status = 0] = this.columns
    if (count <= Math.max(start, delay, duration, received, status)) return false
    const startNs = readScaledDigits(bytes, from[start] ?? 0, to[start] ?? 0, 9)
    const delayNs = readScaledDigits(bytes, from[delay] ?? 0, to[delay] ?? 0, 9)
    const ns = readScaledDigits(bytes, from[duration] ?? 0, to[duration] ?? 0, 9)
    const size = readDigits(bytes, from[received] ?? 0, to[received] ?? 0, 15)
    const code = readDigits(bytes, from[status] ?? 0, to[status] ?? 0, 3)
    if (startNs < 0 || ns < 0 || ns > largestNs || size < 0 || code < 100) return false
    const seconds = Math.floor(startNs / 1e9)
    this.samples.write(seconds, startNs - seconds * 1e9, ns, code, size, -1)
    if (delayNs >= 0 && ns - delayNs > longReadNs && ns > 2 * delayNs) this.late++
    return true
  }

  /** The last column has three digits: with all of them nothing is missing. */
  protected override isWhole({ count, from, to }: CsvFields): boolean {
    return (to[count - 1] ?? 0) - (from[count - 1] ?? 0) === 3
  }
}

async function buildRun({ samples, reader, complete }: SampleFile<OhaRows>): Promise<BlockRun> {
  const { count } = samples
  const span = samples.span()
  return {
    ...blankRun('oha', 'oha-csv'),
    durationMs: span === null ? null : span.totalNs / 1e6,
    requests: count,
    successes: count,
    bytesIn: samples.bytesIn,
    statusCodes: samples.statusCodes(),
    latencies: await samples.latencies(),
    timeline: samples.buildTimeline(false),
    complete,
    ...besideOf(samples, { tool: 'oha', resolutionMs: 0, isOpenLoop: false, decodeError: String }),
    warnings: [responsesOnly, ...warnOfCorrection(reader.late, count), ...warnOfRows(samples)],
  }
}

const responsesOnly: Warning = {
  code: 'responses-only',
  message:
    "oha's CSV lists responses only. Requests without one are not in it, so the share of failed requests and the rate are unknown. The duration is the time from the first request to the end of the last response.",
  line: null,
}

function warnOfCorrection(late: number, count: number): Warning[] {
  if (late * 2 < count) return []
  const message = `${late} of ${count} requests took twice as long as their response was waited for: oha measured from the time each was due (--latency-correction), or responses took long to arrive whole.`
  return [{ code: 'latency-corrected', message, line: null, numbers: { late, count } }]
}
