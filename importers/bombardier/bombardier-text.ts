/**
 * bombardier's report, as https://github.com/codesenberg/bombardier/blob/v2.0.2/template/plain-text.go prints it. It has
 * neither duration nor bytes; its rate is a mean of samples. Percentiles only with `-l`, in some builds once more of
 * those with a 2xx.
 *
 *     Bombarding http://127.0.0.1:18201/api/items for 2s using 4 connection(s)
 *     Statistics        Avg      Stdev        Max
 *       Reqs/sec      1239.17     160.44    1605.05
 *       Latency        3.23ms     1.55ms    23.12ms
 */
import type { ErrorCount, Latency, Measure, Quantile } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { Block, BlockReader, BlockRun, Line, TextImporter } from '../importer'
import { readAnnotated } from '../document/annotations'
import { toRatio } from '../printed'
import { parseCount, parseDecimal } from '../text/number'
import { parseTime } from '../text/wrk-units'
import { listClasses, totalCount, warnOfOthers, type BombardierCounts } from './bombardier-run'
import { latencyOf } from '../latency-of'
import { reportBlock } from '../report-block'

/** Reads bombardier's report, with or without its first line. */
export const bombardierText: TextImporter = {
  kind: 'text',
  id: 'bombardier-text',
  starts: 'BS',
  detect: ({ text }) => announced.test(text) || head.test(text),
  open: () => readAnnotated(new BombardierTextReader()),
}

const announced = /^\s*Bombarding (\S{1,4000}) (?:for|with) .{1,60} using (\d{1,9}) connections?(?:\(s\))?\s*$/
const head = /^\s*Statistics\s{1,20}Avg\s{1,20}Stdev\s{1,20}Max\s*$/
const row = /^\s*(Reqs\/sec|Latency)\s{1,20}(\S{1,20})\s{1,20}(\S{1,20})\s{1,20}(\S{1,20})\s*$/
const distribution = /^\s*Latency Distribution(?: \((Total|2xx)\))?\s*$/
const percentile = /^\s*(\d{1,2}(?:\.\d{1,4})?)%\s{1,20}(\S{1,20})\s*$/
const codesHead = /^\s*HTTP codes:\s*$/
const codes = /^\s*1xx - (\d{1,15}), 2xx - (\d{1,15}), 3xx - (\d{1,15}), 4xx - (\d{1,15}), 5xx - (\d{1,15})\s*$/
const others = /^\s*others - (\d{1,15})\s*$/
const errorsHead = /^\s*Errors:\s*$/
const errorRow = /^\s*(\S.{0,2000}) - (\d{1,15})\s*$/
const throughput = /^\s*Throughput:\s{1,20}\S{1,20}\/s\s*$/
/** A bar that was redrawn many times, with its text at the end, in some consoles after it. */
const bar = /^[\s\d.%:/=>[\]hms|p-]{0,60000}(?:Done!\s{0,20})?$/

type Percentiles = (readonly [percent: string, text: string])[]

class BombardierTextReader implements BlockReader {
  private firstLine = 0
  private lastLine = 0
  private url: string | null = null
  private connections: number | null = null
  private hasHead = false
  private readonly rows = new Map<string, readonly string[]>()
  private readonly percentiles: Percentiles = []
  private readonly goodPercentiles: Percentiles = []
  /** Distribution of the next percentile lines. */
  private current = this.percentiles
  private classes: Record<string, number> | null = null
  private others: number | null = null
  private hasErrors = false
  private readonly errors: ErrorCount[] = []
  private isWhole = false

  push({ text, number }: Line): 'taken' | 'last' | 'not-mine' {
    if (this.firstLine === 0) this.firstLine = number
    else if (announced.test(text) || (this.hasHead && head.test(text))) return 'not-mine'
    if (text.trim() === '') return 'taken'
    if (!this.readLine(text)) return 'not-mine'
    this.lastLine = number
    return this.isWhole ? 'last' : 'taken'
  }

