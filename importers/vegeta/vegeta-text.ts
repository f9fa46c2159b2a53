/**
 * vegeta's text report, as https://github.com/tsenart/vegeta/blob/v12.12.0/lib/reporters.go#L57 (NewTextReporter)
 * prints it. Versions 6 to 12: `[total, rate]` up to 12.5, `[mean, 50, 95, 99, max]` up to 12.7.
 *
 *     Requests      [total, rate, throughput]         500, 50.10, 50.09
 *     Latencies     [min, mean, 50, 90, 95, 99, max]  1.216ms, 4.928ms, 4.087ms, 7.923ms, 10.91ms, 22.42ms, 64.609ms
 *     Status Codes  [code:count]                      200:500
 */
import type { ImportProblem } from '../../lib/run/run'
import type { Block, BlockReader, Line, TextImporter } from '../importer'
import { isVegetaSuccess } from './vegeta-report'
import {
  createVegetaBlock,
  isWrappedValue,
  readStatusCodes,
  vegetaLabels,
  type VegetaLabel,
  type VegetaTextReport,
} from './vegeta-text-block'

/** Reads vegeta's text report; of a `-every` capture the last snapshot. */
export const vegetaText: TextImporter = {
  kind: 'text',
  id: 'vegeta-text',
  detect: ({ text }) => text.includes('Requests') && readLabel(text)?.label === 'Requests',
  open: createReader,
}

/** The tags of a page, or the `^C` that a terminal echoes, may be before a label. */
const labelLine =
  /^(?:.{0,300}<(?:pre|code)\b[^<>]{0,100}>)?\s*(?:\^C\s*)?(Requests|Duration|Latencies|Bytes In|Bytes Out|Success|Status Codes)\s+\[([^\]]{0,200})\]?(.*)/
