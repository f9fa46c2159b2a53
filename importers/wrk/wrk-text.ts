/**
 * wrk's and wrk2's report, as https://github.com/wg/wrk/blob/4.1.0/src/wrk.c (main, print_stats) and
 * https://github.com/giltene/wrk2/blob/44a94c1/src/wrk.c (print_hdr_latency) print it. wrk 3.0 to 4.2, wrk2 4.0.0.
 *
 *     Running 3s test @ http://127.0.0.1:8080/
 *       2 threads and 10 connections
 *         Latency     4.03ms    1.83ms  19.60ms   82.74%
 */
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
import type { Block, BlockReader, Line, TextImporter } from '../importer'
import { withoutAnnotations } from '../document/annotations'
import { decodeAddress } from '../carried/copied-text'
import { parseCount, parseDecimal, parseScaled, withoutThousands } from '../text/number'
import { parseBytes, parseMetric, parsePlan, parseTime } from '../text/wrk-units'
import { latencyOf } from '../latency-of'
import { truncatedProblem, unreadableLine } from '../import-problem'

/** Reads the text report of wrk and wrk2, with or without `--latency`. */
export const wrkText: TextImporter = {
  kind: 'text',
  id: 'wrk-text',
  starts: 'RTLu0123456789.-',
  detect: ({ text }) =>
    runningLine.test(text) || threadsLine.test(text) || statsHeader.test(text) || latencyRow.test(text),
  open: () => new WrkTextReader(),
}

// autocannon also prints the first of these lines; the second decides.
/** When copying, the first letter is easily missed; a script's dots or a list mark may precede it. */
const runningLine = /^\s*[.-]{0,3}R?unning (\d+[smh]) test @ (\S.*)/
const threadsLine = /^\s*(\d[\d,'’_]*) threads and (\d[\d,'’_]*) connections\s*$/
/** The same, if unreadable. */
const damagedThreads = /^.{0,40}\bthreads and .{0,40}\bconnections\b/
/** In microseconds up to 2014, as in wrk2's README. */
const calibration =
  /^\s*Thread calibration: mean lat\.: \d+(?:\.\d+)? ?[mu]s(?:ec)?, rate sampling interval: \d+ ?ms(?:ec)?\s*$/
/** DeathStarBench's fork of wrk2 prints the 99th percentile where others print the maximum. */
const statsHeader = /^\s*Thread Stats\s+Avg\s+Stdev\s+(Max|99%)\s+\+\/- Stdev\s*$/
/** Without a request wrk2 prints its mean as `-nanus`. */
const value = String.raw`-?nan(?:us)?|-?\d+\.\d{2}[a-zA-Z]{0,2}`
const statsValues = String.raw`\s+(${value})\s+(${value})\s+(${value})\s+(-?nan|\d+\.\d{2})%\s*$`
const statsRow = new RegExp(String.raw`^\s*(Latency|Req\/Sec)${statsValues}`)
const latencyRow = new RegExp(String.raw`^\s*Latency${statsValues}`)
const distribution =
  /^\s*(?:Latency Distribution(?: \(HdrHistogram - (Recorded|Uncorrected) Latency.*\))?|(?:HdrHistogram - )?(Recorded|Uncorrected) Latency(?: \(.*\))?:?)\s*$/
const percentileRow = /^\s*(\d{1,3}(?:\.\d{3})?)%\s+(\d+\.\d{2}(?:us|ms|s|m|h)|-?nan(?:us)?)\s*$/
const spectrumHeader = /^\s*(?:Detailed Percentile spectrum:|Value\s+Percentile\s+TotalCount\s+1\/\(1-Percentile\))\s*$/
const spectrumRow = /^\s*(\d+\.\d{3}|-?nan)\s+([01]\.\d{6}|-?nan)\s+(\d+)\s+(?:\d+\.\d{2}|inf|-?nan)\s*$/
const footer =
  /^\s*#\[(Mean|Max|Buckets)\s+=\s+(-?nan|[\d.]+),\s+(StdDeviation|Total count|SubBuckets)\s+=\s+(-?nan|[\d.]+)\]\s*$/
