/**
 * vegeta's text report, as https://github.com/tsenart/vegeta/blob/v12.12.0/lib/reporters.go#L57 (NewTextReporter)
 * prints it. Versions 6 to 12: `[total, rate]` up to 12.5, `[mean, 50, 95, 99, max]` up to 12.7.
 *
 *     Requests      [total, rate, throughput]         500, 50.10, 50.09
 *     Latencies     [min, mean, 50, 90, 95, 99, max]  1.216ms, 4.928ms, 4.087ms, 7.923ms, 10.91ms, 22.42ms, 64.609ms
 *     Status Codes  [code:count]                      200:500
 */
import { ImportError } from '../../lib/errors'
import type { ImportProblem, Measure, Quantile } from '../../lib/run/run'
import type { Block, BlockReader, Line, TextImporter } from '../importer'
import { parseGoDuration } from '../text/go-duration'
import { withoutAnnotations } from '../document/annotations'
import { decodeEntities } from '../carried/copied-text'
import { parseCount, parseDecimal, parseScaled } from '../text/number'
import { createVegetaRun, isVegetaSuccess, sumStatusCodes } from './vegeta-report'
import { cutProblem } from '../import-problem'

/** Reads vegeta's text report; in a `-every` capture the last snapshot. */
export const vegetaText: TextImporter = {
  kind: 'text',
  id: 'vegeta-text',
  detect: ({ text }) => text.includes('equests') && readLabel(text)?.label === 'Requests',
  open: () => new VegetaTextReader(),
}

/** The tags of a page, or the `^C` echoed by a terminal, may precede a label. */
const labelLine =
  /^(?:.{0,300}<(?:pre|code)\b[^<>]{0,100}>)?\s*(?:\^C\s*)?(R?equests|Duration|Latencies|Bytes In|Bytes Out|Success|Status Codes)\s+\[([^\]]{0,200})\]?(.*)/
