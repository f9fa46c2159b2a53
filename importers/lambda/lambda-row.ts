import type { FieldSummary, LambdaStats, Latency, Quantile, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { BlockRun } from '../importer'
import type { LambdaColumn, LambdaColumns, LambdaField } from './lambda-columns'
import { parseScaled } from '../text/number'

/** Powers of ten from a unit to milliseconds, or to megabytes. */
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
const memoryUnits: Readonly<Record<string, number>> = { mb: 0, mib: 0, gb: 3 }
const timeFields: ReadonlySet<LambdaField> = new Set(['duration', 'billed', 'init', 'restore', 'billed-restore'])
/** Signs of an empty cell. */
const empty = /^(?:|[-–—]+|n\/?a|none|null|x|\?)$/i

interface Cell {
  readonly column: LambdaColumn
  /** In ms, MB or pieces. */
  readonly value: number
  readonly text: string
  /** No unit was in the cell or the header. */
  readonly isBare: boolean
}

/** Makes the run of one row. Null: no duration in it. `unreadable`: cells that should have been figures. */
export function createRowRun(
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
    // An empty Init Duration of one invocation says that it started warm.
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
  const units = timeFields.has(column.field) ? timeUnits : memoryUnits
  const named = (unit || column.unit || '').toLowerCase()
  // Lambda's own units, where the author left them unsaid.
  const power = named === '' ? 0 : units[named]
  const value = power === undefined ? null : parseScaled(number, power)
  return value === null ? null : { column, value, text, isBare: named === '' }
}

/**
 * A billed duration that is the duration rounded up (to 1 ms; until December 2020 to 100 ms), with init or billed
 * restore added where these are billed: the row is one REPORT line. A mean of several would not come out so.
 */
function isOneReport(durationMs: number, find: (field: LambdaField) => Cell | undefined): boolean {
  const billed = find('billed')?.value
  if (billed === undefined) return false
  const init = find('init')?.value ?? 0
  const billedRestore = find('billed-restore')?.value ?? 0
  const candidates = [durationMs, durationMs + init].flatMap((ms) => [ceil(ms, 1), ceil(ms, 100)])
  return [...candidates, ceil(durationMs, 1) + billedRestore].includes(billed)
}

/** Rounded up to a multiple of `step`; the dust of binary addition does not count. */
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
  return {
    of: 'all',
    count,
    minMs: of('min') ?? (isSingle ? plain : null),
    // Of an unknown statistic the mean is the likeliest; a warning says so.
    meanMs: of('mean') ?? plain,
    stdDevMs: null,
    maxMs: of('max') ?? (isSingle ? plain : null),
    withinOneStdDevRatio: null,
    quantiles,
    histogram: null,
    origin: 'summary',
    method: 'as-reported',
  }
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
      message: "The table names no unit for some figures: Lambda's own, ms and MB, were taken.",
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
