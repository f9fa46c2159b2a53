import { parseJsonObject } from '../json-fault'
import type { LatencyUnit, MappingProposal, ProposedMapping, TimeFormat } from '../../lib/run/column-mapping'
import type { MappedField } from '../../lib/run/mapped-fields'
import { CsvFields } from '../text/csv-fields'
import { JsonObjects } from '../text/json-objects'
import { decodeHead } from '../text/text-head'

const headBytes = 65_536
/** Rows examined, and rows shown in a preview. */
const judgedRows = 50
const shownRows = 8
const maxCellLength = 200
const separators = [',', ';', '\t', '|'] as const

interface Table {
  readonly kind: 'csv' | 'ndjson' | 'json'
  readonly separator: (typeof separators)[number]
  readonly heading: boolean
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/**
 * What a file's columns may be, by their names and the values of its first rows. A unit that no name states is left
 * open, never guessed. Null: not a table of numbers.
 */
export function proposeMapping(head: Uint8Array): MappingProposal | null {
  const text = decodeHead(head, headBytes)
  // A row torn by the end of the head is ignored.
  const whole = head.length < headBytes ? text : text.slice(0, text.lastIndexOf('\n') + 1)
  const table = /^\s*(?:\[\s*)?\{/.test(whole) ? readObjects(whole) : readTable(whole)
  if (table === null || table.rows.length === 0) return null
  const columns = table.columns.map((name, at) => describeColumn(name, at, table))
  if (!columns.some(({ values }) => values === 'number' || values === 'status')) return null
  return { ...table, rows: table.rows.slice(0, shownRows), ...chooseColumns(table, columns) }
}

function readObjects(text: string): Table | null {
  const bytes = new TextEncoder().encode(text)
  const reader = new JsonObjects()
  const objects: Record<string, unknown>[] = []
  for (let at = 0; at < bytes.length && objects.length < judgedRows;) {
    const taken = reader.take(bytes, at, bytes.length)
    if (taken.found === 'bad') return null
    const object = taken.found === 'closed' ? parseJsonObject(reader.text() ?? '') : {}
    if (object === null) return null
    if (taken.found === 'closed') objects.push(object)
    at = taken.at
  }
  const isList = text.trimStart().startsWith('[')
  // A single object is a report rather than a row.
  if (objects.length < 2) return null
  const columns = [...new Set(objects.flatMap((object) => Object.keys(object).filter((key) => isScalar(object[key]))))]
  const rows = objects.map((object) => columns.map((name) => cellOf(object[name])))
  return { kind: isList ? 'json' : 'ndjson', separator: ',', heading: true, columns: columns.slice(0, 64), rows }
}

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
const cellOf = (value: unknown) => (isScalar(value) ? String(value).slice(0, maxCellLength) : '')

/** The separator that gives all rows the same number of fields, and the most fields. */
function readTable(text: string): Table | null {
  const tables = separators.flatMap((separator) => {
    const rows = splitRows(text, separator)
    const width = rows?.[0]?.length ?? 0
    return rows !== null && rows.length > 1 && rows.every(({ length }) => length === width) ? [{ separator, rows }] : []
  })
  const [widest] = tables.sort((a, b) => (b.rows[0]?.length ?? 0) - (a.rows[0]?.length ?? 0))
  const [first, ...rest] = widest?.rows ?? []
  if (widest === undefined || first === undefined) return null
  const heading = first.every((cell) => !isNumber(cell)) && new Set(first).size === first.length && !first.includes('')
  // Without names a single column may be anything.
  if (first.length === 1 && !(heading && fieldOfName(first[0] ?? '') === 'latency')) return null
  const columns = heading ? first : first.map((_, at) => String(at + 1))
  return { kind: 'csv', separator: widest.separator, heading, columns, rows: heading ? rest : widest.rows }
}

function splitRows(text: string, separator: string): string[][] | null {
  const bytes = new TextEncoder().encode(text)
  const fields = new CsvFields()
  const decoder = new TextDecoder()
  const rows: string[][] = []
  for (let at = 0; at < bytes.length && rows.length <= judgedRows; at = fields.end + 1) {
    if (fields.split(bytes, at, bytes.length, separator.charCodeAt(0)) !== 'row') return null
    const row = Array.from({ length: fields.count }, (_, place) =>
      decoder.decode(bytes.subarray(fields.from[place], fields.to[place])).trim().slice(0, maxCellLength),
    )
    if (row.length > 1 || row[0] !== '') rows.push(row)
  }
  return rows
}

type Values = 'number' | 'status' | 'text' | 'empty' | TimeFormat

interface Column {
  readonly name: string
  readonly ref: string | number
  readonly words: readonly string[]
  readonly values: Values
  /** The field that its name suggests; null: none. */
  readonly field: MappedField | null
}

function describeColumn(name: string, at: number, table: Table): Column {
  const values = classify(table.rows.map((row) => row[at] ?? '').filter((cell) => cell !== ''))
  const field = table.heading ? fieldOfName(name) : null
  return { name, ref: table.heading ? name : at + 1, words: table.heading ? wordsOf(name) : [], values, field }
}

const isNumber = (cell: string) => /^-?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/.test(cell)

/** Seconds, ms, µs and ns since 1970 are distinguishable by size for the years 2001 to 2286. */
const epochs = [
  ['s', 1e9],
  ['ms', 1e12],
  ['us', 1e15],
  ['ns', 1e18],
] as const

function classify(cells: readonly string[]): Values {
  if (cells.length === 0) return 'empty'
  if (cells.every((cell) => /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/.test(cell))) return 'iso'
  if (!cells.every(isNumber)) return 'text'
  const numbers = cells.map(Number)
  const epoch = epochs.find(([, from]) => numbers.every((value) => value >= from && value < from * 10))
  if (epoch !== undefined) return epoch[0]
  return cells.every((cell) => /^[1-5]\d\d$/.test(cell)) ? 'status' : 'number'
}

/** `tookMs`, `took_ms` and `took (ms)` are the words took and ms. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-zµ\d]+/)
    .filter((word) => word !== '')
}

/** Words used as column names, the most certain first. */
const names: readonly (readonly [MappedField, readonly string[]])[] = [
  ['latency', ['latency', 'elapsed', 'duration', 'dur', 'took', 'responsetime', 'rtt', 'rt']],
  ['time', ['timestamp', 'ts', 'datetime', 'date', 'when', 'started', 'ended', 'start', 'end', 'at']],
  ['status', ['status', 'statuscode', 'code']],
  ['error', ['error', 'errors', 'err', 'exception', 'failure']],
  ['bytes', ['bytes', 'size', 'length', 'received']],
  ['label', ['label', 'url', 'uri', 'path', 'endpoint', 'route', 'operation', 'name', 'target', 'request']],
]
const times = ['time', 'ms', 'millis', 'total']

function fieldOfName(name: string): MappedField | null {
  const words = wordsOf(name)
  const joined = words.join('_')
  if (/response_time|time_total|total_time|request_time|time_taken/.test(joined)) return 'latency'
  if (/error_code|exit_code/.test(joined)) return 'error'
  const found = names.find(([, known]) => known.some((word) => words.includes(word)))
  if (found !== undefined) return found[0]
  return words.some((word) => times.includes(word)) ? 'latency' : null
}

const unitWords: Readonly<Record<LatencyUnit, readonly string[]>> = {
  ns: ['ns', 'nanos', 'nanoseconds', 'nsec'],
  us: ['us', 'µs', 'micros', 'microseconds', 'usec'],
  ms: ['ms', 'millis', 'milliseconds', 'msec'],
  s: ['s', 'sec', 'secs', 'seconds'],
}

/** The unit in a name; null: none. */
function unitOf(words: readonly string[]): LatencyUnit | null {
  const units = (['ns', 'us', 'ms', 's'] as const).filter((unit) =>
    words.some((word) => unitWords[unit].includes(word)),
  )
  return units.length === 1 ? (units[0] ?? null) : null
}

function chooseColumns(table: Table, columns: readonly Column[]): Pick<MappingProposal, 'mapping' | 'unsure'> {
  const taken = new Set<Column>()
  const unsure: string[] = []
  const take = (fits: (column: Column) => boolean): Column | null => {
    const column = columns.find((one) => !taken.has(one) && fits(one)) ?? null
    if (column !== null) taken.add(column)
    return column
  }
  const isTime = ({ values }: Column) =>
    values !== 'number' && values !== 'status' && values !== 'text' && values !== 'empty'
  const isAmount = ({ values }: Column) => values === 'number' || values === 'status'
  const time = take((column) => isTime(column) && column.field !== null) ?? take(isTime)
  const status =
    take((column) => column.field === 'status' && isAmount(column)) ??
    take((column) => column.field === null && column.values === 'status')
  const bytes = take((column) => column.field === 'bytes' && isAmount(column))
  const error = take(({ field, values }) => field === 'error' && (values === 'text' || values === 'empty'))
  const label = take(({ field, values }) => field === 'label' && values === 'text')
  const named = take((column) => column.field === 'latency' && isAmount(column))
  const latency = named ?? (table.heading ? null : take(isAmount))
  const unit = latency === null ? null : unitOf(latency.words)
  if (latency === null) unsure.push('which column is the latency')
  else if (named === null) unsure.push(`whether ${latency.name} is the latency`)
  if (latency !== null && unit === null) unsure.push('the unit of the latency')
  const at = time === null ? null : edgeOf(time.words)
  if (time !== null && at === null) unsure.push('whether the time is when the request began or ended')
  const mapping: ProposedMapping = {
    kind: table.kind,
    separator: table.separator,
    heading: table.heading,
    latency: latency && { column: latency.ref, unit },
    time: time && { column: time.ref, format: formatOf(time.values), at: at ?? 'start' },
    status: status && { column: status.ref, good: { from: 100, to: 399 } },
    error: error && { column: error.ref },
    bytes: bytes && { column: bytes.ref },
    label: label && { column: label.ref },
  }
  return { mapping, unsure }
}

function formatOf(values: Values): TimeFormat {
  return values === 'iso' || values === 's' || values === 'us' || values === 'ns' ? values : 'ms'
}

function edgeOf(words: readonly string[]): 'start' | 'end' | null {
  if (words.some((word) => ['start', 'started', 'begin', 'began', 'sent'].includes(word))) return 'start'
  return words.some((word) => ['end', 'ended', 'finish', 'finished', 'done', 'completed'].includes(word)) ? 'end' : null
}

const kindWords = { csv: 'CSV', ndjson: 'NDJSON', json: 'a JSON array' } as const

/** How to read a file that no importer knows, with a mapping to start from; the person fills in what is unsure. */
export function proposalHint({ kind, heading, columns, mapping, unsure }: MappingProposal): string {
  const shown = columns.slice(0, 20).join(', ') + (columns.length > 20 ? ', …' : '')
  const what = heading
    ? `${kindWords[kind]} with the columns ${shown}`
    : `CSV of ${columns.length} columns without a heading`
  const open = unsure.length === 0 ? '' : ` Still to be specified: ${unsure.join('; ')}.`
  const json = JSON.stringify(mapping, (_key, value: unknown) => (value === null ? undefined : value))
  return `It is ${what}. If its rows are samples, map them: PUT /api/v1/projects/{project}/mappings/{name} with ${json}, then upload it with ?mapping={name}.${open}`
}
