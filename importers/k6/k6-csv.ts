/**
 * k6's CSV (`--out csv`), as https://github.com/grafana/k6/blob/v1.8.1/output/csv/output.go writes it: a row for each value
 * of each metric; which tags have a column is a setting. Times are whole seconds unless K6_CSV_TIME_FORMAT is set.
 *
 *     metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,proto,scenario,…
 *     http_req_duration,1795313434421,3.098227,,,,true,,POST,http://127.0.0.1:18201/api/flaky,HTTP/1.1,s,,200,,,http://…
 */
import type { ImportProblem } from '../../lib/run/run'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { CsvRows, type CsvRowSink } from '../samples/csv-rows'
import { warmUpJitOnce } from '../samples/jit-warm-up'
import { Samples } from '../samples/samples'
import { openText } from '../text/bytes'
import type { CsvFields } from '../text/csv-fields'
import { readScaledDigits } from '../text/digits'
import { readLatin1 } from '../text/fast-bytes'
import { decodeHead } from '../text/text-head'
import { K6Clock } from './k6-clock'
import { emptyTags, K6Rows, phaseNames } from './k6-rows'
import { buildRowsRun } from './k6-run'

/** Reads k6's CSV. All rows of a file are one run. */
export const k6Csv: RawImporter = {
  kind: 'raw',
  id: 'k6-csv',
  detect: (head) => {
    const text = decodeHead(head, 2_000)
    if (!text.includes('metric_name')) return false
    const [line = ''] = text.trimStart().split(/\r?\n/, 1)
    const names = line.split(',')
    return columnNames.every((name) => names.includes(name))
  },
  read: readK6Csv,
}

const rowsOfEachKind = new TextEncoder()
  .encode(`metric_name,timestamp,metric_value,error,error_code,expected_response,method,name,status
http_reqs,1795313434421,1.000000,,,true,POST,items,200
http_req_duration,1795313434421,3.098227,,,true,POST,items,200
http_req_waiting,1795313434421,3.000000,,,true,POST,items,200
http_req_duration,1795313435421,1503.098227,,1503,false,POST,items,503
`)

async function* readK6Csv(bytes: Bytes): AsyncGenerator<BlockRun | ImportProblem> {
  warmUpJitOnce('k6-csv', (unused) => {
    const sink = new K6CsvSink(new K6Rows(unused))
    new CsvRows(sink, "k6's CSV").push(rowsOfEachKind)
    sink.rows.finish()
  })
  const samples = new Samples()
  const sink = new K6CsvSink(new K6Rows(samples))
  const csv = new CsvRows(sink, "k6's CSV")
  const text = await openText(bytes)
  for await (const chunk of text.bytes) csv.push(chunk)
  // Its last column is nearly always empty, so a row without its end may lack anything.
  const isTorn = csv.finish(() => false)
  sink.rows.finish()
  yield* await buildRowsRun(samples, sink.rows, {
    form: 'k6-csv',
    command: 'k6 run --out csv',
    decode: decodeField,
    isCoarse: sink.clock.isCoarse,
    faults: csv.faults,
    isTorn: isTorn || !csv.hasHeading,
    lacksBeginning: false,
    line: csv.line,
  })
}

const utf8 = new TextDecoder()

/** Text of a field with doubled quotes. */
function decodeField(bytes: Uint8Array): string {
  return utf8.decode(bytes).replaceAll('""', '"')
}

/** Columns that are read: the first three, then those of tags. */
const columnNames = ['metric_name', 'timestamp', 'metric_value'] as const
const tagColumns = {
  method: 'method',
  name: 'name',
  status: 'status',
  error: 'error',
  errorCode: 'error_code',
  expected: 'expected_response',
} as const

class K6CsvSink implements CsvRowSink {
  readonly clock = new K6Clock()
  private readonly tags = emptyTags()
  private columns: readonly number[] = []
  private tagPlaces: readonly { readonly tag: keyof typeof tagColumns; readonly column: number }[] = []

  constructor(readonly rows: K6Rows) {}

  heading(names: readonly string[]): boolean {
    this.columns = columnNames.map((name) => names.indexOf(name))
    this.tagPlaces = (['method', 'name', 'status', 'error', 'errorCode', 'expected'] as const).map((tag) => ({
      tag,
      column: names.indexOf(tagColumns[tag]),
    }))
    return this.columns.every((column) => column >= 0)
  }

  row(bytes: Uint8Array, _view: DataView, { from, to, count }: CsvFields): boolean {
    const [metric = 0, time = 0, value = 0] = this.columns
    if (count <= Math.max(metric, time, value)) return false
    const name = readLatin1(bytes, from[metric] ?? 0, to[metric] ?? 0)
    const ns = readScaledDigits(bytes, from[value] ?? 0, to[value] ?? 0, 6)
    const isPart = name.startsWith('http_req_')
    if (isPart && ns < 0) return false
    if (name === 'http_req_duration') {
      if (!this.clock.read(bytes, from[time] ?? 0, to[time] ?? 0)) return false
      for (const { tag, column } of this.tagPlaces) {
        const place = this.tags[tag]
        const isThere = column >= 0 && column < count && from[column] !== to[column]
        place.from = isThere ? (from[column] ?? 0) : 0
        place.to = isThere ? (to[column] ?? 0) : 0
      }
      return this.rows.addRequest(bytes, this.tags, this.clock.seconds, this.clock.nanos, ns)
    }
    const phase = isPart ? phaseNames.findIndex((one) => name === `http_req_${one}`) : -1
    if (phase >= 0) this.rows.addPhase(phase, ns)
    else if (ns >= 0) this.rows.addPoint(name, ns / 1e6)
    // A gauge of the script may be negative; it is not needed.
    return true
  }
}
