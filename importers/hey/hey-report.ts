import type { ErrorCount, ImportProblem, Latency, LatencyHistogram, Measure, Phase, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { Block } from '../importer'
import { parseScaled } from '../text/number'

/** The parts of hey's report, by their headings. */
export type HeySection = 'summary' | 'histogram' | 'percentiles' | 'details' | 'statuses' | 'errors'

/** What was read of one report of hey, as printed. */
export interface HeyReport {
  firstLine: number
  lastLine: number
  /** 0.1.0: status codes before the histogram, percentiles without placeholders. */
  isFirstLayout: boolean
  /** `10%% in` (0.1.5) or `10% in`; null when no percentile was printed. */
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
export const phaseNames: Readonly<Record<string, string>> = {
  'DNS+dialup': 'DNS+dialup',
  'DNS-lookup': 'DNS-lookup',
  'req write': 'req write',
  'Request Write': 'req write',
  'resp wait': 'resp wait',
  'Response Wait': 'resp wait',
  'resp read': 'resp read',
  'Response Read': 'resp read',
}

/** hey keeps this many responses (maxRes in requester/report.go); what comes later is in Total and Requests/sec only. */
const sampleCap = 1_000_000
const markCount = 11

/** Makes the block of a report. Null: nothing of hey's was in it. `cut`: the input ended with it. */
export function createHeyBlock(report: HeyReport, cut: boolean): Block | null {
  const hasHeading = report.isFirstLayout || report.sections.has('summary')
  if (report.fields.size < (hasHeading ? 1 : 2) && report.errors.length === 0) return null
  const responses = sum(report.statusCodes.values())
  const failed = sum(report.errors.map((error) => error.count))
  const missing = findMissing(report, responses, failed)
  const damaged = report.unreadable.filter((line) => !cut || line !== report.lastLine)
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

/** Requests by hey's own rate and time, and how far off the rounding of both can put it. Null when not printed. */
function estimateRequests(report: HeyReport): { count: number; uncertainty: number } | null {
  const total = parseScaled(textOf(report, 'Total') ?? '', 0)
  const rate = parseScaled(textOf(report, 'Requests/sec') ?? '', 0)
  if (total === null || rate === null) return null
  return { count: rate * total, uncertainty: (rate + total) * 0.00005 + 1e-6 }
}

/** What a whole report would have and this one has not, in words; null when nothing is missing. */
function findMissing(report: HeyReport, responses: number, failed: number): string | null {
  // 0.1.0 prints nothing but the errors when every request failed.
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
  // 0.1.0's Requests/sec counts responses only, so that it says nothing about the errors.
  if (!report.isFirstLayout && estimate !== null && responses !== sampleCap)
    if (responses + failed < estimate.count - estimate.uncertainty)
      return `${Math.round(estimate.count) - responses - failed} requests in the status codes and errors`
  return null
}

/** How many of its seven percentiles hey sets for so many responses: at most one for each response. */
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
  const counted = report.histogram.length === markCount ? sum(report.histogram.map((row) => row.count)) : responses
  return [
    {
      of: 'all',
      count: isEmpty ? 0 : counted,
      minMs: isEmpty ? null : ms(textOf(report, 'Fastest')),
      meanMs: isEmpty ? null : ms(textOf(report, 'Average')),
      stdDevMs: null,
      maxMs: isEmpty ? null : ms(textOf(report, 'Slowest')),
      withinOneStdDevRatio: null,
      quantiles: report.percentiles.flatMap(({ percent, text }) => {
        const value = ms(text)
        return value === null ? [] : [{ q: Number(`${percent}e-2`), ms: value }]
      }),
      histogram: isEmpty ? null : rebuildHistogram(report),
      origin: 'summary',
      method: 'hey-rank',
    },
  ]
}

/**
 * The marks have three decimals, so that a fast service prints 0.000 several times; they are min + i/10 of the way
 * to max, which have four. A mark is an inclusive upper bound; the first bucket holds what equals the min.
 */
function rebuildHistogram(report: HeyReport): LatencyHistogram | null {
  const fastest = parseScaled(textOf(report, 'Fastest') ?? '', 4)
  const slowest = parseScaled(textOf(report, 'Slowest') ?? '', 4)
  if (report.histogram.length < markCount || fastest === null || slowest === null) return null
  // In steps of 0.01 ms, of which four decimals of a second make whole numbers.
  const markMs = (index: number) => (fastest * 10 + index * (slowest - fastest)) / 100
  const buckets = report.histogram.map(({ count }, index) => ({
    lowerMs: markMs(Math.max(0, index - 1)),
    upperMs: markMs(index),
    count,
  }))
  return { kind: 'buckets', inclusive: 'upper', buckets }
}

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

/** Beyond the cap only Total and Requests/sec count all. Requests stay unknown when these are too coarse to say. */
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
  if (complete && !report.isFirstLayout && estimate !== null && counted > estimate.count + estimate.uncertainty)
    add('inconsistent-counts', `${counted} requests are counted, but Requests/sec × Total gives ${estimate.count}.`)
  const rebuilt = rebuildHistogram(report)
  if (rebuilt?.kind === 'buckets')
    for (const [index, { markText }] of report.histogram.entries())
      if (Math.abs(Number(markText) * 1e3 - (rebuilt.buckets[index]?.upperMs ?? 0)) > 0.56) {
        add('inconsistent-histogram', `The histogram's mark ${markText} is not between min and max.`)
        break
      }
  return warnings
}

function createProblems(report: HeyReport, missing: string | null, damaged: readonly number[]): ImportProblem[] {
  const problems: ImportProblem[] = damaged.map((line) => ({
    code: 'malformed',
    severity: 'error',
    line,
    lastLine: null,
    message: 'a line of a hey report that cannot be read',
    hint: 'Upload the output as hey printed it.',
  }))
  // What a damaged line held is missing too, but not cut off.
  const isCut = damaged.length === 0 && (missing !== null || report.unreadable.length > 0)
  if (isCut)
    problems.push({
      code: 'truncated',
      severity: 'error',
      line: Math.max(report.firstLine, report.lastLine),
      lastLine: null,
      message: `the hey report is truncated; missing: ${missing ?? 'the end of its last line'}`,
      hint: 'Upload the whole output, from "Summary:" to the status codes and errors.',
    })
  return problems
}