const errorSetLine = /^\s*Error Set:\s*$/
/** What other reports and logs begin with. */
const otherOpening =
  /^\s*(?:Summary:\s*$|All requests done\.|Running \S+ test @ |Bucket\s+#|Value\(ms\)\s|\{"latencies":|\{$|(?:REPORT|START) RequestId: )/
/** What ends a report wherever it stands: a fence, a heading, a prompt, a separator, a closing tag. */
const clearEnd = /^\s*(?:```|~~~|#{1,6}\s|[$❯%] |[\w.-]+@[\w.-]+:\S*[$#] |([=*_~-])\1{2,}|==> .* <==\s*$|<\/\w+>)/
/** Empty lines that an editor may have put between the parts; more end the report. */
const maxEmptyLines = 2

function readLabel(text: string): { label: VegetaLabel; columns: string; values: string; isOpen: boolean } | null {
  const [, label, columns, rest] = labelLine.exec(text) ?? []
  if (label === undefined || columns === undefined || rest === undefined) return null
  // Word-wrapped inside the brackets: the rest follows.
  const isOpen = !text.includes(']')
  if (label === 'Requests' && !/^\s*total\b/.test(columns)) return null
  const known = vegetaLabels.find((candidate) => candidate === label)
  return known === undefined ? null : { label: known, columns, values: rest, isOpen }
}

function createReport(line: Line): VegetaTextReport {
  return {
    firstLine: line.number,
    lastLine: line.number,
    rows: new Map(),
    hasErrorSet: false,
    errors: [],
    isSnapshot: line.clearsScreen === true,
    endsInRow: false,
  }
}

function createReader(): BlockReader {
  let report: VegetaTextReport | null = null
  let passedSnapshots = 0
  let firstLine = 0
  let emptyLines = 0
  /** The row whose values a terminal may have wrapped onto the next line. */
  let openRow: VegetaLabel | null = null

  return { push, end }

  function push(line: Line): 'taken' | 'not-mine' {
    const { text } = line
    if (report === null) {
      report = createReport(line)
      firstLine = line.number
    } else if (text.trim() === '') {
      return pushEmpty(report)
    } else if (clearEnd.test(text)) return 'not-mine'
    // A row, even one that cannot be read, is no error message.
    const read = labelLine.test(text)
      ? readRow(report, line)
      : readErrorSet(report, text) || readMessage(report, text) || readWrapped(report, text)
    if (!read) return 'not-mine'
    emptyLines = 0
    report.lastLine = line.number
    return 'taken'
  }

  function pushEmpty(current: VegetaTextReport): 'taken' | 'not-mine' {
    current.endsInRow = false
    openRow = null
    emptyLines++
    // Messages stand together; before the first one an editor may have left a gap.
    const isOver = current.hasErrorSet && (current.errors.length > 0 || !mayFail(current))
    return isOver || emptyLines > maxEmptyLines ? 'not-mine' : 'taken'
  }

  function readRow(current: VegetaTextReport, line: Line): boolean {
    const found = readLabel(line.text)
    if (found === null) return false
    const { label, columns, values, isOpen } = found
    if (label === 'Requests' && current.rows.has('Requests')) {
      if (!isSuperseded(current, columns, values)) return false
      passedSnapshots++
      report = current = createReport(line)
    }
    if (current.rows.has(label) || current.hasErrorSet) return false
    current.rows.set(label, { columns, values: values.trimStart(), line: line.number, isOpen })
    current.endsInRow = true
    openRow = label
    return true
  }

  function readErrorSet(current: VegetaTextReport, text: string): boolean {
    if (!errorSetLine.test(text) || current.hasErrorSet) return false
    current.hasErrorSet = true
    current.endsInRow = false
    openRow = null
    return true
  }

  function readMessage(current: VegetaTextReport, text: string): boolean {
    if (!current.hasErrorSet || otherOpening.test(text) || !mayBeMessage(current, text)) return false
    current.errors.push(text.trim())
    return true
  }

  /** The rest of a row that was wrapped at the edge of a terminal, or by an editor. */
  function readWrapped(current: VegetaTextReport, text: string): boolean {
    const row = openRow === null ? undefined : current.rows.get(openRow)
    if (openRow === null || row === undefined || text.length > 200) return false
    if (row.isOpen) {
      const [, columns, values] = /^([^\]]{0,100})\](.*)/.exec(text.trimStart()) ?? []
      if (columns === undefined || values === undefined) return false
      current.rows.set(openRow, { ...row, columns: row.columns + columns, values: values.trimStart(), isOpen: false })
      return true
    }
    if (!isWrappedValue(current, openRow, row.values, text)) return false
    // A space stands between values; a value that was torn apart has none.
    const space = /,\s*$/.test(row.values) || openRow === 'Status Codes' ? ' ' : ''
    current.rows.set(openRow, { ...row, values: row.values.trimEnd() + space + text.trim() })
    return true
  }

  function end(cut: boolean): Block | null {
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

/** The snapshots of `-every` count up, and each but the last clears the screen. */
function isSuperseded(report: VegetaTextReport, columns: string, values: string): boolean {
  if (!report.isSnapshot || !report.hasErrorSet) return false
  const before = Number(/^\d+/.exec(report.rows.get('Requests')?.values ?? '')?.[0] ?? NaN)
  const after = Number(/^\s*(\d+)/.exec(values)?.[1] ?? NaN)
  return columns === report.rows.get('Requests')?.columns && after >= before
}

/** Some request may have failed, so that messages can follow. */
function mayFail(report: VegetaTextReport): boolean {
  const codes = readStatusCodes(report)
  return codes === null || Object.keys(codes).some((code) => !isVegetaSuccess(code))
}

/**
 * A message is of a request without a response (code 0: any text), or the status line of a bad code (`404 Not Found`):
 * see hit() in lib/attack.go. Whatever else follows an Error Set is not a part of it.
 */
function mayBeMessage(report: VegetaTextReport, text: string): boolean {
  const codes = readStatusCodes(report)
  if (codes === null || (codes['0'] ?? 0) > 0) return true
  const code = /^\s*(\d{3})\b/.exec(text)?.[1]
  return code !== undefined && (codes[code] ?? 0) > 0 && !isVegetaSuccess(code)
}
