/**
 * JMeter's results as CSV (a .jtl), as https://github.com/apache/jmeter/blob/rel/v5.6.3/src/core/src/main/java/org/apache/jmeter/save/CSVSaveService.java
 * writes it: a row for each sample; columns, separator and the form of times are settings. Read by the heading.
 *
 *     timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,…
 *     1795311079661,36,items,200,OK,shoppers 1-1,text,true,,1176,127,3,3,http://127.0.0.1:18201/api/items,27,0,16
 */
import { ImportError } from '../../lib/errors'
import { CsvRows } from '../samples/csv-rows'
import { createSampleImporter } from '../samples/sample-file'
import { absentField, type CsvFields } from '../text/csv-fields'
import { readDigits } from '../text/digits'
import { readLatin1 } from '../text/fast-bytes'
import { decodeHead } from '../text/text-head'
import { PlainJtlRows } from './jtl-plain'
import { JtlRows } from './jtl-rows'
import { isOfTransaction, JtlSample, readCode, readSuccess } from './jtl-sample'

const columnNames = [
  'timeStamp',
  'elapsed',
  'label',
  'responseCode',
  'responseMessage',
  'threadName',
  'success',
  'failureMessage',
  'bytes',
  'sentBytes',
  'allThreads',
  'Latency',
  'Connect',
] as const
type Column = (typeof columnNames)[number]
/** Positions of these columns in a row, as fields of one shape: V8 reads them without a look-up. */
type Places = Readonly<Record<Column, number>>

/** JMeter's default columns: without a heading they are assumed only if each field has the expected shape. */
const defaultHeading =
  'timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect'
const defaultRow =
  /^\d{13},\d{1,9},[^,"\n]{1,200},(?:\d{3})?,[^,"\n]{0,200},[^,"\n]{1,200} \d{1,6}-\d{1,9},\w{0,10},(?:true|false),[^,"\n]{0,500},\d{1,12},\d{1,12},\d{1,9},\d{1,9},[^,\s]{1,2000},\d{1,9},\d{1,9},\d{1,9}\r?(?:\n|$)/

interface Layout {
  readonly separator: string
  readonly hasHeading: boolean
}

/** Null: not JMeter's. */
function layoutOf(bytes: Uint8Array): Layout | null {
  const head = decodeHead(bytes, 4_000)
  const [line = ''] = head.trimStart().split(/\r?\n/, 1)
  const separator = /^"?\w+"?([,;\t|])/.exec(line)?.[1]
  if (separator === undefined) return null
  const names = line.split(separator).map((name) => name.replace(/^"|"$/g, ''))
  const has = (name: Column) => names.includes(name)
  if (has('elapsed') && has('label') && (has('timeStamp') || has('responseCode') || has('success')))
    return { separator, hasHeading: true }
  return defaultRow.test(head) ? { separator: ',', hasHeading: false } : null
}

const hint = 'Upload the .jtl that JMeter wrote (-l), unchanged; of the columns at least elapsed, label and success.'

const rowsOfEachKind = `${defaultHeading}
1795311079661,36,items,200,OK,shoppers 1-1,text,true,,1176,127,3,3,http://127.0.0.1:18201/api/items,27,0,16
1795311080661,3600,items,503,Unavailable,shoppers 1-1,text,false,"a ""b""",1176,127,3,3,http://127.0.0.1:18201/api/items,27,0,16
1795311081661,3600,items-0,503,Unavailable,shoppers 1-1,text,false,,1176,127,3,3,http://127.0.0.1:18201/api/items,27,0,16
`

/** Reads JMeter's CSV. */
export const jmeterCsv = createSampleImporter({
  id: 'jmeter-csv',
  detect: (head) => layoutOf(head) !== null,
  rowsOfEachKind,
  open: (samples, head) => new JtlCsvRows(new JtlRows(samples), layoutOf(head)),
  hint,
  truncation: 'the file ends within a row: more samples are missing',
  nothing: ({ reader: { line }, isTorn }) =>
    new ImportError(isTorn ? 'truncated' : 'empty', "JMeter's results contain no sample of a request", {
      line,
      hint,
    }),
  build: ({ reader, complete }) => reader.rows.buildRun('jmeter-csv', decodeField, complete),
})

