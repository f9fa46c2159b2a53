/**
 * wrk's and wrk2's report, as https://github.com/wg/wrk/blob/4.1.0/src/wrk.c (main, print_stats) and
 * https://github.com/giltene/wrk2/blob/44a94c1/src/wrk.c (print_hdr_latency) print it. wrk 3.0 to 4.2, wrk2 4.0.0.
 *
 *     Running 3s test @ http://127.0.0.1:8080/
 *       2 threads and 10 connections
 *         Latency     4.03ms    1.83ms  19.60ms   82.74%
 */
import { createStartTest } from '../text/first-character'
import type { BlockReader, Line, TextImporter } from '../importer'
import { parseCount } from '../text/number'
import { createWrkBlock, type WrkReport } from './wrk-report'

/** Reads the text report of wrk and wrk2, with or without `--latency`. */
export const wrkText: TextImporter = {
  kind: 'text',
  id: 'wrk-text',
  detect: ({ text }) => mayOpen(text) && (runningLine.test(text) || threadsLine.test(text) || statsHeader.test(text)),
  open: createReader,
}

// autocannon prints the first of these lines too; the second decides.
const mayOpen = createStartTest('RT0123456789')
const runningLine = /^\s*Running (\d+[smh]) test @ (\S.*)/
const threadsLine = /^\s*(\d+) threads and (\d+) connections\s*$/
const calibration = /^\s*Thread calibration: mean lat\.: (\d+\.\d+)ms, rate sampling interval: (\d+)ms\s*$/
const statsHeader = /^\s*Thread Stats\s+Avg\s+Stdev\s+Max\s+\+\/- Stdev\s*$/
const value = String.raw`-?nan|-?\d+\.\d{2}[a-zA-Z]{0,2}`
const statsRow = new RegExp(
  String.raw`^\s*(Latency|Req\/Sec)\s+(${value})\s+(${value})\s+(${value})\s+(-?nan|\d+\.\d{2})%\s*$`,
)
const distribution = /^\s*Latency Distribution(?: \(HdrHistogram - (Recorded|Uncorrected) Latency.*\))?\s*$/
const percentileRow = /^\s*(\d{1,3}(?:\.\d{3})?)%\s+(\d+\.\d{2}(?:us|ms|s|m|h))\s*$/
const spectrumHeader = /^\s*(?:Detailed Percentile spectrum:|Value\s+Percentile\s+TotalCount\s+1\/\(1-Percentile\))\s*$/
const spectrumRow = /^\s*(\d+\.\d{3})\s+([01]\.\d{6})\s+(\d+)\s+(?:\d+\.\d{2}|inf)\s*$/
const footer =
  /^\s*#\[(Mean|Max|Buckets)\s+=\s+(-?nan|[\d.]+),\s+(StdDeviation|Total count|SubBuckets)\s+=\s+(-?nan|[\d.]+)\]\s*$/
const totals = /^\s*(\d+) requests in (\d+\.\d{2}(?:us|ms|s|m|h)), (\d+\.\d{2}[KMGTP]?B) read\s*$/
const socketErrors = /^\s*Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)\s*$/
const badStatus = /^\s*Non-2xx or 3xx responses: (\d+)\s*$/
const requestRate = /^\s*Requests\/sec:\s+(\d+\.\d{2})\s*$/
const transferRate = /^\s*Transfer\/sec:\s+(\d+\.\d{2}[KMGTP]?B)\s*$/
/** A line that would be data if it could be read. */
const dataLabel =
  /^\s+(?:Latency|Req\/Sec)\s+\d|^\s+\d+ requests in |^\s*(?:Socket errors|Non-2xx or 3xx responses|Requests\/sec|Transfer\/sec):/
