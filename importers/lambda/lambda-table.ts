/**
 * Markdown tables of Lambda figures, as authors copy them from REPORT lines (no tool prints them; the figures are those
 * of https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html#node-logging-output). Columns by name, in any
 * order; units in the header or in the cells.
 *
 *     | Lambda            | Duration [ms] | Billed Duration [ms] | Max Memory Used [MB] | Init Duration [ms] |
 *     | ---               | ---           | ---                  | ---                  | ---                |
 *     | get_protobuf_data | 1.08          | 2                    | 44                   | 203.94             |
 */
import type { FieldSummary, ImportProblem, LambdaStats, Latency, Quantile, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import { isTableDelimiter, readCells } from '../document/markdown'
import type { Block, BlockReader, BlockRun, Line, TextImporter } from '../importer'
import { truncatedProblem, errorAt, infoAt } from '../import-problem'
import { parseScaled } from '../text/number'
import { latencyOf } from '../latency-of'

/** Reads a Markdown table with a Duration column beside billed duration, init duration or memory: one run per row. */
export const lambdaTable: TextImporter = {
  kind: 'text',
  id: 'lambda-table',
  detect: ({ text }) => text.includes('|') && /duration/i.test(text) && readHeader(readRowCells(text) ?? []) !== null,
  open: () => new LambdaTableReader(),
}

/** Most rows read, and most characters per row; a longer table is not written by an author. */
const maxRows = 1_000
const maxRowCharacters = 4_000

/** The cells of a row without Markdown's marks; null: not a row. */
export function readRowCells(text: string): string[] | null {
  const cells = text.trim().length > maxRowCharacters ? null : readCells(text)
  return cells === null || cells.length < 2 ? null : cells.map(cleanCell)
}

/** A cell's text without marks: escapes, emphasis, code, links, HTML tags. */
function cleanCell(cell: string): string {
  return cell
    .replaceAll('\\|', '|')
    .replace(/\[([^\][]{1,200})\]\([^()]{0,500}\)/g, '$1')
    .replace(/<\/?[a-z][^<>]{0,100}>/gi, ' ')
    .replace(/\*\*|__|`/g, '')
    .replace(/^\*([^*]{1,200})\*$/, '$1')
    .replace(/\\([_*#[\]()~-])/g, '$1')
    .trim()
}

class LambdaTableReader implements BlockReader {
  /** Null before the header. */
  private columns: LambdaColumns | null = null
  private hasDelimiter = false
  private firstLine = 0
  private lastLine = 0
  private headerEnd = ''
  private lastRow = ''
  private readonly runs: BlockRun[] = []
  private readonly problems: ImportProblem[] = []

  push(line: Line): 'taken' | 'not-mine' {
    const cells = readRowCells(line.text)
    if (cells === null || !this.readCells(cells, line)) return 'not-mine'
    this.lastLine = line.number
    this.lastRow = line.text.trimEnd()
    if (this.headerEnd === '') this.headerEnd = this.lastRow.slice(-1)
    return 'taken'
  }

  private readCells(cells: readonly string[], line: Line): boolean {
    if (this.columns === null) {
      this.columns = readHeader(cells)
      this.firstLine = line.number
      return this.columns !== null
    }
    if (!this.hasDelimiter) return (this.hasDelimiter = isTableDelimiter(line.text))
    if (!isTableDelimiter(line.text) && cells.some((cell) => cell !== ''))
      this.readRow(this.columns, cells, line.number)
    return true
  }

  private readRow(header: LambdaColumns, cells: readonly string[], line: number): void {
    const { runs, problems } = this
    if (runs.length >= maxRows) {
      if (problems.every(({ code }) => code !== 'too-large'))
        problems.push(errorAt('too-large', line, `the table has more than ${maxRows} rows: the rest is omitted`))
      return
    }
    const { run, unreadable } = createRowRun(header, cells, line)
    for (const text of unreadable) problems.push(errorAt('malformed', line, `"${text}" cannot be read as a figure`))
    if (run !== null) runs.push(run)
    else if (unreadable.length === 0)
      problems.push(errorAt('not-understood', line, 'a row of the table without a duration'))
  }

  end(atEnd: boolean): Block | null {
    const { columns, firstLine, lastLine, lastRow, runs, problems } = this
    if (columns === null || !this.hasDelimiter || (runs.length === 0 && problems.length === 0)) return null
    for (const name of columns.unread)
      problems.push(infoAt('not-imported', firstLine, `the column "${name}" is not read`))
    // The last row of a truncated input may end inside a cell.
    const last = runs.at(-1)
    const isShort =
      (readRowCells(lastRow)?.length ?? 0) < columns.width || (this.headerEnd === '|' && !lastRow.endsWith('|'))
    if (atEnd && isShort && last?.lines?.[0] === lastLine) {
      runs.splice(-1, 1, { ...last, complete: false })
      problems.push(truncatedProblem(lastLine, 'the last row of the table is truncated', 'Upload the whole document.'))
    }
    return { lines: [firstLine, lastLine], runs, problems }
  }
}

/** The content of a column in a Lambda table. */
type LambdaField =
  'duration' | 'billed' | 'init' | 'restore' | 'billed-restore' | 'max-memory-used' | 'memory-size' | 'invocations'

/** The statistic of a duration according to its header: a mean, a minimum, a quantile …; null: not stated. */
type Statistic = { readonly kind: 'mean' | 'min' | 'max' } | { readonly kind: 'quantile'; readonly q: number }

/** One column that is read. `unit`: from the header (`ms`, `MB`); null: the cells must state it. */
interface LambdaColumn {
  readonly index: number
  readonly field: LambdaField
  readonly statistic: Statistic | null
  readonly unit: string | null
}

/** The columns of a table's header. */
interface LambdaColumns {
  readonly columns: readonly LambdaColumn[]
  /** The column of names: the first that is not a field. Null: every column is a field. */
  readonly name: number | null
  /** Headers of further columns. */
  readonly unread: readonly string[]
  readonly width: number
}

const fieldNames: readonly (readonly [field: LambdaField, name: RegExp])[] = [
  ['billed-restore', /^billed restore(?: duration| time)?$/],
  ['billed', /^(?:billed(?: duration| time)?|billing duration)$/],
  ['init', /^(?:init|initiali[sz]ation)(?: duration| time)?$/],
  ['restore', /^restore(?: duration| time)?$/],
  ['max-memory-used', /^(?:(?:max|maximum|peak) memory(?: used| usage)?|memory used|used memory|memory usage)$/],
  ['memory-size', /^(?:memory size|memory|configured memory|allocated memory|memory configured)$/],
  ['invocations', /^(?:invocations|requests|count|samples|n|runs|number of (?:invocations|requests))$/],
  ['duration', /^(?:(?:lambda |execution |invocation |function |warm |cold )?duration|execution time)$/],
]
const statistics: readonly (readonly [name: RegExp, statistic: Statistic])[] = [
  [/^(?:avg|average|mean)$/, { kind: 'mean' }],
  [/^(?:min|minimum)$/, { kind: 'min' }],
  [/^(?:max|maximum)$/, { kind: 'max' }],
  [/^median$/, { kind: 'quantile', q: 0.5 }],
]

/** Reads a table's header. Null: not Lambda figures (no Duration beside a figure that only Lambda has). */
function readHeader(cells: readonly string[]): LambdaColumns | null {
  if (cells.length > 60) return null
  const columns = cells.flatMap((cell, index) => readColumn(cell, index) ?? [])
  const has = (...fields: readonly LambdaField[]) => columns.some(({ field }) => fields.includes(field))
  if (!has('duration') || !has('billed', 'init', 'max-memory-used', 'memory-size')) return null
  // Any benchmark's table may have "Memory" alone: then the name of the duration must be Lambda's.
  if (!has('billed', 'init') && !cells.some((cell) => /lambda|max(?:imum)? memory used|invocation/i.test(cell)))
    return null
  const others = cells.flatMap((_, index) => (columns.some((column) => column.index === index) ? [] : [index]))
  const [name = null, ...unread] = others
  return { columns, name, unread: unread.flatMap((index) => cells[index] || []), width: cells.length }
}

function readColumn(cell: string, index: number): LambdaColumn | null {
  const unit = /[[(]\s*([a-zµμ]{1,12})\s*[\])]|[,/]\s*([a-zµμ]{1,3})$|\bin ([a-zµμ]{1,12})$/i.exec(cell)
  const name = (unit === null ? cell : cell.replace(unit[0], ' '))
    .toLowerCase()
    .replace(/[[({][^\])}]{0,60}[\])}]/g, ' ')
    .replace(/[_:.-]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const unitText = unit?.[1] ?? unit?.[2] ?? unit?.[3] ?? null
  const plain = findField(name)
  if (plain !== null) return { index, field: plain, statistic: null, unit: unitText }
  const [first = '', ...rest] = name.split(' ')
  const field = findField(rest.join(' '))
  const statistic = readStatistic(first)
  return field === null || statistic === null ? null : { index, field, statistic, unit: unitText }
}

function findField(name: string): LambdaField | null {
  return fieldNames.find(([, pattern]) => pattern.test(name))?.[0] ?? null
}

function readStatistic(word: string): Statistic | null {
  const percent = /^p(\d{2})(\d{0,2})$/.exec(word)
  if (percent) return { kind: 'quantile', q: Number(`0.${percent[1] ?? ''}${percent[2] ?? ''}`) }
  return statistics.find(([pattern]) => pattern.test(word))?.[1] ?? null
}

/** Powers of ten from a unit to milliseconds. */
const timeUnits: Readonly<Record<string, number>> = {
  ns: -6,
  us: -3,
  µs: -3,
  μs: -3,
  ms: 0,
  msec: 0,
  millis: 0,
  milliseconds: 0,
  s: 3,
  sec: 3,
  secs: 3,
  seconds: 3,
}
/** MB per unit: Lambda's are binary, 1 GB is 1,024 MB. */
const memoryUnits: Readonly<Record<string, number>> = { mb: 1, mib: 1, gb: 1_024, gib: 1_024 }
const timeFields: ReadonlySet<LambdaField> = new Set(['duration', 'billed', 'init', 'restore', 'billed-restore'])
/** Signs of an empty cell. */
const empty = /^(?:|[-–—]+|n\/?a|none|null|x|\?)$/i

interface Cell {
  readonly column: LambdaColumn
  /** In ms, MB or pieces. */
  readonly value: number
  readonly text: string
  /** Neither the cell nor the header has a unit. */
  readonly isBare: boolean
}

/** Makes the run of one row. Null: it has no duration. `unreadable`: cells that should have been figures. */
function createRowRun(
  header: LambdaColumns,
  cells: readonly string[],
  line: number,
): { run: BlockRun | null; unreadable: string[] } {
  const unreadable: string[] = []
  const read: Cell[] = []
  for (const column of header.columns) {
    const text = cells[column.index] ?? ''
    if (empty.test(text)) continue
    const cell = readCell(column, text)
    if (cell === null) unreadable.push(text)
    else read.push(cell)
  }
  const durations = read.filter(({ column }) => column.field === 'duration')
  if (durations.length === 0) return { run: null, unreadable }
  const find = (field: LambdaField) => read.find(({ column }) => column.field === field && column.statistic === null)
  const plain = find('duration')
  const invocations = find('invocations')?.value ?? null
  const isSingle = invocations === 1 || (invocations === null && plain !== undefined && isOneReport(plain.value, find))
  const count = isSingle ? 1 : invocations
  const functionName = header.name === null ? null : cells[header.name] || null
  const memorySize = find('memory-size')
  const initMs = summarise(find('init'))

  const lambda: LambdaStats = {
    functionName,
    invocations: count,
    billedMs: summarise(find('billed')),
    initMs,
    restoreMs: summarise(find('restore')),
    billedRestoreMs: summarise(find('billed-restore')),
    maxMemoryUsedMb: summarise(find('max-memory-used')),
    coldMs: null,
    warmMs: null,
    memorySizeMb: memorySize && count !== null ? { [String(memorySize.value)]: count } : {},
    // For a single invocation, an empty Init Duration means that it started warm.
    coldStarts: isSingle && header.columns.some(({ field }) => field === 'init') ? (initMs === null ? 0 : 1) : null,
    statuses: {},
    errorTypes: {},
    logStreams: null,
  }
  const run: BlockRun = {
    ...blankRun('lambda', 'lambda-table'),
    requests: count,
    latencies: [createLatency(durations, isSingle, count)],
    lambda,
    measures: memorySize && count === null ? [{ name: 'memory-size', value: memorySize.value, unit: 'MB', line }] : [],
    printed: collectPrinted(read),
    warnings: createWarnings(plain, isSingle, read, line),
    lines: [line, line],
    name: functionName,
  }
  return { run, unreadable }
}

function readCell(column: LambdaColumn, text: string): Cell | null {
  const [, digits = '', unit = ''] =
    /^[~≈]?\s*(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*([a-zµμ]{0,12})$/i.exec(text) ?? []
  if (digits === '') return null
  const number = digits.replaceAll(',', '')
  if (column.field === 'invocations') {
    const value = unit === '' ? parseScaled(number, 0) : null
    return value === null || !Number.isSafeInteger(value) ? null : { column, value, text, isBare: false }
  }
  const named = (unit || column.unit || '').toLowerCase()
  const value = timeFields.has(column.field) ? readTime(number, named) : readMemory(number, named)
  return value === null ? null : { column, value, text, isBare: named === '' }
}

// Lambda's own units, ms and MB, if the author omitted them.

function readTime(number: string, unit: string): number | null {
  const power = unit === '' ? 0 : timeUnits[unit]
  return power === undefined ? null : parseScaled(number, power)
}

function readMemory(number: string, unit: string): number | null {
  const factor = unit === '' ? 1 : memoryUnits[unit]
  const value = factor === undefined ? null : parseScaled(number, 0)
  return value === null || factor === undefined ? null : value * factor
}

/**
 * Whether a billed duration is the duration rounded up (to 1 ms; until December 2020 to 100 ms), plus init or billed
 * restore if these are billed: then the row is one REPORT line. A mean of several would not match.
 */
function isOneReport(durationMs: number, find: (field: LambdaField) => Cell | undefined): boolean {
  const billed = find('billed')?.value
  if (billed === undefined) return false
  const init = find('init')?.value ?? 0
  const billedRestore = find('billed-restore')?.value ?? 0
  const candidates = [durationMs, durationMs + init].flatMap((ms) => [ceil(ms, 1), ceil(ms, 100)])
  return [...candidates, ceil(durationMs, 1) + billedRestore].includes(billed)
}

/** Rounded up to a multiple of `step`, ignoring binary rounding errors. */
function ceil(ms: number, step: number): number {
  return Math.ceil(Math.round(ms * 1e6) / 1e6 / step) * step
}

function createLatency(durations: readonly Cell[], isSingle: boolean, count: number | null): Latency {
  const of = (kind: string) => durations.find(({ column }) => column.statistic?.kind === kind)?.value ?? null
  const plain = durations.find(({ column }) => column.statistic === null)?.value ?? null
  const quantiles = durations
    .flatMap(({ column, value }): Quantile[] =>
      column.statistic?.kind === 'quantile' ? [{ q: column.statistic.q, ms: value }] : [],
    )
    .sort((a, b) => a.q - b.q)
  return latencyOf({
    count,
    minMs: of('min') ?? (isSingle ? plain : null),
    // An unknown statistic is most likely the mean; a warning states the assumption.
    meanMs: of('mean') ?? plain,
    maxMs: of('max') ?? (isSingle ? plain : null),
    quantiles,
    method: 'as-reported',
  })
}

function summarise(cell: Cell | undefined): FieldSummary | null {
  if (cell === undefined) return null
  const { value } = cell
  return { count: 1, sum: value, min: value, mean: value, max: value, quantiles: [] }
}

function createWarnings(plain: Cell | undefined, isSingle: boolean, read: readonly Cell[], line: number): Warning[] {
  const warnings: Warning[] = []
  if (isSingle) warnings.push({ code: 'single-sample', message: 'one invocation: no spread, no percentiles', line })
  else if (plain !== undefined)
    warnings.push({
      code: 'unknown-statistic',
      message:
        'The table does not say whether the duration is a mean, a median or one invocation; it is shown as the mean.',
      line,
    })
  if (read.some(({ isBare }) => isBare))
    warnings.push({
      code: 'unit-assumed',
      message: "The table names no unit for some figures: Lambda's own, ms and MB, were assumed.",
      line,
    })
  return warnings
}

const printedKeys: Readonly<Record<LambdaField, string>> = {
  duration: 'latencies.0.meanMs',
  billed: 'lambda.billedMs',
  init: 'lambda.initMs',
  restore: 'lambda.restoreMs',
  'billed-restore': 'lambda.billedRestoreMs',
  'max-memory-used': 'lambda.maxMemoryUsedMb',
  'memory-size': 'lambda.memorySizeMb',
  invocations: 'requests',
}

function collectPrinted(read: readonly Cell[]): Record<string, string> {
  const printed: Record<string, string> = {}
  for (const { column, text: cell } of read) {
    const { statistic, field, unit } = column
    // A figure without its unit would be misread beside others.
    const text = unit === null || /[a-zµμ]$/i.test(cell) ? cell : `${cell} ${unit}`
    if (statistic === null || field !== 'duration') printed[printedKeys[field]] ??= text
    else if (statistic.kind === 'quantile') printed[`latencies.0.p${Number((statistic.q * 100).toFixed(2))}`] = text
    else printed[`latencies.0.${statistic.kind}Ms`] = text
  }
  return printed
}