const errorSetLine = /^\s*Error Set:\s*$/
/** Beginnings of other reports and logs. */
const otherOpening =
  /^\s*(?:Summary:\s*$|All requests done\.|Running \S+ test @ |Bucket\s+#|Value\(ms\)\s|\{"latencies":|\{$|(?:REPORT|START) RequestId: )/
/** What ends a report anywhere: a fence, a heading, a prompt, a separator, a closing tag. */
const clearEnd = /^\s*(?:```|~~~|#{1,6}\s|[$❯%➜] |[\w.-]+@[\w.-]+:\S*[$#] |([=*_~-])\1{2,}|==> .* <==\s*$|<\/\w+>)/
/** Most lines that an author may have left out. */
const maxLeftOut = 20
const ellipsis = /^\s*[([]?(?:\.{3}|…)[)\]]?\s*$/
/** Empty lines that an editor may have put between the parts; more end the report. */
const maxEmptyLines = 2

function readLabel(text: string): { label: VegetaLabel; columns: string; values: string; isOpen: boolean } | null {
  const [, printed, columns, rest] = labelLine.exec(text) ?? []
  // When copying, the first letter is easily missed.
  const label = printed === 'equests' ? 'Requests' : printed
  if (label === undefined || columns === undefined || rest === undefined) return null
  // Word-wrapped inside the brackets: the rest follows.
  const isOpen = !text.includes(']')
  if (label === 'Requests' && !/^\s*total\b/.test(columns)) return null
  const known = vegetaLabels.find((candidate) => candidate === label)
  return known === undefined ? null : { label: known, columns, values: rest, isOpen }
}

/** The labels of vegeta's rows, in order of print. */
const vegetaLabels = ['Requests', 'Duration', 'Latencies', 'Bytes In', 'Bytes Out', 'Success', 'Status Codes'] as const

type VegetaLabel = (typeof vegetaLabels)[number]

/** What was read from one report, as printed. */
interface VegetaTextReport {
  readonly firstLine: number
  lastLine: number
  readonly rows: Map<VegetaLabel, VegetaRow>
  hasErrorSet: boolean
  readonly errors: string[]
  /** It cleared the screen first: a `-every` snapshot, not the last one. */
  readonly isSnapshot: boolean
  /** Lines in place of others that an author left out. */
  readonly leftOut: number[]
  /** The last line read is a row, so a cut input may have cut it. */
  endsInRow: boolean
}

/** One row: what is in the brackets, and what follows them. */
interface VegetaRow {
  readonly columns: string
  readonly values: string
  readonly line: number
  /** The closing bracket has not been read yet. */
  readonly isOpen: boolean
}

function createReport(line: Line): VegetaTextReport {
  return {
    firstLine: line.number,
    lastLine: line.number,
    rows: new Map(),
    hasErrorSet: false,
    errors: [],
    leftOut: [],
    isSnapshot: line.clearsScreen === true,
    endsInRow: false,
  }
}

class VegetaTextReader implements BlockReader {
  /** The report being read; null before its first line. */
  private report: VegetaTextReport | null = null
  private passedSnapshots = 0
  private firstLine = 0
  private emptyLines = 0
  /** The row whose values a terminal may have wrapped onto the next line. */
  private openRow: VegetaLabel | null = null

  push(line: Line): 'taken' | 'not-mine' {
    const { text } = line
    if (this.report === null) {
      this.report = createReport(line)
      this.firstLine = line.number
    } else if (text.trim() === '') return this.pushEmpty(this.report)
    else if (clearEnd.test(text)) return 'not-mine'
    if (ellipsis.test(text) && this.report.leftOut.length < maxLeftOut) {
      this.report.leftOut.push(line.number)
      this.report.endsInRow = false
      return 'taken'
    }
    // A row, even one that cannot be read, is no error message.
    const shown = labelLine.test(text) ? text : (withoutAnnotations(text) ?? text)
    const read = labelLine.test(shown)
      ? this.readRow(this.report, { ...line, text: shown })
      : this.readErrorSet(this.report, text) ||
        this.readMessage(this.report, text) ||
        this.readWrapped(this.report, text)
    if (!read) return 'not-mine'
    this.emptyLines = 0
    this.report.lastLine = line.number
    return 'taken'
  }

  private pushEmpty(current: VegetaTextReport): 'taken' | 'not-mine' {
    current.endsInRow = false
    this.openRow = null
    this.emptyLines++
    // Messages are consecutive; before the first one an editor may have left a gap.
    const isOver = current.hasErrorSet && (current.errors.length > 0 || !mayFail(current))
    return isOver || this.emptyLines > maxEmptyLines ? 'not-mine' : 'taken'
  }

  private readRow(current: VegetaTextReport, line: Line): boolean {
    const found = readLabel(line.text)
    if (found === null) return false
    const { label, columns, values, isOpen } = found
    if (label === 'Requests' && current.rows.has('Requests')) {
      if (!isSuperseded(current, columns, values)) return false
      this.passedSnapshots++
      current = createReport(line)
      this.report = current
    }
    if (current.rows.has(label) || current.hasErrorSet) return false
    current.rows.set(label, { columns, values: tidyValues(label, columns, values), line: line.number, isOpen })
    current.endsInRow = true
    this.openRow = label
    return true
  }

  private readErrorSet(current: VegetaTextReport, text: string): boolean {
    if (!errorSetLine.test(text) || current.hasErrorSet) return false
    current.hasErrorSet = true
    current.endsInRow = false
    this.openRow = null
    return true
  }

  private readMessage(current: VegetaTextReport, text: string): boolean {
    if (!current.hasErrorSet || otherOpening.test(text) || !mayBeMessage(current, text)) return false
    current.errors.push(decodeEntities(text.trim()))
    return true
  }

  /** The rest of a row that was wrapped at the edge of a terminal, or by an editor. */
  private readWrapped(current: VegetaTextReport, text: string): boolean {
    const row = this.openRow === null ? undefined : current.rows.get(this.openRow)
    if (this.openRow === null || row === undefined || text.length > 200) return false
    if (row.isOpen) {
      const [, columns, values] = /^([^\]]{0,100})\](.*)/.exec(text.trimStart()) ?? []
      if (columns === undefined || values === undefined) return false
      current.rows.set(this.openRow, {
        ...row,
        columns: row.columns + columns,
        values: values.trimStart(),
        isOpen: false,
      })
      return true
    }
    if (!isWrappedValue(current, this.openRow, row.values, text)) return false
    // Values are separated by a space; a value that was torn apart has none inside.
    const space = /,\s*$/.test(row.values) || this.openRow === 'Status Codes' ? ' ' : ''
    current.rows.set(this.openRow, { ...row, values: row.values.trimEnd() + space + text.trim() })
    return true
  }

  end(cut: boolean): Block | null {
    const { report, passedSnapshots, firstLine } = this
    if (report === null) return null
    const problems: ImportProblem[] = []
    if (passedSnapshots > 0)
      problems.push({
        code: 'not-imported',
        severity: 'info',
        line: firstLine,
        lastLine: report.firstLine - 1,
        message: `${passedSnapshots} interim ${passedSnapshots === 1 ? 'report' : 'reports'} of -every: the last report counts their requests too, and is the one that was read`,
        hint: null,
      })
    return createVegetaBlock(report, firstLine, cut, problems)
  }
}

const counted: ReadonlySet<VegetaLabel> = new Set(['Requests', 'Bytes In', 'Bytes Out', 'Status Codes'])
const grouped = /(?<![\d.,'’_])\d{1,3}(?:([,'’_])\d{3})(?:\1\d{3}){0,4}(?=,\s|\.\d|\s|$)/g

/**
 * Values without their author's notes, tags, blanks before units, and thousands separators: vegeta's own commas are
 * each followed by a blank.
 */
function tidyValues(label: VegetaLabel, columns: string, values: string): string {
  const shown = withoutAnnotations(values) ?? values
  const hasAll = label === 'Status Codes' || shown.split(',').length === columns.split(',').length
  const trimmed = (hasAll ? shown : values)
    .replace(/<\/\w{1,10}>\s*$/, '')
    .replace(/(\d) (ns|[uµμm]?s)(?=,|\s*$)/g, '$1$2')
    .trimStart()
  if (!counted.has(label)) return trimmed
  const plain = trimmed.replace(grouped, (digits) => digits.replace(/\D/g, ''))
  const isWhole = label === 'Status Codes' || plain.split(',').length === columns.split(',').length
  return isWhole ? plain : trimmed
}

/** The snapshots of `-every` count up, and all but the last clear the screen. */
function isSuperseded(report: VegetaTextReport, columns: string, values: string): boolean {
  if (!report.isSnapshot || !report.hasErrorSet) return false
  const before = Number(/^\d+/.exec(report.rows.get('Requests')?.values ?? '')?.[0] ?? NaN)
  const after = Number(/^\s*(\d+)/.exec(values)?.[1] ?? NaN)
  return columns === report.rows.get('Requests')?.columns && after >= before
}

/** Whether any request may have failed, so that messages can follow. */
function mayFail(report: VegetaTextReport): boolean {
  const codes = readStatusCodes(report)
  return codes === null || Object.keys(codes).some((code) => !isVegetaSuccess(code))
}

/**
 * A message belongs to a request without a response (code 0: any text), or is the status line of a bad code (`404 Not
 * Found`): see hit() in lib/attack.go. Anything else that follows an Error Set is not part of it.
 */
function mayBeMessage(report: VegetaTextReport, text: string): boolean {
  const codes = readStatusCodes(report)
  if (codes === null || (codes['0'] ?? 0) > 0 || !areCodesWhole(report)) return true
  const code = /^\s*(\d{3})\b/.exec(text)?.[1]
  return code !== undefined && (codes[code] ?? 0) > 0 && !isVegetaSuccess(code)
}

/** `0:116  200:734`; null: the row is missing. Codes that cannot be read are left out. */
function readStatusCodes(report: VegetaTextReport): Record<string, number> | null {
  const row = report.rows.get('Status Codes')
  if (row === undefined) return null
  const codes: Record<string, number> = {}
  for (const [, code, count] of row.values.matchAll(/(?<!\S)(\d{1,3}):(\d{1,15})(?!\S)/g))
    if (code !== undefined && count !== undefined) codes[code] = Number(count)
  return codes
}

/** Whether every request has its code; otherwise the rest of the row is unknown. */
function areCodesWhole(report: VegetaTextReport): boolean {
  const requested = parseCount(valuesOf(report.rows.get('Requests'))[0] ?? '')
  const isPlain = /^(?:\s*\d{1,3}:\d{1,15}(?!\S))*\s*$/.test(report.rows.get('Status Codes')?.values ?? '')
  return isPlain && (requested === null || (sumStatusCodes(readStatusCodes(report)) ?? requested) >= requested)
}

/**
 * Makes the block of a report. `cut`: the input ended with it. Null: prose that only looks like its first row.
 * @throws ImportError `truncated` when not one figure was left.
 */
function createVegetaBlock(
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
  const isWhole = missing.length === 0 && areCodesWhole(report) && (report.hasErrorSet || codesAddUp || !cut)
  if (cut && report.endsInRow && !isWhole) dropLastValue(report)

  const printed: Record<string, string> = {}
  const unreadable: number[] = [...report.leftOut]
  const lastLabel = [...report.rows.keys()].at(-1)
  const cells = new Map<string, { text: string; line: number }>()
  for (const [label, row] of report.rows) {
    if (label === 'Status Codes') continue
    const names = row.columns.split(',').map((name) => name.trim())
    const values = valuesOf(row)
    // With more or fewer values than names, their assignment is unknown; a cut row lacks its last ones.
    const isCutOff = !isWhole && cut && report.endsInRow && label === lastLabel && values.length < names.length
    if (values.length !== names.length && !isCutOff) unreadable.push(row.line)
    else
      names.forEach((name, index) => {
        const text = values[index]
        if (text !== undefined && text !== '') cells.set(`${label}.${name}`, { text, line: row.line })
      })
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
    problems.push(
      cutProblem(
        report.lastLine,
        `the vegeta report is truncated; missing: ${missing.length > 0 ? missing.join(', ') : 'a part of the status codes, or the error set'}`,
        uploadHint,
      ),
    )
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

/** Versions 6 to 10 print the smallest int64 if there was no result. */
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

/** Whether a line continues a row whose values end too early: too few of them, or the last one torn apart. */
function isWrappedValue(report: VegetaTextReport, label: VegetaLabel, values: string, text: string): boolean {
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
