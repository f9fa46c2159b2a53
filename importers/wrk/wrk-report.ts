import type {
  ErrorCount,
  ImportProblem,
  Latency,
  LatencyHistogram,
  Measure,
  Milliseconds,
  Quantile,
  Warning,
} from '../../lib/run/run'
import type { Tool } from '../../lib/run/tools'
import { blankRun } from '../blank-run'
import { bucketsOfSpectrum } from '../hdr/hdr-spectrum'
import type { Block } from '../importer'
import { parseCount, parseDecimal, parseScaled } from '../text/number'
import { parseBytes, parseMetric, parsePlan, parseTime } from '../text/wrk-units'

interface Printed {
  readonly text: string
  readonly line: number
}

/** One `Latency Distribution` of wrk (`all`) or wrk2 (`recorded`, `uncorrected`), as printed. */
export interface WrkDistribution {
  readonly of: 'all' | 'recorded' | 'uncorrected'
  readonly line: number
  readonly percentiles: { readonly percent: string; readonly text: string }[]
  readonly spectrum: { readonly ms: string; readonly q: string; readonly count: string }[]
  /** Mean, StdDeviation, Max (ms), Total count, Buckets, SubBuckets. */
  readonly footer: Map<string, Printed>
}

interface WrkStats {
  readonly mean: string
  readonly stdDev: string
  readonly max: string
  readonly within: string
  readonly line: number
}

/** What was read of one report, as printed. */
export interface WrkReport {
  firstLine: number
  lastLine: number
  /** `Running 3s test`: the plan. */
  planned: Printed | null
  url: string | null
  threads: { readonly value: number | null; readonly line: number } | null
  connections: number | null
  /** wrk2's `Thread calibration` lines. */
  calibrations: number
  /** By `Latency` and `Req/Sec`. */
  readonly stats: Map<string, WrkStats>
  readonly distributions: WrkDistribution[]
  totals: { readonly requests: string; readonly runtime: string; readonly read: string; readonly line: number } | null
  /** connect, read, write, timeout. */
  socketErrors: readonly string[] | null
  badStatus: string | null
  requestsPerSecond: string | null
  transferPerSecond: Printed | null
  readonly unreadable: number[]
}

const socketErrorNames = ['connect', 'read', 'write', 'timeout'] as const
const badStatusName = 'Non-2xx or 3xx responses'

/** Makes the block of a report. Null: it held nothing but the announcement (or was autocannon's). */
export function createWrkBlock(report: WrkReport, cut: boolean): Block | null {
  if (report.threads === null && report.stats.size === 0) return null
  const isWrk2 = isFromWrk2(report)
  const damaged = report.unreadable.filter((line) => !cut || line !== report.lastLine)
  // Transfer/sec is the last line of every version.
  const isCut = report.transferPerSecond === null || report.totals === null || report.requestsPerSecond === null
  const complete = !isCut && report.unreadable.length === 0
  const requests = parseCount(report.totals?.requests ?? '')
  // The line is printed only if it counts something, so that its absence from a whole report means none.
  const bad = parseCount(report.badStatus ?? (complete ? '0' : ''))
  const successes = requests === null || bad === null ? null : requests - bad

  const run = {
    ...blankRun(isWrk2 ? 'wrk2' : 'wrk', 'wrk-text'),
    url: report.url,
    durationMs: parseTime(report.totals?.runtime),
    load: isWrk2
      ? ({ kind: 'open', ratePerSecond: null } as const)
      : ({ kind: 'closed', connections: report.connections } as const),
    requests,
    successes,
    successRatio: successes === null || requests === null || requests === 0 ? null : successes / requests,
    requestsPerSecond: parseDecimal(report.requestsPerSecond ?? ''),
    bytesIn: parseBytes(report.totals?.read),
    errors: createErrors(report),
    latencies: createLatencies(report, isWrk2),
    measures: createMeasures(report, isWrk2),
    complete,
    printed: collectPrinted(report, isWrk2),
    warnings: isWrk2 ? [] : createWarnings(report),
  }
  const lastLine = Math.max(report.firstLine, report.lastLine)
  return {
    lines: [report.firstLine, lastLine],
    runs: [run],
    problems: createProblems(run.tool, damaged, isCut ? lastLine : null, isCut ? findMissing(report) : ''),
  }
}