const utf8 = new TextDecoder()

/** Text of a field with doubled quotes. */
function decodeField(bytes: Uint8Array): string {
  return utf8.decode(bytes).replaceAll('""', '"').replaceAll('\r\n', '\n')
}

/** A last row without its line feed may lack digits. */
class JtlCsvRows extends CsvRows {
  private readonly sample = new JtlSample()
  private places: Places | null = null
  /** The last column that is read. */
  private widest = 0
  private needed = 0
  private readonly why = new Uint8Array(1_024)
  private readonly dates = new Map<string, number>()
  private readonly plain: PlainJtlRows
  /** The columns are JMeter's own, in its order. */
  private isDefault = false

  constructor(
    readonly rows: JtlRows,
    private readonly layout: Layout | null,
  ) {
    super("row of JMeter's CSV", layout?.separator.charCodeAt(0))
    this.plain = new PlainJtlRows(rows, this.sample)
    if (layout?.hasHeading === false) this.push(new TextEncoder().encode(`${defaultHeading}\n`))
  }

  protected heading(names: readonly string[]): boolean {
    const placeOf = (name: Column) => (names.includes(name) ? names.indexOf(name) : absentField)
    if (!names.includes('elapsed') || !names.includes('label')) return false
    const places: Places = {
      timeStamp: placeOf('timeStamp'),
      elapsed: placeOf('elapsed'),
      label: placeOf('label'),
      responseCode: placeOf('responseCode'),
      responseMessage: placeOf('responseMessage'),
      threadName: placeOf('threadName'),
      success: placeOf('success'),
      failureMessage: placeOf('failureMessage'),
      bytes: placeOf('bytes'),
      sentBytes: placeOf('sentBytes'),
      allThreads: placeOf('allThreads'),
      Latency: placeOf('Latency'),
      Connect: placeOf('Connect'),
    }
    this.places = places
    this.isDefault = this.layout?.separator === ',' && names.join() === defaultHeading
    const present = columnNames.map((name) => places[name]).filter((place) => place !== absentField)
    this.widest = Math.max(...present)
    const needed = (['elapsed', 'label', 'timeStamp', 'success'] as const).map((name) => places[name])
    this.needed = Math.max(...needed.filter((place) => place !== absentField))
    this.rows.hasTimes = places.timeStamp !== absentField
    return true
  }

  protected override readPlain(bytes: Uint8Array, view: DataView, at: number): number {
    return this.isDefault ? this.plain.read(bytes, view, at) : -1
  }

  protected row(bytes: Uint8Array, view: DataView, fields: CsvFields): boolean {
    const { places, sample, rows, widest } = this
    const { from, to, count } = fields
    this.reason = null
    if (places === null || count <= this.needed) return false
    // A row may lack its last columns, which are then empty.
    for (let at = count; at <= widest; at++) from[at] = to[at] = 0
    const elapsedFrom = from[places.elapsed] ?? 0
    const elapsedTo = to[places.elapsed] ?? 0
    const elapsedMs = readDigits(bytes, elapsedFrom, elapsedTo, 15)
    if (elapsedMs < 0 || elapsedMs > 2e9)
      // Concatenated files have a second heading.
      return readLatin1(bytes, elapsedFrom, elapsedTo) === 'elapsed'
    let startMs = -1
    if (rows.hasTimes) {
      startMs = this.readTime(bytes, from[places.timeStamp] ?? 0, to[places.timeStamp] ?? 0)
      if (startMs < 0) return false
    }
    if (isOfTransaction(bytes, from[places.responseMessage] ?? 0, to[places.responseMessage] ?? 0)) {
      rows.transactions++
      return true
    }
    const code = readCode(bytes, from[places.responseCode] ?? 0, to[places.responseCode] ?? 0)
    let isGood: boolean | null = code >= 200 && code < 400
    if (places.success !== absentField)
      isGood = readSuccess(bytes, view, from[places.success] ?? 0, to[places.success] ?? 0)
    if (isGood === null) {
      this.reason = 'in this row of JMeter\'s CSV "success" is neither true nor false'
      return false
    }
    sample.bytes = bytes
    sample.view = view
    sample.startMs = startMs
    sample.elapsedMs = elapsedMs
    sample.labelFrom = from[places.label] ?? 0
    sample.labelTo = to[places.label] ?? 0
    sample.threadFrom = from[places.threadName] ?? 0
    sample.threadTo = to[places.threadName] ?? 0
    sample.code = code
    sample.isGood = isGood
    sample.bytesIn = readDigits(bytes, from[places.bytes] ?? 0, to[places.bytes] ?? 0, 15)
    sample.bytesOut = readDigits(bytes, from[places.sentBytes] ?? 0, to[places.sentBytes] ?? 0, 15)
    sample.firstByteMs = readDigits(bytes, from[places.Latency] ?? 0, to[places.Latency] ?? 0, 15)
    sample.connectMs = readDigits(bytes, from[places.Connect] ?? 0, to[places.Connect] ?? 0, 15)
    sample.threads = readDigits(bytes, from[places.allThreads] ?? 0, to[places.allThreads] ?? 0, 15)
    if (!sample.isGood) this.findReason(bytes, fields, places)
    rows.add(sample)
    return true
  }

