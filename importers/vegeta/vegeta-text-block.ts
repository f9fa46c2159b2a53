import { ImportError } from '../../lib/errors'
import type { ImportProblem, Measure, Quantile } from '../../lib/run/run'
import { parseGoDuration } from '../text/go-duration'
import type { Block } from '../importer'
import { parseCount, parseDecimal, parseScaled } from '../text/number'
import { createVegetaRun, sumStatusCodes } from './vegeta-report'

/** The labels of vegeta's rows, in order of print. */
export const vegetaLabels = [
  'Requests',
  'Duration',
  'Latencies',
  'Bytes In',
  'Bytes Out',
  'Success',
  'Status Codes',
] as const

export type VegetaLabel = (typeof vegetaLabels)[number]

/** What was read of one report, as printed. */
export interface VegetaTextReport {
  readonly firstLine: number
  lastLine: number
  readonly rows: Map<VegetaLabel, VegetaRow>
  hasErrorSet: boolean
  readonly errors: string[]
  /** It cleared the screen first: one of `-every`, not the last. */
  readonly isSnapshot: boolean
  /** The line that was read last is a row, so that a cut input may have cut it. */
  endsInRow: boolean
}

/** One row: what is in the brackets, and what follows them. */
export interface VegetaRow {
  readonly columns: string
  readonly values: string
  readonly line: number
  /** The closing bracket has not come yet. */
  readonly isOpen: boolean
}

/** `0:116  200:734`; null when the row is missing. Codes that cannot be read are left out. */
export function readStatusCodes(report: VegetaTextReport): Record<string, number> | null {
  const row = report.rows.get('Status Codes')
  if (row === undefined) return null
  const codes: Record<string, number> = {}
  for (const [, code, count] of row.values.matchAll(/(\d{1,3}):(\d{1,15})(?!\d)/g))
    if (code !== undefined && count !== undefined) codes[code] = Number(count)
  return codes
}

/**
 * Makes the block of a report. `cut`: the input ended with it.
 * Null: prose that only looks like its first row. @throws ImportError `truncated` when not one figure was left.
 */
export function createVegetaBlock(
  report: VegetaTextReport,
  firstLine: number,
  cut: boolean,
  problems: ImportProblem[],
): Block | null {
  const requestsRow = report.rows.get('Requests')
  const requested = parseCount(valuesOf(requestsRow)[0] ?? '')
  const codesAddUp = requested !== null && sumStatusCodes(readStatusCodes(report)) === requested
  const missing = vegetaLabels.filter((label) => !report.rows.has(label))
  // Authors cut the Error Set off; when the codes add up, every figure is there.
  const isWhole = missing.length === 0 && (report.hasErrorSet || codesAddUp || !cut)
  if (cut && report.endsInRow && !isWhole) dropLastValue(report)

  const printed: Record<string, string> = {}
  const unreadable: number[] = []
  const cells = new Map<string, { text: string; line: number }>()
  for (const [label, row] of report.rows) {
    if (label === 'Status Codes') continue
    const names = row.columns.split(',').map((name) => name.trim())
    const values = valuesOf(row)
    names.forEach((name, index) => {
      const text = values[index]
      if (text !== undefined && text !== '') cells.set(`${label}.${name}`, { text, line: row.line })
    })
    if (values.length > names.length) unreadable.push(row.line)
  }

  function read(cell: string, key: string, parse: (text: string) => number | null): number | null {
    const found = cells.get(cell)
    if (found === undefined) return null
    const value = parse(found.text)
    if (value === null && !/NaN|Inf/i.test(found.text)) unreadable.push(found.line)
    if (value !== null) printed[key] = found.text
    return value
  }

  const latencyNames = report.rows.get('Latencies')?.columns.split(',') ?? []
  const quantiles: Quantile[] = latencyNames.flatMap((column) => {
    const name = column.trim()
    const percent = /^p?(\d{1,3}(?:\.\d{1,6})?)(?:th)?$/.exec(name)?.[1]
    if (percent === undefined || Number(percent) > 100) return []
    const ms = read(`Latencies.${name}`, `latencies.0.p${Number(percent)}`, parseVegetaDuration)
    return ms === null ? [] : [{ q: Number(`${percent}e-2`), ms }]
  })
  const statusCodes = readStatusCodes(report)
  const run = createVegetaRun({
    form: 'vegeta-text',
    toolVersion: guessVersion(report),
    startedAt: null,
    requests: read('Requests.total', 'requests', parseCount),
    requestsPerSecond: read('Requests.rate', 'requestsPerSecond', parseDecimal),
    throughputPerSecond: read('Requests.throughput', 'throughputPerSecond', parseDecimal),
    durationMs: read('Duration.total', 'durationMs', parseVegetaDuration),
    attackMs: read('Duration.attack', 'attackMs', parseVegetaDuration),
    waitMs: read('Duration.wait', 'waitMs', parseVegetaDuration),
    minMs: read('Latencies.min', 'latencies.0.minMs', parseVegetaDuration),
    meanMs: read('Latencies.mean', 'latencies.0.meanMs', parseVegetaDuration),
    maxMs: read('Latencies.max', 'latencies.0.maxMs', parseVegetaDuration),
    quantiles,
    histogram: null,
    bytesIn: read('Bytes In.total', 'bytesIn', parseCount),
    bytesOut: read('Bytes Out.total', 'bytesOut', parseCount),
    successRatio: read('Success.ratio', 'successRatio', (text) => parseScaled(text.replace(/%$/, ''), -2)),
    statusCodes,
    errors: report.errors,
    measures: [
      ...createMeasure(
        'bytes-in-mean',
        read('Bytes In.mean', 'measures.bytes-in-mean', parseDecimal),
        report,
        'Bytes In',
      ),
      ...createMeasure(
        'bytes-out-mean',
        read('Bytes Out.mean', 'measures.bytes-out-mean', parseDecimal),
        report,
        'Bytes Out',
      ),
    ],
    complete: isWhole,
    printed,
    line: report.firstLine,
  })
  const isNothing = Object.keys(printed).length === 0 && Object.keys(statusCodes ?? {}).length === 0
  if (isNothing && report.rows.size === 1 && /[^\d\s.,]/.test(requestsRow?.values ?? '')) return null
  if (isNothing)
    throw new ImportError('truncated', 'the vegeta report ends before its first figure', {
      line: report.firstLine,
      hint: uploadHint,
    })
  if (report.isSnapshot)
    problems.push({
      code: 'truncated',
      severity: 'error',
      line: report.firstLine,
      lastLine: report.lastLine,
      message: 'this is an interim report of -every, taken before the attack ended',
      hint: 'Upload the output up to the last report, which does not clear the screen.',
    })
  for (const line of new Set(unreadable))
    problems.push({
      code: 'malformed',
      severity: 'error',
      line,
      lastLine: null,
      message: 'a line of a vegeta report that cannot be read in full',
      hint: 'Upload the output as vegeta printed it.',
    })
  if (!isWhole)
    problems.push({
      code: 'truncated',
      severity: 'error',
      line: report.lastLine,
      lastLine: null,
      message: `the vegeta report is truncated; missing: ${missing.length > 0 ? missing.join(', ') : 'a part of the status codes, or the error set'}`,
      hint: uploadHint,
    })
  return {
    lines: [firstLine, report.lastLine],
    runs: [
      {
        ...run,
        complete: isWhole && !report.isSnapshot && unreadable.length === 0,
        ...(report.firstLine > firstLine ? { lines: [report.firstLine, report.lastLine] as const } : {}),
      },
    ],
    problems,
  }
}

