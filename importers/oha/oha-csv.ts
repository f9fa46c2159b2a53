/**
 * oha's CSV, as https://github.com/hatoo/oha/blob/v1.16.0/src/printer.rs (print_csv) writes it: one row for each
 * response, seconds with up to nine decimals, from the start of the run. Requests without a response are not in it.
 *
 *     request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status
 *     0.006260681,0.000039077,0.00021417,0.023569627,0.023627381,64,200
 */
import { ImportError } from '../../lib/errors'
import type { ImportProblem, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { CsvRows, type CsvRowSink } from '../samples/csv-rows'
import { largestNs } from '../samples/flat-histogram'
import { warmUpJitOnce } from '../samples/jit-warm-up'
import { cutProblem } from '../import-problem'
import { warnOfRows } from '../samples/row-warnings'
import { batchRows, SampleBatch } from '../samples/sample-batch'
import { Samples } from '../samples/samples'
import { openText } from '../text/bytes'
import type { CsvFields } from '../text/csv-fields'
import { readDigits, readScaledDigits } from '../text/digits'
import { decodeHead } from '../text/text-head'

/** Reads oha's CSV. */
export const ohaCsv: RawImporter = {
  kind: 'raw',
  id: 'oha-csv',
  detect: (head) => /^\s*"?request-start"?,"?DNS"?,"?DNS\+dialup"?,/.test(decodeHead(head, 200)),
  read: readOhaCsv,
}

/** A second apart, few and many digits, a failure. */
const rowsOfEachKind = new TextEncoder()
  .encode(`request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status
0.006260681,0.000039077,0.00021417,0.023569627,0.023627381,64,200
1.017696647,0.000028964,0.00012949,0.022961948,1.022998883,64,503
12.5,0,0,0.1,0.2,1024,404
`)

const hint = 'Upload what "oha --output-format csv" wrote, unchanged.'

async function* readOhaCsv(bytes: Bytes): AsyncGenerator<BlockRun | ImportProblem> {
  warmUpJitOnce('oha-csv', (unused) => {
    const sink = new OhaRows(unused)
    const rows = new CsvRows(sink, "oha's CSV")
    rows.push(rowsOfEachKind)
    sink.finish()
  })
  const samples = new Samples()
  const sink = new OhaRows(samples)
  const rows = new CsvRows(sink, "oha's CSV")
  const text = await openText(bytes)
  for await (const chunk of text.bytes) rows.push(chunk)
  // The last column has three digits: with all of them nothing is missing.
  const isTorn = rows.finish((_, { count, from, to }) => (to[count - 1] ?? 0) - (from[count - 1] ?? 0) === 3)
  sink.finish()
  if (samples.count === 0 && rows.faults.count === 0)
    throw new ImportError(
      isTorn ? 'truncated' : 'empty',
      isTorn
        ? "oha's CSV ends before its first whole row"
        : "oha's CSV lists responses only, and there are none: each request failed, or none was sent",
      { line: rows.line, hint: 'Upload the JSON or the text of oha: these count failures.' },
    )
  const fault = rows.faults.report(samples.count, hint)
  yield await buildRun(samples, sink, fault === null && !isTorn)
  if (fault !== null) yield fault
  if (isTorn) yield cutProblem(rows.line, 'the file ends within a row: more responses are missing')
}

/** Columns that are read. */
const columnNames = ['request-start', 'Response-delay', 'request-duration', 'bytes', 'status'] as const
/** Time that a response may need to arrive completely after its first byte, ns. */
const longReadNs = 10e6

class OhaRows implements CsvRowSink {
  /** Rows whose duration exceeds their delay by more than reading takes. */
  late = 0
  private columns: readonly number[] = []
  private readonly batch = new SampleBatch()

  constructor(private readonly samples: Samples) {}

  heading(names: readonly string[]): boolean {
    this.columns = columnNames.map((name) => names.indexOf(name))
    return this.columns.every((column) => column >= 0)
  }

  row(bytes: Uint8Array, _view: DataView, { from, to, count }: CsvFields): boolean {
    const [start = 0, delay = 0, duration = 0, received = 0, status = 0] = this.columns
    if (count <= Math.max(start, delay, duration, received, status)) return false
    const startNs = readScaledDigits(bytes, from[start] ?? 0, to[start] ?? 0, 9)
    const delayNs = readScaledDigits(bytes, from[delay] ?? 0, to[delay] ?? 0, 9)
    const ns = readScaledDigits(bytes, from[duration] ?? 0, to[duration] ?? 0, 9)
    const size = readDigits(bytes, from[received] ?? 0, to[received] ?? 0, 15)
    const code = readDigits(bytes, from[status] ?? 0, to[status] ?? 0, 3)
    if (startNs < 0 || ns < 0 || ns > largestNs || size < 0 || code < 100) return false
    const { batch } = this
    if (batch.size === batchRows) this.samples.add(batch)
    const row = batch.size++
    const seconds = Math.floor(startNs / 1e9)
    batch.seconds[row] = seconds
    batch.nanos[row] = startNs - seconds * 1e9
    batch.latencyNs[row] = ns
    batch.codes[row] = code
    batch.bytesIn[row] = size
    batch.bytesOut[row] = 0
    batch.targets[row] = -1
    if (delayNs >= 0 && ns - delayNs > longReadNs && ns > 2 * delayNs) this.late++
    return true
  }

  finish(): void {
    this.samples.add(this.batch)
  }
}

async function buildRun(samples: Samples, { late }: OhaRows, complete: boolean): Promise<BlockRun> {
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
    warnings: [responsesOnly, ...warnOfCorrection(late, count), ...warnOfRows(samples)],
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