const clearEnd = /^\s*(?:```|~~~|#[^[]|[$❯%] )/
/** Lines that a Lua script may print while the test runs; a log that continues longer is not waiting for a report. */
const maxForeignLines = 10_000

function createReader(): BlockReader {
  const report: WrkReport = {
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
  let isHeaderSeen = false
  let foreignLines = 0
  /** Takes back the last line if the input ends with it: it may be cut in the middle of its number or unit. */
  let undoLast: (() => void) | null = null

  return {
    push,
    end(cut) {
      if (cut && report.transferPerSecond === null) undoLast?.()
      return createWrkBlock(report, cut)
    },
  }

  function push(line: Line): 'taken' | 'last' | 'not-mine' | 'passed' {
    if (report.firstLine === 0) report.firstLine = line.number
    const { text } = line
    if (text.trim() === '') return 'taken'
    if (clearEnd.test(text)) return 'not-mine'
    const undoBefore = undoLast
    undoLast = null
    if (!readLine(text, line.number)) {
      undoLast = undoBefore
      return answerForeign(line)
    }
    report.lastLine = line.number
    return report.transferPerSecond === null ? 'taken' : 'last'
  }

  function answerForeign({ text, number }: Line): 'taken' | 'not-mine' | 'passed' {
    if (isHeaderSeen && dataLabel.test(text) && !isRepeated(text)) {
      report.unreadable.push(number)
      report.lastLine = number
      return 'taken'
    }
    const isRunning = report.threads !== null && !isHeaderSeen && !runningLine.test(text) && !threadsLine.test(text)
    return isRunning && ++foreignLines <= maxForeignLines ? 'passed' : 'not-mine'
  }

  function isRepeated(text: string): boolean {
    return (
      (report.totals !== null && / requests in /.test(text)) ||
      (report.requestsPerSecond !== null && /Requests\/sec:/.test(text)) ||
      (report.stats.size === 2 && /^\s+(?:Latency|Req)/.test(text))
    )
  }

  function readLine(text: string, line: number): boolean {
    if (!isHeaderSeen) return readHead(text, line)
    return readStats(text, line) || readDistribution(text, line) || readTotals(text, line)
  }

  function readHead(text: string, line: number): boolean {
    const [, planned, url] = runningLine.exec(text) ?? []
    if (planned !== undefined && url !== undefined && report.url === null && report.threads === null) {
      report.planned = { text: planned, line }
      report.url = url.trimEnd()
      return true
    }
    const [, threads, connections] = threadsLine.exec(text) ?? []
    if (threads !== undefined && connections !== undefined && report.threads === null) {
      report.threads = { value: parseCount(threads), line }
      report.connections = parseCount(connections)
      return true
    }
    if (calibration.test(text)) {
      report.calibrations++
      return true
    }
    isHeaderSeen = statsHeader.test(text)
    return isHeaderSeen
  }

  function readStats(text: string, line: number): boolean {
    const [, name, mean, stdDev, max, within] = statsRow.exec(text) ?? []
    if (name === undefined || report.stats.has(name)) return false
    if (mean === undefined || stdDev === undefined || max === undefined || within === undefined) return false
    report.stats.set(name, { mean, stdDev, max, within, line })
    return true
  }

  function readDistribution(text: string, line: number): boolean {
    const title = distribution.exec(text)
    if (title) {
      const of = title[1] === 'Recorded' ? 'recorded' : title[1] === 'Uncorrected' ? 'uncorrected' : 'all'
      if (report.distributions.some((seen) => seen.of === of)) return false
      report.distributions.push({ of, line, percentiles: [], spectrum: [], footer: new Map() })
      return true
    }
    const current = report.distributions.at(-1)
    if (current === undefined || report.totals !== null) return false
    const [, percent, latency] = percentileRow.exec(text) ?? []
    if (percent !== undefined && latency !== undefined) {
      current.percentiles.push({ percent, text: latency })
      if (latency.endsWith('m')) undoLast = () => current.percentiles.pop()
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
    return spectrumHeader.test(text) || /^-{10,}\s*$/.test(text)
  }

  function readTotals(text: string, line: number): boolean {
    const [, requests, runtime, read] = totals.exec(text) ?? []
    if (requests !== undefined && runtime !== undefined && read !== undefined && report.totals === null) {
      report.totals = { requests, runtime, read, line }
      return true
    }
    const socket = socketErrors.exec(text)
    if (socket && report.socketErrors === null) {
      report.socketErrors = socket.slice(1)
      undoLast = () => (report.socketErrors = null)
      return true
    }
    const [, bad] = badStatus.exec(text) ?? []
    if (bad !== undefined && report.badStatus === null) {
      report.badStatus = bad
      undoLast = () => (report.badStatus = null)
      return true
    }
    const [, rate] = requestRate.exec(text) ?? []
    if (rate !== undefined && report.requestsPerSecond === null) {
      report.requestsPerSecond = rate
      return true
    }
    const [, transfer] = transferRate.exec(text) ?? []
    if (transfer !== undefined) report.transferPerSecond = { text: transfer, line }
    return transfer !== undefined
  }
}