/** wrk2 without `--latency` under 10 s betrays itself by its empty Req/Sec row only; later by its calibration. */
function isFromWrk2(report: WrkReport): boolean {
  const rates = report.stats.get('Req/Sec')
  return (
    report.calibrations > 0 ||
    report.distributions.some(({ of }) => of !== 'all') ||
    (rates !== undefined && isNaNText(rates.mean) && !isNaNText(rates.within))
  )
}

function isNaNText(text: string): boolean {
  return text.endsWith('nan')
}

function createErrors(report: WrkReport): ErrorCount[] {
  const counts = socketErrorNames.map((message, index) => ({
    message,
    count: parseCount(report.socketErrors?.[index] ?? ''),
  }))
  return [...counts, { message: badStatusName, count: parseCount(report.badStatus ?? '') }].filter(
    ({ count }) => count !== null && count > 0,
  )
}

/** The distributions in order of print, recorded before uncorrected; the thread statistics belong to the first. */
function listDistributions(report: WrkReport, isWrk2: boolean): WrkDistribution[] {
  const of = isWrk2 ? 'recorded' : 'all'
  const blank: WrkDistribution = { of, line: report.firstLine, percentiles: [], spectrum: [], footer: new Map() }
  const first = report.distributions.find((distribution) => distribution.of === of)
  const others = report.distributions.filter((distribution) => distribution.of !== of)
  return first === undefined && !report.stats.has('Latency') ? others : [first ?? blank, ...others]
}

function createLatencies(report: WrkReport, isWrk2: boolean): Latency[] {
  return listDistributions(report, isWrk2).map((distribution): Latency => {
    const { of, footer } = distribution
    const stats = of === 'uncorrected' ? undefined : report.stats.get('Latency')
    // Without values wrk prints 0.00us everywhere and -nan%: absence, not speed.
    const isEmpty = stats !== undefined && isNaNText(stats.within) && (parseTime(stats.max) ?? 0) === 0
    const fromFooter = (name: string) => parseScaled(footer.get(name)?.text ?? '', 0)
    return {
      of,
      count: isEmpty ? 0 : parseCount(footer.get('Total count')?.text ?? ''),
      minMs: null,
      meanMs: isEmpty ? null : stats ? parseTime(stats.mean) : fromFooter('Mean'),
      stdDevMs: isEmpty ? null : stats ? parseTime(stats.stdDev) : fromFooter('StdDeviation'),
      maxMs: isEmpty ? null : stats ? parseTime(stats.max) : fromFooter('Max'),
      withinOneStdDevRatio: parseScaled(stats?.within ?? '', -2),
      quantiles: isEmpty ? [] : mergeQuantiles(distribution),
      histogram: isEmpty ? null : spectrumHistogram(distribution),
      origin: 'summary',
      method: isWrk2 ? 'hdr' : 'wrk-corrected',
    }
  })
}

/**
 * The printed percentiles, and the spectrum where these say nothing. Both come of one histogram, but the percentiles
 * are rounded to two decimals: a row of the spectrum that the rounding put out of order is left out.
 */
function mergeQuantiles({ percentiles, spectrum }: WrkDistribution): Quantile[] {
  const merged = new Map<number, Milliseconds>()
  for (const { percent, text } of percentiles) {
    const ms = parseTime(text)
    if (ms !== null) merged.set(Number(`${percent}e-2`), ms)
  }
  const printed = [...merged]
  for (const row of spectrum) {
    const q = Number(row.q)
    const ms = parseScaled(row.ms, 0)
    if (ms === null || merged.has(q)) continue
    if (printed.every(([otherQ, otherMs]) => (otherQ < q ? otherMs <= ms : otherMs >= ms))) merged.set(q, ms)
  }
  return [...merged].map(([q, ms]) => ({ q, ms })).sort((a, b) => a.q - b.q)
}

/** wrk2's spectrum counts values. Null: it was not printed, is cut, or its counts do not add up to its total. */
function spectrumHistogram({ spectrum, footer }: WrkDistribution): LatencyHistogram | null {
  const rows = spectrum.map(({ ms, count }) => ({ ms: parseScaled(ms, 0) ?? NaN, count: parseCount(count) ?? NaN }))
  return bucketsOfSpectrum(rows, parseCount(footer.get('Total count')?.text ?? ''))
}

