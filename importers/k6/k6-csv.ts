/**
 * k6's CSV (`--out csv`), as https://github.com/grafana/k6/blob/v1.8.1/output/csv/output.go writes it: a row for each value
 * of each metric; which tags have a column is a setting. Times are whole seconds unless K6_CSV_TIME_FORMAT is set.
 *
 *     metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,proto,scenario,…
 *     http_req_duration,1795313434421,3.098227,,,,true,,POST,http://127.0.0.1:18201/api/flaky,HTTP/1.1,s,,200,,,http://…
 */
import { CsvRows } from '../samples/csv-rows'
import type { CsvFields } from '../text/csv-fields'
import { readScaledDigits } from '../text/digits'
import { readLatin1 } from '../text/fast-bytes'
import { decodeHead } from '../text/text-head'
import { K6Clock } from './k6-clock'
import { emptyTags, K6Rows, phaseNames } from './k6-rows'
import { createK6Importer } from './k6-run'

/** Reads k6's CSV. */
export const k6Csv = createK6Importer({
  id: 'k6-csv',
  detect(head) {
    const text = decodeHead(head, 2_000)
    if (!text.includes('metric_name')) return false
    const [line = ''] = text.trimStart().split(/\r?\n/, 1)
    const names = line.split(',')
    return columnNames.every((name) => names.includes(name))
  },
  rowsOfEachKind: `metric_name,timestamp,metric_value,error,error_code,expected_response,method,name,status
http_reqs,1795313434421,1.000000,,,true,POST,items,200
http_req_duration,1795313434421,3.098227,,,true,POST,items,200
http_req_waiting,1795313434421,3.000000,,,true,POST,items,200
http_req_duration,1795313435421,1503.098227,,1503,false,POST,items,503
`,
  open: (samples) => new K6CsvRows(new K6Rows(samples)),
  command: 'k6 run --out csv',
  decode: decodeField,
})

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

/** Its last column is nearly always empty, so a row without its end may lack anything. */
class K6CsvRows extends CsvRows {
  private readonly clock = new K6Clock()
  private readonly tags = emptyTags()
  private columns: readonly number[] = []
  private tagPlaces: readonly { readonly tag: keyof typeof tagColumns; readonly column: number }[] = []

  constructor(readonly rows: K6Rows) {
    super("row of k6's CSV")
  }

  get readable(): number {
    return this.rows.points
  }

  get isCoarse(): boolean {
    return this.clock.isCoarse
  }

  override finish(): boolean {
    return super.finish() || !this.hasHeading
  }

  protected heading(names: readonly string[]): boolean {
    this.columns = columnNames.map((name) => names.indexOf(name))
    this.tagPlaces = (['method', 'name', 'status', 'error', 'errorCode', 'expected'] as const).map((tag) => ({
      tag,
      column: names.indexOf(tagColumns[tag]),
    }))
    return this.columns.every((column) => column >= 0)
  }

  protected row(bytes: Uint8Array, _view: DataView, { from, to, count }: CsvFields): boolean {
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
