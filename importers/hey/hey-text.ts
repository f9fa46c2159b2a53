/**
 * hey's summary, as https://github.com/rakyll/hey/blob/v0.1.4/requester/print.go (defaultTmpl) prints it. Versions
 * 0.1.0 (`All requests done.`, status codes before the histogram, `Detailed Report:`) to 0.1.5 (`10%% in`).
 *
 *     Summary:
 *       Total:	0.2501 secs
 *       Requests/sec:	3999.0758
 */
import { createStartTest } from '../text/first-character'
import { parseCount } from '../text/number'
import { createHeyBlock, phaseNames, type HeyReport, type HeySection } from './hey-report'
import type { BlockReader, Line, TextImporter } from '../importer'

/** Reads the summary text of hey. */
export const heyText: TextImporter = {
  kind: 'text',
  id: 'hey-text',
  detect: ({ text }) =>
    mayOpen(text) && (/^\s*(?:Summary:|All requests done\.)\s*$/.test(text) || totalLine.test(text)),
  open: createReader,
}

const mayOpen = createStartTest('SAT')
const totalLine = /^\s*Total:\s+\d+\.\d{4} secs\.?\s*$/
const field =
  /^\s*(Total data|Size\/request|Total|Slowest|Fastest|Average|Requests\/sec):\s+(NaN|\d+(?:\.\d{4})?)(?: (?:secs|bytes)\.?)?\s*$/