function createMeasures(report: WrkReport, isWrk2: boolean): Measure[] {
  const measures: Measure[] = []
  const add = (name: string, value: number | null, unit: string | null, line: number) => {
    if (value !== null) measures.push({ name, value, unit, line })
  }
  if (report.planned) add('planned-duration', parsePlan(report.planned.text), 'ms', report.planned.line)
  if (report.threads) add('threads', report.threads.value, null, report.threads.line)
  if (report.threads && isWrk2) add('connections', report.connections, null, report.threads.line)
  const rates = report.stats.get('Req/Sec')
  if (rates && !isNaNText(rates.mean) && !isNaNText(rates.within)) {
    add('thread-requests-per-second-mean', parseMetric(rates.mean), 'requests/s', rates.line)
    add('thread-requests-per-second-stdev', parseMetric(rates.stdDev), 'requests/s', rates.line)
    add('thread-requests-per-second-max', parseMetric(rates.max), 'requests/s', rates.line)
    add('thread-requests-per-second-within-one-stdev-ratio', parseScaled(rates.within, -2), 'ratio', rates.line)
  }
  for (const { of, footer } of report.distributions)
    for (const [name, { text, line }] of footer) {
      const key = { Mean: 'mean', StdDeviation: 'stdev', Max: 'max' }[name]
      if (key !== undefined) add(`${of}-latency-${key}`, parseScaled(text, 0), 'ms', line)
    }
  if (report.transferPerSecond) {
    const { text, line } = report.transferPerSecond
    add('transfer-per-second', parseBytes(text), 'bytes/s', line)
  }
  return measures
}

function createWarnings(report: WrkReport): Warning[] {
  const timeouts = parseCount(report.socketErrors?.[3] ?? '') ?? 0
  if (timeouts === 0) return []
  const message = `${timeouts} responses came after the timeout: they count as requests, but not in the latencies.`
  return [{ code: 'timeouts-not-in-latencies', message, line: null }]
}

function collectPrinted(report: WrkReport, isWrk2: boolean): Record<string, string> {
  const printed: Record<string, string> = {}
  const set = (key: string, text: string | null | undefined) => {
    if (text !== null && text !== undefined) printed[key] = text
  }
  set('measures.planned-duration', report.planned?.text)
  listDistributions(report, isWrk2).forEach(({ of, percentiles, footer }, index) => {
    const stats = of === 'uncorrected' ? undefined : report.stats.get('Latency')
    set(`latencies.${index}.meanMs`, stats?.mean ?? footer.get('Mean')?.text)
    set(`latencies.${index}.stdDevMs`, stats?.stdDev ?? footer.get('StdDeviation')?.text)
    set(`latencies.${index}.maxMs`, stats?.max ?? footer.get('Max')?.text)
    if (stats) set(`latencies.${index}.withinOneStdDevRatio`, `${stats.within}%`)
    for (const { percent, text } of percentiles) set(`latencies.${index}.p${Number(percent)}`, text)
  })
  const rates = report.stats.get('Req/Sec')
  set('measures.thread-requests-per-second-mean', rates?.mean)
  set('measures.thread-requests-per-second-stdev', rates?.stdDev)
  set('measures.thread-requests-per-second-max', rates?.max)
  if (rates) set('measures.thread-requests-per-second-within-one-stdev-ratio', `${rates.within}%`)
  set('requests', report.totals?.requests)
  set('durationMs', report.totals?.runtime)
  set('bytesIn', report.totals?.read)
  socketErrorNames.forEach((name, index) => set(`errors.${name}`, report.socketErrors?.[index]))
  set(`errors.${badStatusName}`, report.badStatus)
  set('requestsPerSecond', report.requestsPerSecond)
  set('measures.transfer-per-second', report.transferPerSecond?.text)
  return printed
}

function findMissing(report: WrkReport): string {
  if (report.stats.size < 2) return 'the thread statistics'
  if (report.totals === null) return 'the line "… requests in …"'
  return report.requestsPerSecond === null ? 'the line "Requests/sec"' : 'the line "Transfer/sec"'
}

function createProblems(
  tool: Tool,
  damaged: readonly number[],
  cutLine: number | null,
  missing: string,
): ImportProblem[] {
  const problems: ImportProblem[] = damaged.map((line) => ({
    code: 'malformed',
    severity: 'error',
    line,
    lastLine: null,
    message: `a line of a ${tool} report that cannot be read`,
    hint: 'Upload the output as it was printed.',
  }))
  if (cutLine !== null)
    problems.push({
      code: 'truncated',
      severity: 'error',
      line: cutLine,
      lastLine: null,
      message: `the ${tool} report is truncated; missing: ${missing}`,
      hint: 'Upload the whole output, from "Running" to "Transfer/sec".',
    })
  return problems
}