const uploadHint = 'Upload the whole output, from "Requests" to the error set.'

function createMeasure(name: string, value: number | null, report: VegetaTextReport, label: VegetaLabel): Measure[] {
  return value === null ? [] : [{ name, value, unit: 'bytes', line: report.rows.get(label)?.line ?? null }]
}

function valuesOf(row: VegetaRow | undefined): string[] {
  return row === undefined ? [] : row.values.split(',').map((value) => value.trim())
}

/** Versions 6 to 10 print the smallest int64 where there was no result. */
function parseVegetaDuration(text: string): number | null {
  return text.startsWith('-2562047h') ? null : parseGoDuration(text)
}

function guessVersion(report: VegetaTextReport): string | null {
  const latencies = report.rows.get('Latencies')?.columns
  if (latencies !== undefined && /\bmin\b/.test(latencies)) return '>=12.8'
  if (report.rows.get('Requests')?.isOpen !== false) return null
  if (!/\bthroughput\b/.test(report.rows.get('Requests')?.columns ?? '')) return '<12.6'
  return latencies === undefined ? null : '12.6-12.7'
}

/** `64.609ms` cut short reads as `64.609m`, an hour: the last value of a cut line is not trusted. */
function dropLastValue(report: VegetaTextReport): void {
  const [label, row] = [...report.rows].at(-1) ?? []
  if (label === undefined || row === undefined) return
  const lastBlank = Math.max(row.values.lastIndexOf(' '), row.values.lastIndexOf('\t'))
  const end = label === 'Status Codes' ? lastBlank : row.values.lastIndexOf(',')
  report.rows.set(label, { ...row, values: row.values.slice(0, end + 1) })
}

const wholeLastValue: Readonly<Record<VegetaLabel, RegExp>> = {
  Requests: /(?:\.\d\d|NaN)$/,
  Duration: /\ds$|[mnuµμ]s$/,
  Latencies: /\ds$|[mnuµμ]s$/,
  'Bytes In': /(?:\.\d\d|NaN)$/,
  'Bytes Out': /(?:\.\d\d|NaN)$/,
  Success: /%$/,
  'Status Codes': /:\d+$/,
}

/** Whether a line continues with a row whose values end too early: too few of them, or the last one torn apart. */
export function isWrappedValue(report: VegetaTextReport, label: VegetaLabel, values: string, text: string): boolean {
  const row = report.rows.get(label)
  if (row === undefined) return false
  if (label === 'Status Codes') {
    const total = parseCount(valuesOf(report.rows.get('Requests'))[0] ?? '')
    return (
      /^\s*(?:\d{1,3}:\d{1,15}\s+)*\d{1,3}:\d{1,15}\s*$/.test(text) &&
      (sumStatusCodes(readStatusCodes(report)) ?? 0) < (total ?? 0)
    )
  }
  const count = values.split(',').filter((value) => value.trim() !== '').length
  const isShort = count < row.columns.split(',').length
  return (isShort || !wholeLastValue[label].test(values.trimEnd())) && /^[\d.,nuµμmsh%\s]+$/.test(text)
}