  private readLine(text: string): boolean {
    const [, url, connections] = announced.exec(text) ?? []
    if (url !== undefined) {
      this.url = url
      this.connections = parseCount(connections ?? '')
      return true
    }
    if (head.test(text)) return (this.hasHead = true)
    // Bars are between the announcement and the figures.
    if (!this.hasHead) return bar.test(text)
    const [, name, ...values] = row.exec(text) ?? []
    if (name !== undefined && !this.rows.has(name)) {
      this.rows.set(name, values)
      return true
    }
    const [, percent, ms] = percentile.exec(text) ?? []
    if (percent !== undefined && ms !== undefined && this.classes === null) {
      this.current.push([percent, ms])
      return true
    }
    const table = distribution.exec(text)
    if (table) this.current = table[1] === '2xx' ? this.goodPercentiles : this.percentiles
    return table !== null || this.readCounts(text)
  }

  private readCounts(text: string): boolean {
    const classes = codes.exec(text)?.slice(1)
    if (classes) {
      this.classes = Object.fromEntries(classes.map((count, at) => [`${at + 1}xx`, parseCount(count) ?? 0]))
      return true
    }
    const [, count] = others.exec(text) ?? []
    if (count !== undefined) {
      this.others = parseCount(count)
      return true
    }
    if (throughput.test(text)) return (this.isWhole = true)
    if (errorsHead.test(text)) return (this.hasErrors = true)
    const [, message, times] = (this.hasErrors && errorRow.exec(text)) || []
    if (message !== undefined) this.errors.push({ message: message.trim(), count: parseCount(times ?? '') })
    return message !== undefined || codesHead.test(text)
  }

  end(): Block | null {
    if (!this.hasHead) return null
    const truncation = [
      'the bombardier report is truncated; missing: the line "Throughput"',
      'Upload the whole output, from "Bombarding" to "Throughput".',
    ] as const
    return reportBlock([this.firstLine, this.lastLine], this.createRun(), this.isWhole ? null : truncation)
  }

  private createRun(): BlockRun {
    const counts: BombardierCounts | null =
      this.classes === null || this.others === null ? null : { classes: this.classes, others: this.others }
    const requests = counts && totalCount(counts)
    return {
      ...blankRun('bombardier', 'bombardier-text'),
      url: this.url,
      load: { kind: 'closed', connections: this.connections },
      requests,
      errors: this.errors,
      latencies: requests === 0 ? [] : this.listLatencies(requests),
      measures: [...(counts ? listClasses(counts, this.lastLine) : []), ...this.listRates()],
      complete: this.isWhole,
      printed: this.listPrinted(),
      warnings: counts ? warnOfOthers(counts, this.lastLine) : [],
    }
  }

  private listLatencies(requests: number | null): Latency[] {
    const [mean, deviation, max] = this.rows.get('Latency') ?? []
    if (mean === undefined) return []
    const all: Latency = latencyOf({
      count: requests,
      meanMs: parseTime(mean),
      stdDevMs: parseTime(deviation),
      maxMs: parseTime(max),
      quantiles: listQuantiles(this.percentiles),
      method: 'nearest-rank',
    })
    // Redirects are successes, too, and would not be in it.
    const { '1xx': informed, '2xx': good = 0, '3xx': redirected } = this.classes ?? {}
    if (this.goodPercentiles.length === 0 || informed !== 0 || redirected !== 0) return [all]
    const quantiles = listQuantiles(this.goodPercentiles)
    return [all, { ...all, of: 'success', count: good, meanMs: null, stdDevMs: null, maxMs: null, quantiles }]
  }

  /** A mean of samples over time, not requests divided by time. */
  private listRates(): Measure[] {
    return (this.rows.get('Reqs/sec') ?? []).flatMap((text, at) => {
      const value = parseDecimal(text)
      const name = `rate-of-samples-${['mean', 'stdev', 'max'][at] ?? ''}`
      return value === null ? [] : [{ name, value, unit: 'requests/s', line: this.firstLine }]
    })
  }

  private listPrinted(): Record<string, string> {
    const printed: Record<string, string> = {}
    const [mean, deviation, max] = this.rows.get('Latency') ?? []
    for (const [key, text] of Object.entries({ meanMs: mean, stdDevMs: deviation, maxMs: max }))
      if (text !== undefined) printed[`latencies.0.${key}`] = text
    for (const [percent, text] of this.percentiles) printed[`latencies.0.p${Number(percent)}`] = text
    return printed
  }
}

const listQuantiles = (percentiles: Percentiles): Quantile[] =>
  percentiles.flatMap(([percent, text]) => {
    const ms = parseTime(text)
    return ms === null ? [] : [{ q: toRatio(Number(percent)), ms }]
  })