const dashes = /^\s*-{10,}\s*$/
const totals =
  /^\s*(0|[1-9][\d,'’_]*|[1-9]\d{0,2}(?: \d{3})+) requests in (\d+\.\d{2}(?:us|ms|s|m|h)), (\d+\.\d{2}[KMGTP]?B) read\s*$/
const socketErrors =
  /^\s*Socket errors: connect (\d[\d,'’_]*), read (\d[\d,'’_]*), write (\d[\d,'’_]*), timeout (\d[\d,'’_]*)\s*$/
const badStatus = /^\s*Non-2xx or 3xx responses: (\d[\d,'’_]*)\s*$/
const requestRate = /^\s*Requests\/sec:\s+(\d[\d,'’_]*\.\d{2})\s*$/
const transferRate = /^\s*Transfer\/sec:\s+(\d+\.\d{2}[KMGTP]?B)\s*$/
/** A line that would be data if it could be read. */
const dataLabel =
  /^\s+(?:Latency|Req\/Sec)\s+\d|^\W{0,8}\d{1,3}(?:\.\d{1,3})?%\s+\S|^\s*\d[\d.,'’_ ]* requests\b|^\s*(?:Socket errors|Non-2xx or 3xx responses|Requests\/sec|Transfer\/sec):/
const clearEnd = /^\s*(?:```|~~~|#[^[]|[$❯%➜] )/
/** Most lines that a Lua script may print while the test runs; a longer log is not waiting for a report. */
const maxForeignLines = 10_000
/** Most unreadable lines of a report that are listed; with more it is no report. */
const maxUnreadable = 100

interface Printed {
  readonly text: string
  readonly line: number
}

/** One `Latency Distribution` of wrk (`all`) or wrk2 (`recorded`, `uncorrected`), as printed. */
interface WrkDistribution {
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
  /** Null: the column was the 99th percentile. */
  readonly max: string | null
  readonly p99: string | null
  readonly within: string
  readonly line: number
}

/** What was read from one report, as printed. */
interface WrkReport {
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

class WrkTextReader implements BlockReader {
  private readonly report: WrkReport = {
    firstLine: 0,
    lastLine: 0,
    planned: null,
    url: null,
    threads: null,
    connections: null,
    calibrations: 0,
    stats: new Map(),
    distributions: [],
    totals: null,
    socketErrors: null,
    badStatus: null,
    requestsPerSecond: null,
    transferPerSecond: null,
    unreadable: [],
  }
  /** The statistics have begun; before them a script may print. */
  private isHeaderSeen = false
  private hasP99Column = false
  private foreignLines = 0
  /** Undoes the last line if the input ends with it, maybe within its number or unit. */
  private undoLast: (() => void) | null = null

  end(atEnd: boolean): Block | null {
    if (atEnd && this.report.transferPerSecond === null) this.undoLast?.()
    return createWrkBlock(this.report, atEnd)
  }

  push(line: Line): 'taken' | 'last' | 'not-mine' | 'passed' {
    if (this.report.firstLine === 0) this.report.firstLine = line.number
    const { text } = line
    if (text.trim() === '') return 'taken'
    if (clearEnd.test(text)) return 'not-mine'
    const undoBefore = this.undoLast
    this.undoLast = null
    if (!this.readLine(text, line.number) && !this.readTidied(text, line.number)) {
      this.undoLast = undoBefore
      return this.answerForeign(line)
    }
    this.report.lastLine = line.number
    return this.report.transferPerSecond === null ? 'taken' : 'last'
  }

  private readTidied(text: string, line: number): boolean {
    const plain = withoutAnnotations(text)
    return [plain, tidyFigures(text), plain === null ? null : tidyFigures(plain)].some(
      (tidied) => tidied !== null && this.readLine(tidied, line),
    )
  }

  private answerForeign({ text, number }: Line): 'taken' | 'not-mine' | 'passed' {
    const mayNameMore = this.report.unreadable.length < maxUnreadable
    if (mayNameMore && this.isHeaderSeen && dataLabel.test(text) && !this.isRepeated(text)) {
      this.report.unreadable.push(number)
      this.report.lastLine = number
      return 'taken'
    }
    if (this.report.threads === null && !this.isHeaderSeen && this.report.url !== null && damagedThreads.test(text)) {
      this.report.threads = { value: null, line: number }
      this.report.unreadable.push(number)
      this.report.lastLine = number
      return 'taken'
    }
    const isRunning =
      this.report.threads !== null && !this.isHeaderSeen && !runningLine.test(text) && !threadsLine.test(text)
    return isRunning && ++this.foreignLines <= maxForeignLines ? 'passed' : 'not-mine'
  }

  private isRepeated(text: string): boolean {
    return (
      (this.report.totals !== null && / requests in /.test(text)) ||
      (this.report.requestsPerSecond !== null && /Requests\/sec:/.test(text)) ||
      (this.report.stats.size === 2 && /^\s+(?:Latency|Req)/.test(text))
    )
  }

  private readLine(text: string, line: number): boolean {
    if (!this.isHeaderSeen) return this.readHead(text, line)
    return this.readStats(text, line) || this.readDistribution(text, line) || this.readTotals(text, line)
  }

  private readHead(text: string, line: number): boolean {
    const [, planned, url] = runningLine.exec(text) ?? []
    if (planned !== undefined && url !== undefined && this.report.url === null && this.report.threads === null) {
      this.report.planned = { text: planned, line }
      this.report.url = decodeAddress(url.trimEnd())
      return true
    }
    const [, threads, connections] = threadsLine.exec(text) ?? []
    if (threads !== undefined && connections !== undefined && this.report.threads === null) {
      this.report.threads = { value: parseGroupedCount(threads), line }
      this.report.connections = parseGroupedCount(connections)
      return true
    }
    if (calibration.test(text)) {
      this.report.calibrations++
      return true
    }
    const [, third] = statsHeader.exec(text) ?? []
    if (third !== undefined) {
      this.isHeaderSeen = true
      this.hasP99Column = third === '99%'
      return true
    }
    // Authors remove lines: a line from further down shows that the test is over.
    if (!statsRow.test(text) && !distribution.test(text) && !totals.test(text)) return false
    this.isHeaderSeen = true
    return this.readStats(text, line) || this.readDistribution(text, line) || this.readTotals(text, line)
  }

  private readStats(text: string, line: number): boolean {
    const [, name, mean, stdDev, third, within] = statsRow.exec(text) ?? []
    if (name === undefined || this.report.stats.has(name)) return false
    if (mean === undefined || stdDev === undefined || third === undefined || within === undefined) return false
    const ends = this.hasP99Column ? { max: null, p99: third } : { max: third, p99: null }
    this.report.stats.set(name, { mean, stdDev, ...ends, within, line })
    return true
  }

  private readDistribution(text: string, line: number): boolean {
    const [title, inParentheses, alone] = distribution.exec(text) ?? []
    if (title !== undefined) {
      const kind = inParentheses ?? alone
      return this.openDistribution(
        kind === 'Recorded' ? 'recorded' : kind === 'Uncorrected' ? 'uncorrected' : 'all',
        line,
      )
    }
    if (this.report.totals !== null) return false
    const [, percent, latency] = percentileRow.exec(text) ?? []
    // Without --latency such a fork prints the lines below a spectrum, but no spectrum.
    const heading = spectrumHeader.test(text) || (this.report.distributions.length === 0 && footer.test(text))
    const current = this.findDistribution({ percent: percent ?? null, heading }, line)
    if (current === null) return dashes.test(text)
    if (percent !== undefined && latency !== undefined) {
      current.percentiles.push({ percent, text: latency })
      if (latency.endsWith('m')) this.undoLast = () => current.percentiles.pop()
      return true
    }
    const [, ms, q, count] = spectrumRow.exec(text) ?? []
    if (ms !== undefined && q !== undefined && count !== undefined) {
      current.spectrum.push({ ms, q, count })
      return true
    }
    const [, first, firstValue, second, secondValue] = footer.exec(text) ?? []
    if (first !== undefined && firstValue !== undefined && second !== undefined && secondValue !== undefined) {
      current.footer.set(first, { text: firstValue, line }).set(second, { text: secondValue, line })
      return true
    }
    return spectrumHeader.test(text) || dashes.test(text)
  }

  private openDistribution(of: WrkDistribution['of'], line: number): boolean {
    if (this.report.distributions.some((seen) => seen.of === of)) return false
    this.report.distributions.push({ of, line, percentiles: [], spectrum: [], footer: new Map() })
    return true
  }

  /**
   * The distribution that a line belongs to. If its heading was removed, the first percentile or the first line of a
   * spectrum opens it; wrk2 prints percentiles with three decimals, and the uncorrected values below the recorded ones.
   */
  private findDistribution(
    { percent, heading }: { readonly percent: string | null; readonly heading: boolean },
    line: number,
  ): WrkDistribution | null {
    const current = this.report.distributions.at(-1)
    const opens = percent !== null || heading
    if (current === undefined) {
      if (opens) this.openDistribution(heading || percent?.includes('.') === true ? 'recorded' : 'all', line)
    } else if (opens && current.of === 'recorded' && current.footer.has('Total count'))
      this.openDistribution('uncorrected', line)
    return this.report.distributions.at(-1) ?? null
  }

  private readTotals(text: string, line: number): boolean {
    const [, requests, runtime, read] = totals.exec(text) ?? []
    if (requests !== undefined && runtime !== undefined && read !== undefined && this.report.totals === null) {
      this.report.totals = { requests, runtime, read, line }
      return true
    }
    const socket = socketErrors.exec(text)
    if (socket && this.report.socketErrors === null) {
      this.report.socketErrors = socket.slice(1)
      this.undoLast = () => (this.report.socketErrors = null)
      return true
    }
    const [, bad] = badStatus.exec(text) ?? []
    if (bad !== undefined && this.report.badStatus === null) {
      this.report.badStatus = bad
      this.undoLast = () => (this.report.badStatus = null)
      return true
    }
    const [, rate] = requestRate.exec(text) ?? []
    if (rate !== undefined && this.report.requestsPerSecond === null) {
      this.report.requestsPerSecond = rate
      return true
    }
    const [, transfer] = transferRate.exec(text) ?? []
    if (transfer !== undefined) this.report.transferPerSecond = { text: transfer, line }
    return transfer !== undefined
  }
}

const socketErrorNames = ['connect', 'read', 'write', 'timeout'] as const
const badStatusName = 'Non-2xx or 3xx responses'

/** Makes the block of a report. Null: it contained only the announcement (or was autocannon's). */
function createWrkBlock(report: WrkReport, atEnd: boolean): Block | null {
  if (report.threads === null && report.stats.size === 0) return null
  const isWrk2 = isFromWrk2(report)
  const damaged = report.unreadable.filter((line) => !atEnd || line !== report.lastLine)
  // Transfer/sec is the last line of every version.
  const isTruncated = report.transferPerSecond === null || report.totals === null || report.requestsPerSecond === null
  const complete = !isTruncated && report.unreadable.length === 0
  const requests = parseGroupedCount(report.totals?.requests)
  // The line is printed only if it counts something, so its absence from a complete report means none.
  const bad = parseGroupedCount(report.badStatus ?? (complete ? '0' : ''))
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
    requestsPerSecond: parseDecimal(withoutThousands(report.requestsPerSecond ?? '', 'decimal') ?? ''),
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
    problems: createProblems(run.tool, damaged, isTruncated ? lastLine : null, isTruncated ? findMissing(report) : ''),
  }
}

/** `3,478`, `3 478`: a count, possibly with thousands separators. */
function parseGroupedCount(text: string | undefined): number | null {
  return parseCount(withoutThousands((text ?? '').replaceAll(' ', ''), 'count') ?? '')
}

/** Figures in wrk's own format: `1,034.54 ms` is `1034.54ms`. Null: they already are. */
function tidyFigures(text: string): string | null {
  if (text.length > 1_000) return null
  const tidied = text
    .replace(/(?<!\d)\d{1,3}(?:[,'’_]\d{3}){1,4}\.\d\d/g, (figure) => withoutThousands(figure, 'decimal') ?? figure)
    .replace(/(\d\.\d\d) (us|ms|s|m|h|[KMGTP]?B)(?![\w/])/g, '$1$2')
  return tidied === text ? null : tidied
}

/** wrk2 without `--latency` under 10 s is recognisable only by its empty Req/Sec row; later by its calibration. */
function isFromWrk2(report: WrkReport): boolean {
  const rates = report.stats.get('Req/Sec')
  return (
    report.calibrations > 0 ||
    report.distributions.some(({ of }) => of !== 'all') ||
    (rates !== undefined && isNaNText(rates.mean) && !isNaNText(rates.within))
  )
}

function isNaNText(text: string): boolean {
  return text.includes('nan')
}

function createErrors(report: WrkReport): ErrorCount[] {
  const counts = socketErrorNames.map((message, index) => ({
    message,
    count: parseGroupedCount(report.socketErrors?.[index]),
  }))
  return [...counts, { message: badStatusName, count: parseGroupedCount(report.badStatus ?? '') }].filter(
    ({ count }) => count !== null && count > 0,
  )
}

/** The distributions in printed order, recorded before uncorrected; the thread statistics belong to the first. */
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
    // Without values wrk prints 0.00us everywhere and -nan%, and wrk2 a spectrum of 0: absence, not speed.
    const isEmpty =
      parseCount(footer.get('Total count')?.text ?? '') === 0 ||
      (stats !== undefined &&
        (isNaNText(stats.within) || isNaNText(stats.mean)) &&
        (parseTime(stats.max ?? stats.p99 ?? '') ?? 0) === 0)
    const fromFooter = (name: string) => parseScaled(footer.get(name)?.text ?? '', 0)
    return latencyOf({
      of,
      count: isEmpty ? 0 : parseCount(footer.get('Total count')?.text ?? ''),
      meanMs: isEmpty ? null : stats ? parseTime(stats.mean) : fromFooter('Mean'),
      stdDevMs: isEmpty ? null : stats ? parseTime(stats.stdDev) : fromFooter('StdDeviation'),
      maxMs: isEmpty ? null : stats?.max ? parseTime(stats.max) : fromFooter('Max'),
      withinOneStdDevRatio: isEmpty ? null : parseScaled(stats?.within ?? '', -2),
      quantiles: isEmpty ? [] : mergeQuantiles(distribution, stats?.p99 ?? null),
      histogram: isEmpty ? null : spectrumHistogram(distribution),
      method: isWrk2 ? 'hdr' : 'wrk-corrected',
    })
  })
}

/**
 * The printed percentiles, and the rows of the spectrum where these are missing. Both come from one histogram, but the
 * percentiles are rounded to two decimals, and may differ by that much from the adjacent rows.
 */
function mergeQuantiles({ percentiles, spectrum }: WrkDistribution, p99: string | null): Quantile[] {
  const merged = new Map<number, Milliseconds>()
  for (const { percent, text } of percentiles) {
    const ms = parseTime(text)
    if (ms !== null) merged.set(Number(`${percent}e-2`), ms)
  }
  for (const row of spectrum) {
    const q = Number(row.q)
    const ms = parseScaled(row.ms, 0)
    if (ms !== null && !merged.has(q)) merged.set(q, ms)
  }
  const ms99 = p99 === null ? null : parseTime(p99)
  if (ms99 !== null && !merged.has(0.99)) merged.set(0.99, ms99)
  return [...merged].map(([q, ms]) => ({ q, ms })).sort((a, b) => a.q - b.q)
}

/** wrk2's spectrum counts values. Null: it was not printed, is truncated, or its counts do not add up to its total. */
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
    if (rates.max !== null) add('thread-requests-per-second-max', parseMetric(rates.max), 'requests/s', rates.line)
    if (rates.p99 !== null) add('thread-requests-per-second-p99', parseMetric(rates.p99), 'requests/s', rates.line)
    add('thread-requests-per-second-within-one-stdev-ratio', parseScaled(rates.within, -2), 'ratio', rates.line)
  }
  for (const { of, footer } of report.distributions.filter((one) => one.footer.get('Total count')?.text !== '0'))
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
  const timeouts = parseGroupedCount(report.socketErrors?.[3]) ?? 0
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
    set(`latencies.${index}.p99`, stats?.p99)
    if (stats) set(`latencies.${index}.withinOneStdDevRatio`, `${stats.within}%`)
    for (const { percent, text } of percentiles) set(`latencies.${index}.p${Number(percent)}`, text)
  })
  const rates = report.stats.get('Req/Sec')
  set('measures.thread-requests-per-second-mean', rates?.mean)
  set('measures.thread-requests-per-second-stdev', rates?.stdDev)
  set('measures.thread-requests-per-second-max', rates?.max)
  set('measures.thread-requests-per-second-p99', rates?.p99)
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
  truncatedLine: number | null,
  missing: string,
): ImportProblem[] {
  const problems = damaged.map((line) => unreadableLine(tool, line))
  if (truncatedLine !== null)
    problems.push(
      truncatedProblem(
        truncatedLine,
        `the ${tool} report is truncated; missing: ${missing}`,
        'Upload the whole output, from "Running" to "Transfer/sec".',
      ),
    )
  return problems
}
