/**
 * hey's summary, as https://github.com/rakyll/hey/blob/v0.1.4/requester/print.go (defaultTmpl) prints it. Versions
 * 0.1.0 (`All requests done.`, status codes before the histogram, `Detailed Report:`) to 0.1.5 (`10%% in`).
 *
 *     Summary:
 *       Total:	0.2501 secs
 *       Requests/sec:	3999.0758
 */
import type { ErrorCount, ImportProblem, Latency, LatencyHistogram, Measure, Phase, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { Block, BlockReader, Line, TextImporter } from '../importer'
import { withoutAnnotations } from '../document/annotations'
import { decodeEntities } from '../carried/copied-text'
import { parseCount, parseScaled } from '../text/number'
import { latencyOf } from '../latency-of'
import { truncatedProblem, unreadableLine } from '../import-problem'

/** Reads the summary text of hey. */
export const heyText: TextImporter = {
  kind: 'text',
  id: 'hey-text',
  starts: 'SATu',
  detect: ({ text }) => /^\s*(?:S?ummary:|All requests done\.)\s*$/.test(text) || totalLine.test(text),
  open: () => new HeyTextReader(),
}

const totalLine = /^\s*Total:\s+\d+\.\d{4} secs\.?\s*$/
const field =
  /^\s*(Total data|Size\/request|Total|Slowest|Fastest|Average|Requests\/sec):\s+(NaN|\d+(?:\.\d{4})?)(?: (?:secs|bytes)\.?)?\s*$/
const fieldLabel = /^\s*(?:Total data|Size\/request|Total|Slowest|Fastest|Average|Requests\/sec):/
const histogramRow = /^\s*(\d+\.\d{3}) \[(\d+)\](?:\s*\|.*)?$/
const percentileRow = /^\s*(\d{1,2})(%{1,2}) in (\d+\.\d{4}) secs\s*$/
const phaseRow = /^\s*(\w[\w+ -]{0,40}):\s+(NaN|\d+\.\d{4}) secs,\s+(NaN|\d+\.\d{4}) secs,\s+(NaN|\d+\.\d{4}) secs\s*$/
const statusRow = /^\s*\[(\d+)\]\s+(\d+) responses\s*$/
const errorRow = /^\s*\[(\d+)\]\s+(\S.*)/
/** Added thousands separators: in counts, and in numbers with hey's four decimals. A time with three is no count. */
const grouped = /(?<=[\s[])\d{1,3}(?:([,'’_])\d{3})(?:\1\d{3}){0,4}(?=\]| (?:bytes|responses)\b|\.\d{4}(?:\s|$))/g
/** For an error only its count: the message stays unchanged. */
const groupedFirst = /(?<=^\s{0,10}\[)\d{1,3}(?:([,'’_])\d{3})(?:\1\d{3}){0,4}(?=\])/
const joinGroups = (digits: string): string => digits.replace(/\D/g, '')
/** Rows that are data in the section they are in, even if they cannot be read. */
const dataRow: Partial<Record<HeySection, RegExp>> = {
  histogram: /^\s+\d+\.\d+ \[/,
  percentiles: /^\s+\d+%{1,2} in /,
  details: /^\s*(?:DNS[+-]|req write|resp (?:wait|read)).*:/,
  statuses: /^\s+\[\d+\]/,
}
/** oha and ghz print hey's headings with lines of their own. */
const foreignLine =
  /^\s*(?:(?:Success rate|Size\/sec|Count):\s|Total data:\s+[\d.]+ [KMGT]iB|(?:Total|Slowest|Fastest|Average):\s+[\d.]+ [mµn]s\b)/
/** What ends a report anywhere: a fence, a heading, a prompt. */
const clearEnd = /^\s*(?:```|~~~|#|[$❯%➜] )/
/** Most unreadable lines of a report that are listed; with more it is no report. */
const maxUnreadable = 100
/** Most lines that a terminal wrapped; more belong to something else. */
const maxWrappedLines = 4

function sectionOf(text: string): HeySection | null {
  switch (text.trim()) {
    // When copying, the first letter is easily missed.
    case 'Summary:':
    case 'ummary:':
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

/** The parts of hey's report, by their headings. */
type HeySection = 'summary' | 'histogram' | 'percentiles' | 'details' | 'statuses' | 'errors'

/** What was read from one report of hey, as printed. */
interface HeyReport {
  firstLine: number
  lastLine: number
  /** 0.1.0: status codes before the histogram, percentiles without placeholders. */
  isFirstLayout: boolean
  /** `10%% in` (0.1.5) or `10% in`; null: no percentile was printed. */
  hasDoubledPercent: boolean | null
  readonly sections: Set<HeySection>
  readonly fields: Map<string, { readonly text: string; readonly line: number }>
  readonly histogram: { readonly markText: string; readonly count: number }[]
  readonly percentiles: { readonly percent: string; readonly text: string }[]
  /** `0% in 0.0000 secs`: percentiles that hey did not compute. */
  placeholders: number
  readonly phases: Map<string, { mean: string | null; fastest: string | null; slowest: string | null }>
  readonly statusCodes: Map<string, number>
  readonly errors: { message: string; count: number }[]
  /** Lines with a label or a mark of hey's whose value could not be read. */
  readonly unreadable: number[]
}

/** Names of the phases as printed (0.1.0 wrote them out) → as used since 0.1.1. */
const phaseNames: Readonly<Record<string, string>> = {
  'DNS+dialup': 'DNS+dialup',
  'DNS-lookup': 'DNS-lookup',
  'req write': 'req write',
  'Request Write': 'req write',
  'resp wait': 'resp wait',
  'Response Wait': 'resp wait',
  'resp read': 'resp read',
  'Response Read': 'resp read',
}

class HeyTextReader implements BlockReader {
  private readonly report: HeyReport = {
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
  private section: HeySection = 'summary'
  /** 0.1.0: the phase whose heading is above the next lines. */
  private phase: string | null = null
  /** The errors are over: what follows is not hey's. */
  private isOver = false
  private isForeign = false
  /** Lines since the last error that a terminal may have wrapped. */
  private wrapped: string[] = []

  push(line: Line): 'taken' | 'not-mine' | 'passed' {
    if (this.report.firstLine === 0) this.report.firstLine = line.number
    const { text } = line
    if (text.trim() === '') {
      // One empty line follows the errors; what comes next is not one of them.
      if (this.section === 'errors' && this.report.errors.length > 0) this.isOver = true
      return 'taken'
    }
    if (this.isOver || clearEnd.test(text)) return 'not-mine'
    const heading = sectionOf(text)
    const read = this.readHeader(text, heading) || (heading === null && this.readRow(line))
    if (read) {
      this.report.lastLine = line.number
      this.wrapped = []
      return 'taken'
    }
    if (foreignLine.test(text)) this.isForeign = true
    if (this.section === 'errors' && this.report.errors.length > 0 && this.wrapped.length < maxWrappedLines) {
      this.wrapped.push(text)
      return 'passed'
    }
    return 'not-mine'
  }

  private readHeader(text: string, next: HeySection | null): boolean {
    if (/^\s*All requests done\.\s*$/.test(text)) {
      if (this.report.sections.size > 0 || this.report.isFirstLayout) return false
      this.report.isFirstLayout = true
      return true
    }
    if (/^\s*Note:\s+Distributions are for first \d+ results\.\s*$/.test(text)) return true
    if (next === null || this.report.sections.has(next)) return false
    if (next === 'summary' && this.report.fields.size > 0) return false
    if (next === 'histogram' && this.report.sections.has('statuses')) this.report.isFirstLayout = true
    if (text.trim() === 'Detailed Report:') this.report.isFirstLayout = true
    this.report.sections.add(next)
    this.section = next
    this.phase = null
    return true
  }

  private readRow(line: Line): boolean {
    const { text } = line
    if (this.readPlainRow(line)) return true
    const plain = this.section === 'errors' ? text.replace(groupedFirst, joinGroups) : text.replace(grouped, joinGroups)
    if (plain !== text && this.readPlainRow({ ...line, text: plain })) return true
    const shown = this.section === 'errors' ? null : withoutAnnotations(plain)
    if (shown !== null && this.readPlainRow({ ...line, text: shown })) return true
    const carriesData = this.section === 'summary' ? fieldLabel.test(text) : dataRow[this.section]?.test(text)
    if (!carriesData || foreignLine.test(text) || this.isRepeated(text)) return false
    if (this.report.unreadable.length >= maxUnreadable) return false
    this.report.unreadable.push(line.number)
    return true
  }

  private readPlainRow(line: Line): boolean {
    return this.section === 'summary' ? this.readField(line) : this.readSectionRow(line.text)
  }

  /** A field that was already read opens the next report. */
  private isRepeated(text: string): boolean {
    return this.report.fields.has(/^\s*([^\s:][^:]*):/.exec(text)?.[1] ?? '')
  }

  private readField({ text, number }: Line): boolean {
    const [, label, value] = field.exec(text) ?? []
    if (label === undefined || value === undefined || this.report.fields.has(label)) return false
    const unit = /(secs|bytes)\.?\s*$/.exec(text)?.[1] ?? null
    const expected = label === 'Requests/sec' ? null : /data|Size/.test(label) ? 'bytes' : 'secs'
    if (unit !== expected || (unit !== 'bytes' && value !== 'NaN' && !value.includes('.'))) return false
    this.report.fields.set(label, { text: value, line: number })
    return true
  }

  private readSectionRow(text: string): boolean {
    switch (this.section) {
      case 'histogram': {
        const [, mark, count] = histogramRow.exec(text) ?? []
        if (mark === undefined || count === undefined) return /^\s*[■∎]+\s*$/.test(text)
        if (this.report.histogram.length === 11) return false
        this.report.histogram.push({ markText: mark, count: parseCount(count) ?? 0 })
        return true
      }
      case 'percentiles': {
        const [, percent, sign, seconds] = percentileRow.exec(text) ?? []
        if (percent === undefined || sign === undefined || seconds === undefined) return false
        this.report.hasDoubledPercent = sign === '%%'
        if (percent === '0') this.report.placeholders++
        else this.report.percentiles.push({ percent, text: seconds })
        return true
      }
      case 'details':
        return this.readPhase(text)
      case 'statuses': {
        const [, code, count] = statusRow.exec(text) ?? []
        if (code === undefined || count === undefined) return false
        this.report.statusCodes.set(code, parseCount(count) ?? 0)
        return true
      }
      case 'errors': {
        const [, count, message] = errorRow.exec(text) ?? []
        if (count === undefined || message === undefined) return false
        const previous = this.report.errors.at(-1)
        if (previous) previous.message += this.wrapped.join('')
        this.report.errors.push({ count: parseCount(count) ?? 0, message: decodeEntities(message.trimEnd()) })
        return true
      }
      default:
        return false
    }
  }

  private readPhase(text: string): boolean {
    const [, name, mean, fastest, slowest] = phaseRow.exec(text) ?? []
    if (name !== undefined && mean !== undefined && fastest !== undefined && slowest !== undefined) {
      const known = phaseNames[name.trim()]
      if (known === undefined) return false
      this.report.phases.set(known, { mean, fastest, slowest })
      return true
    }
    // 0.1.0: a heading for each phase, and three lines below it.
    const heading = phaseNames[/^\s*(\w[\w+ -]{0,40}):\s*$/.exec(text)?.[1] ?? '']
    if (heading !== undefined) {
      this.phase = heading
      this.report.phases.set(heading, { mean: null, fastest: null, slowest: null })
      return true
    }
    const [, label, value] = /^\s*(Average|Fastest|Slowest):\s+(NaN|\d+\.\d{4}) secs\s*$/.exec(text) ?? []
    const current = this.phase === null ? undefined : this.report.phases.get(this.phase)
    if (current === undefined || value === undefined) return false
    if (label === 'Average') current.mean = value
    else if (label === 'Fastest') current.fastest = value
    else current.slowest = value
    return true
  }

  end(atEnd: boolean): Block | null {
    return this.isForeign ? null : createHeyBlock(this.report, atEnd)
  }
}

/** hey keeps this many responses (maxRes in requester/report.go); later ones are in Total and Requests/sec only. */
const sampleCap = 1_000_000
const markCount = 11

/** Makes the block of a report. Null: it contained nothing of hey's. `atEnd`: the input ended with it. */
function createHeyBlock(report: HeyReport, atEnd: boolean): Block | null {
  const hasHeading = report.isFirstLayout || report.sections.has('summary')
  if (report.fields.size < (hasHeading ? 1 : 2) && report.errors.length === 0) return null
  const responses = sum(report.statusCodes.values())
  const failed = sum(report.errors.map((error) => error.count))
  const missing = findMissing(report, responses, failed)
  const damaged = report.unreadable.filter((line) => !atEnd || line !== report.lastLine)
  const complete = missing === null && report.unreadable.length === 0
  const capped = complete && responses === sampleCap ? countBeyondCap(report, failed) : null
  const seconds = (label: string) => parseScaled(textOf(report, label) ?? '', 3)

  const run = {
    ...blankRun('hey', 'hey-text'),
    toolVersion: guessVersion(report),
    durationMs: seconds('Total'),
    requests: complete ? (capped?.requests ?? responses + failed) : null,
    requestsPerSecond: parseScaled(textOf(report, 'Requests/sec') ?? '', 0),
    bytesIn: parseScaled(textOf(report, 'Total data') ?? '', 0),
    statusCodes: Object.fromEntries(report.statusCodes),
    errors: report.errors.map((error): ErrorCount => ({ ...error })),
    latencies: createLatencies(report, complete ? responses : null),
    phases: createPhases(report),
    measures: createMeasures(report),
    complete,
    printed: collectPrinted(report),
    warnings: [...(capped?.warnings ?? []), ...createWarnings(report, responses, complete)],
  }
  return {
    lines: [report.firstLine, Math.max(report.firstLine, report.lastLine)],
    runs: [run],
    problems: createProblems(report, missing, damaged),
  }
}

function sum(counts: Iterable<number>): number {
  let total = 0
  for (const count of counts) total += count
  return total
}

function textOf(report: HeyReport, label: string): string | null {
  return report.fields.get(label)?.text ?? null
}

/** Requests by hey's own rate and time, and the possible error from rounding both. Null: not printed. */
function estimateRequests(report: HeyReport): { count: number; uncertainty: number } | null {
  const total = parseScaled(textOf(report, 'Total') ?? '', 0)
  const rate = parseScaled(textOf(report, 'Requests/sec') ?? '', 0)
  if (total === null || rate === null) return null
  return { count: rate * total, uncertainty: (rate + total) * 0.00005 + 1e-6 }
}

/** Whether a count is at least one request below another, beyond the rounding of either. */
const isBelow = (count: number, than: { readonly count: number; readonly uncertainty: number }): boolean =>
  Math.round(than.count - count) > 0 && count < than.count - than.uncertainty
const formatMissing = (requests: number): string => `${requests} ${requests === 1 ? 'request' : 'requests'}`

/** What is missing from a complete report, in words; null: nothing. */
function findMissing(report: HeyReport, responses: number, failed: number): string | null {
  // 0.1.0 prints only the errors when every request failed.
  if (report.isFirstLayout && !report.sections.has('summary') && failed > 0) return null
  for (const label of ['Total', 'Slowest', 'Fastest', 'Average', 'Requests/sec'])
    if (!report.fields.has(label)) return `the line "${label}"`
  if (!report.sections.has('statuses')) return 'the status codes'
  const allFailed = textOf(report, 'Average') === 'NaN'
  if (allFailed) {
    if (failed === 0) return 'the errors'
  } else {
    if (report.histogram.length < markCount) return `${markCount - report.histogram.length} rows of the histogram`
    if (responses < sum(report.histogram.map((row) => row.count))) return 'status codes'
    const expected = report.isFirstLayout ? countPercentiles(responses) : 7
    if (report.percentiles.length + report.placeholders < expected) return 'percentiles'
  }
  const estimate = estimateRequests(report)
  // 0.1.0's Requests/sec counts responses only, so it reveals nothing about the errors.
  if (!report.isFirstLayout && estimate !== null && responses !== sampleCap)
    if (isBelow(responses + failed, estimate))
      return `${formatMissing(Math.round(estimate.count - responses - failed))} in the status codes and errors`
  return null
}

/** How many of its seven percentiles hey sets for this many responses: at most one per response. */
function countPercentiles(responses: number): number {
  const percents = [10, 25, 50, 75, 90, 95, 99]
  if (responses >= 100) return percents.length
  let set = 0
  for (let index = 0; index < responses; index++)
    if (Math.floor((index * 100) / responses) >= (percents[set] ?? Infinity)) set++
  return set
}

function guessVersion(report: HeyReport): string | null {
  if (report.isFirstLayout) return '0.1.0'
  if (report.hasDoubledPercent === true) return '0.1.5'
  if (report.hasDoubledPercent === false || report.errors.some(({ message }) => garbled.test(message))) return '<=0.1.4'
  return null
}

const garbled = /%!.?\((?:MISSING|NOVERB|BADWIDTH|BADPREC|EXTRA)/

function createLatencies(report: HeyReport, responses: number | null): Latency[] {
  if (report.fields.size === 0) return []
  const ms = (text: string | null) => (text === null ? null : parseScaled(text, 3))
  // With no response, hey prints 0.0000 for Slowest and Fastest: absence, not speed.
  const isEmpty = textOf(report, 'Average') === 'NaN'
  // Both are the same unless one was edited: a difference is a finding.
  const counted =
    responses ?? (report.histogram.length === markCount ? sum(report.histogram.map((row) => row.count)) : null)
  return [
    latencyOf({
      count: isEmpty ? 0 : counted,
      minMs: isEmpty ? null : ms(textOf(report, 'Fastest')),
      meanMs: isEmpty ? null : ms(textOf(report, 'Average')),
      maxMs: isEmpty ? null : ms(textOf(report, 'Slowest')),
      quantiles: report.percentiles.flatMap(({ percent, text }) => {
        const value = ms(text)
        return value === null ? [] : [{ q: Number(`${percent}e-2`), ms: value }]
      }),
      histogram: isEmpty ? null : rebuildHistogram(report),
      method: 'hey-rank',
    }),
  ]
}

/**
 * The marks have three decimals, so a fast service prints 0.000 several times; they are min + i/10 of the way to max,
 * both of which have four. A mark is an inclusive upper bound; the first bucket holds values equal to the min. Printed
 * values are rounded to 0.1 ms: each bound except the min is moved up by half of that, so that no response is above its
 * bucket's.
 */
function rebuildHistogram(report: HeyReport): LatencyHistogram | null {
  const fastest = parseScaled(textOf(report, 'Fastest') ?? '', 4)
  const slowest = parseScaled(textOf(report, 'Slowest') ?? '', 4)
  if (report.histogram.length < markCount || fastest === null || slowest === null) return null
  // In steps of 0.01 ms, in which four decimals of a second are whole numbers.
  const markMs = (index: number) => (fastest * 10 + index * (slowest - fastest)) / 100
  const boundMs = (index: number) => {
    if (index === 0) return markMs(0)
    const rebuiltMs = markMs(index) + halfPlaceMs
    const markedMs = parseScaled(report.histogram[index]?.markText ?? '', 3)
    if (markedMs === null) return Number(rebuiltMs.toFixed(3))
    // A value that would be rounded to a different mark than the printed one is not a bound: min and max, and so all
    // between them, may be printed half a place too high.
    const highestMs = markedMs + halfMarkMs
    const isOver = rebuiltMs > highestMs && rebuiltMs <= highestMs + 2 * halfPlaceMs + 1e-9
    return Number((isOver ? highestMs : rebuiltMs).toFixed(3))
  }
  const buckets = report.histogram.map(({ count }, index) => ({
    lowerMs: boundMs(Math.max(0, index - 1)),
    upperMs: boundMs(index),
    count,
  }))
  return { kind: 'buckets', inclusive: 'upper', buckets }
}

/** Half of the last place of Fastest and Slowest. */
const halfPlaceMs = 0.05
/** Half of the last place of a mark. */
const halfMarkMs = 0.5

function hasOverallColumns(report: HeyReport, name: string): boolean {
  // Up to 0.1.4 the columns min and max of this line are those of the whole request.
  return name === 'DNS+dialup' && !report.isFirstLayout && report.hasDoubledPercent !== true
}

function createPhases(report: HeyReport): Phase[] {
  if (textOf(report, 'Average') === 'NaN') return []
  const ms = (text: string | null) => (text === null ? null : parseScaled(text, 3))
  return [...report.phases].map(([name, { mean, fastest, slowest }]) => ({
    name,
    meanMs: ms(mean),
    minMs: hasOverallColumns(report, name) ? null : ms(fastest),
    maxMs: hasOverallColumns(report, name) ? null : ms(slowest),
  }))
}

function createMeasures(report: HeyReport): Measure[] {
  const size = report.fields.get('Size/request')
  const value = parseScaled(size?.text ?? '', 0)
  return size === undefined || value === null
    ? []
    : [{ name: 'size-per-request', value, unit: 'bytes', line: size.line }]
}

function collectPrinted(report: HeyReport): Record<string, string> {
  const printed: Record<string, string> = {}
  const keys = {
    Total: ['durationMs', ' secs'],
    Slowest: ['latencies.0.maxMs', ' secs'],
    Fastest: ['latencies.0.minMs', ' secs'],
    Average: ['latencies.0.meanMs', ' secs'],
    'Requests/sec': ['requestsPerSecond', ''],
    'Total data': ['bytesIn', ' bytes'],
    'Size/request': ['measures.size-per-request', ' bytes'],
  }
  for (const [label, [key, unit]] of Object.entries(keys)) {
    const text = textOf(report, label)
    if (text !== null && key !== undefined) printed[key] = `${text}${unit}`
  }
  for (const { percent, text } of report.percentiles) printed[`latencies.0.p${percent}`] = `${text} secs`
  if (textOf(report, 'Average') === 'NaN') return printed
  for (const [index, [name, { mean, fastest, slowest }]] of [...report.phases].entries()) {
    if (mean !== null) printed[`phases.${index}.meanMs`] = `${mean} secs`
    if (hasOverallColumns(report, name)) continue
    if (fastest !== null) printed[`phases.${index}.minMs`] = `${fastest} secs`
    if (slowest !== null) printed[`phases.${index}.maxMs`] = `${slowest} secs`
  }
  return printed
}

/** Beyond the cap only Total and Requests/sec count all. Requests stay unknown if these are too coarse. */
function countBeyondCap(report: HeyReport, failed: number): { requests: number | null; warnings: Warning[] } | null {
  const estimate = estimateRequests(report)
  if (estimate === null || estimate.count <= sampleCap + failed + estimate.uncertainty) return null
  const isSharp = estimate.uncertainty / estimate.count < 1e-4
  const count = Math.round(estimate.count)
  const range = `${count} ± ${Math.ceil(estimate.uncertainty)}`
  const message =
    `hey recorded only the first ${sampleCap} responses: status codes, percentiles, max and histogram cover these, ` +
    `while average and size per request are sums over all responses divided by ${sampleCap} (too high). ` +
    `Requests/sec × Total gives ${range} requests; ` +
    (isSharp ? `that product is shown as the number of requests.` : `which is too coarse to show as a number.`)
  const line = report.fields.get('Requests/sec')?.line ?? null
  return { requests: isSharp ? count : null, warnings: [{ code: 'sample-cap', message, line }] }
}

function createWarnings(report: HeyReport, responses: number, complete: boolean): Warning[] {
  const warnings: Warning[] = []
  const add = (code: string, message: string) => warnings.push({ code, message, line: null })
  if (report.errors.some(({ message }) => garbled.test(message)))
    add('garbled-error-text', 'hey before 0.1.5 garbles a "%" in error texts ("%!C(MISSING)"); the counts are right.')
  if (complete && responses > 0 && responses < 10 && report.percentiles.length > 0)
    add('shifted-percentiles', `hey sets at most one percentile per response: with ${responses} they read too high.`)
  const estimate = estimateRequests(report)
  const counted = responses + sum(report.errors.map((error) => error.count))
  const isTooFew = estimate !== null && isBelow(estimate.count, { ...estimate, count: counted })
  if (complete && !report.isFirstLayout && isTooFew)
    add('inconsistent-counts', `${counted} requests are counted, but Requests/sec × Total gives ${estimate.count}.`)
  const rebuilt = rebuildHistogram(report)
  if (rebuilt?.kind === 'buckets')
    for (const [index, { markText }] of report.histogram.entries())
      if (Math.abs(Number(markText) * 1e3 - (rebuilt.buckets[index]?.upperMs ?? 0) + halfPlaceMs) > 0.56) {
        add('inconsistent-histogram', `The histogram's mark ${markText} is not between min and max.`)
        break
      }
  return warnings
}

function createProblems(report: HeyReport, missing: string | null, damaged: readonly number[]): ImportProblem[] {
  const problems = damaged.map((line) => unreadableLine('hey', line))
  // The contents of a damaged line are missing too, but not truncated.
  const isTruncated = damaged.length === 0 && (missing !== null || report.unreadable.length > 0)
  if (isTruncated)
    problems.push(
      truncatedProblem(
        Math.max(report.firstLine, report.lastLine),
        `the hey report is truncated; missing: ${missing ?? 'the end of its last line'}`,
        'Upload the whole output, from "Summary:" to the status codes and errors.',
      ),
    )
  return problems
}