const fieldLabel = /^\s*(?:Total data|Size\/request|Total|Slowest|Fastest|Average|Requests\/sec):/
const histogramRow = /^\s*(\d+\.\d{3}) \[(\d+)\](?:\s*\|.*)?$/
const percentileRow = /^\s*(\d{1,2})(%{1,2}) in (\d+\.\d{4}) secs\s*$/
const phaseRow = /^\s*(\w[\w+ -]{0,40}):\s+(NaN|\d+\.\d{4}) secs,\s+(NaN|\d+\.\d{4}) secs,\s+(NaN|\d+\.\d{4}) secs\s*$/
const statusRow = /^\s*\[(\d+)\]\s+(\d+) responses\s*$/
const errorRow = /^\s*\[(\d+)\]\s+(\S.*)/
/** Rows that carry data in the section where they stand, even when they cannot be read. */
const dataRow: Partial<Record<HeySection, RegExp>> = {
  histogram: /^\s+\d+\.\d+ \[/,
  percentiles: /^\s+\d+%{1,2} in /,
  details: /^\s*(?:DNS[+-]|req write|resp (?:wait|read)).*:/,
  statuses: /^\s+\[\d+\]/,
}
/** oha and ghz print hey's headings with lines of their own. */
const foreignLine =
  /^\s*(?:(?:Success rate|Size\/sec|Count):\s|Total data:\s+[\d.]+ [KMGT]iB|(?:Total|Slowest|Fastest|Average):\s+[\d.]+ [mµn]s\b)/
/** What ends a report wherever it stands: a fence, a heading, a prompt. */
const clearEnd = /^\s*(?:```|~~~|#|[$❯%] )/
/** Lines that a terminal wrapped; more belong to something else. */
const maxWrappedLines = 4

function sectionOf(text: string): HeySection | null {
  switch (text.trim()) {
    case 'Summary:':
      return 'summary'
    case 'Response time histogram:':
      return 'histogram'
    case 'Latency distribution:':
      return 'percentiles'
    case 'Details (average, fastest, slowest):':
    case 'Detailed Report:':
      return 'details'
    case 'Status code distribution:':
      return 'statuses'
    case 'Error distribution:':
      return 'errors'
    default:
      return null
  }
}

function createReader(): BlockReader {
  const report: HeyReport = {
    firstLine: 0,
    lastLine: 0,
    isFirstLayout: false,
    hasDoubledPercent: null,
    sections: new Set(),
    fields: new Map(),
    histogram: [],
    percentiles: [],
    placeholders: 0,
    phases: new Map(),
    statusCodes: new Map(),
    errors: [],
    unreadable: [],
  }
  let section: HeySection = 'summary'
  let phase: string | null = null
  let isOver = false
  let isForeign = false
  let wrapped: string[] = []

  return { push, end: (cut) => (isForeign ? null : createHeyBlock(report, cut)) }

  function push(line: Line): 'taken' | 'not-mine' | 'passed' {
    if (report.firstLine === 0) report.firstLine = line.number
    const { text } = line
    if (text.trim() === '') {
      // One empty line follows the errors; whatever comes next is not one of them.
      if (section === 'errors' && report.errors.length > 0) isOver = true
      return 'taken'
    }
    if (isOver || clearEnd.test(text)) return 'not-mine'
    const read = readHeader(text) || readRow(line)
    if (read) {
      report.lastLine = line.number
      wrapped = []
      return 'taken'
    }
    if (foreignLine.test(text)) isForeign = true
    if (section === 'errors' && report.errors.length > 0 && wrapped.length < maxWrappedLines) {
      wrapped.push(text)
      return 'passed'
    }
    return 'not-mine'
  }

  function readHeader(text: string): boolean {
    if (/^\s*All requests done\.\s*$/.test(text)) {
      if (report.sections.size > 0 || report.isFirstLayout) return false
      report.isFirstLayout = true
      return true
    }
    if (/^\s*Note:\s+Distributions are for first \d+ results\.\s*$/.test(text)) return true
    const next = sectionOf(text)
    if (next === null || report.sections.has(next)) return false
    if (next === 'summary' && report.fields.size > 0) return false
    if (next === 'histogram' && report.sections.has('statuses')) report.isFirstLayout = true
    if (text.trim() === 'Detailed Report:') report.isFirstLayout = true
    report.sections.add(next)
    section = next
    phase = null
    return true
  }

  function readRow(line: Line): boolean {
    const { text } = line
    const read = section === 'summary' ? readField(line) : readSectionRow(text)
    if (read) return true
    const carriesData = section === 'summary' ? fieldLabel.test(text) : dataRow[section]?.test(text)
    if (!carriesData || foreignLine.test(text) || isRepeated(text)) return false
    report.unreadable.push(line.number)
    return true
  }

  /** A field that was read already opens the next report. */
  function isRepeated(text: string): boolean {
    return report.fields.has(/^\s*([^\s:][^:]*):/.exec(text)?.[1] ?? '')
  }

  function readField({ text, number }: Line): boolean {
    const [, label, value] = field.exec(text) ?? []
    if (label === undefined || value === undefined || report.fields.has(label)) return false
    const unit = /(secs|bytes)\.?\s*$/.exec(text)?.[1] ?? null
    const expected = label === 'Requests/sec' ? null : /data|Size/.test(label) ? 'bytes' : 'secs'
    if (unit !== expected || (unit !== 'bytes' && value !== 'NaN' && !value.includes('.'))) return false
    report.fields.set(label, { text: value, line: number })
    return true
  }

  function readSectionRow(text: string): boolean {
    switch (section) {
      case 'histogram': {
        const [, mark, count] = histogramRow.exec(text) ?? []
        if (mark === undefined || count === undefined) return /^\s*[■∎]+\s*$/.test(text)
        if (report.histogram.length === 11) return false
        report.histogram.push({ markText: mark, count: parseCount(count) ?? 0 })
        return true
      }
      case 'percentiles': {
        const [, percent, sign, seconds] = percentileRow.exec(text) ?? []
        if (percent === undefined || sign === undefined || seconds === undefined) return false
        report.hasDoubledPercent = sign === '%%'
        if (percent === '0') report.placeholders++
        else report.percentiles.push({ percent, text: seconds })
        return true
      }
      case 'details':
        return readPhase(text)
      case 'statuses': {
        const [, code, count] = statusRow.exec(text) ?? []
        if (code === undefined || count === undefined) return false
        report.statusCodes.set(code, parseCount(count) ?? 0)
        return true
      }
      case 'errors': {
        const [, count, message] = errorRow.exec(text) ?? []
        if (count === undefined || message === undefined) return false
        const previous = report.errors.at(-1)
        if (previous) previous.message += wrapped.join('')
        report.errors.push({ count: parseCount(count) ?? 0, message: message.trimEnd() })
        return true
      }
      default:
        return false
    }
  }

  function readPhase(text: string): boolean {
    const [, name, mean, fastest, slowest] = phaseRow.exec(text) ?? []
    if (name !== undefined && mean !== undefined && fastest !== undefined && slowest !== undefined) {
      const known = phaseNames[name.trim()]
      if (known === undefined) return false
      report.phases.set(known, { mean, fastest, slowest })
      return true
    }
    // 0.1.0: a heading for each phase, and three lines below it.
    const heading = phaseNames[/^\s*(\w[\w+ -]{0,40}):\s*$/.exec(text)?.[1] ?? '']
    if (heading !== undefined) {
      phase = heading
      report.phases.set(heading, { mean: null, fastest: null, slowest: null })
      return true
    }
    const [, label, value] = /^\s*(Average|Fastest|Slowest):\s+(NaN|\d+\.\d{4}) secs\s*$/.exec(text) ?? []
    const current = phase === null ? undefined : report.phases.get(phase)
    if (current === undefined || value === undefined) return false
    if (label === 'Average') current.mean = value
    else if (label === 'Fastest') current.fastest = value
    else current.slowest = value
    return true
  }
}