  /** The message of a failed assertion; else the code and its message. */
  private findReason(bytes: Uint8Array, { from, to }: CsvFields, places: Places): void {
    const { sample } = this
    sample.reason = bytes
    sample.reasonFrom = from[places.failureMessage] ?? 0
    sample.reasonTo = to[places.failureMessage] ?? 0
    if (sample.reasonTo > sample.reasonFrom) return
    const textOf = (column: Column) => bytes.subarray(from[places[column]] ?? 0, to[places[column]] ?? 0)
    const code = textOf('responseCode')
    const message = textOf('responseMessage')
    const isLong = sample.code <= 0
    const text = isLong ? code.subarray(0, 1_000) : message.subarray(0, 1_000)
    const head = isLong ? 0 : code.length
    this.why.set(code.subarray(0, head))
    if (head > 0) this.why[head] = 32
    this.why.set(text, head + (head > 0 ? 1 : 0))
    sample.reason = this.why
    sample.reasonFrom = 0
    sample.reasonTo = head + (head > 0 ? 1 : 0) + text.length
  }

  /** Milliseconds since 1970, or of a date; without a zone, which is the machine's, as if it were UTC; −1: no time. */
  private readTime(bytes: Uint8Array, from: number, to: number): number {
    const ms = readDigits(bytes, from, to, 15)
    if (ms >= 0) return ms
    const text = readLatin1(bytes, from, to)
    const [, first = '', second = '', third = '', clock = '', fraction = '', zone = ''] =
      /^(\d{1,4})[/.-](\d{1,2})[/.-](\d{1,4})[ T](\d{2}:\d{2}:\d{2})(?:[.,](\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?$/.exec(
        text,
      ) ?? []
    if (clock === '') return -1
    if (zone === '') this.rows.hasZone = false
    if (fraction === '') this.rows.isCoarse = true
    const day = `${first}/${second}/${third}`
    let dayMs = this.dates.get(day)
    if (dayMs === undefined) {
      const isYearFirst = first.length === 4
      const year = Number(isYearFirst ? first : third)
      const [month, date] = isYearFirst ? [second, third] : [first, second]
      dayMs = Date.UTC(year < 100 ? 2000 + year : year, Number(month) - 1, Number(date))
      if (this.dates.size < 100) this.dates.set(day, dayMs)
    }
    const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number)
    const ofDayMs = ((hours * 60 + minutes) * 60 + seconds) * 1e3 + Number(fraction.slice(0, 3).padEnd(3, '0'))
    return dayMs + ofDayMs - offsetMs(zone)
  }
}

/** `+01:00` → 3,600,000; 0 for `Z` or no zone. */
function offsetMs(zone: string): number {
  const [, sign = '', hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? []
  return (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1)
}
