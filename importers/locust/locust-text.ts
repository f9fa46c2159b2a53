/**
 * What Locust prints (on stderr), as https://github.com/locustio/locust/blob/2.42.0/locust/stats.py (print_stats,
 * print_percentile_stats, print_error_report) does: a table every two seconds, and at the end once more with percentiles and
 * errors. Only the last one counts.
 *
 *     Type     Name                              # reqs      # fails |    Avg     Min     Max    Med |   req/s  failures/s
 *     --------|---------------------------------|-------|-------------|-------|-------|-------|-------|--------|-----------
 *              Aggregated                           445   61(13.71%) |      4       0      24      4 |  116.77       16.01
 */
import type { ErrorCount, ImportProblem, Quantile } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { Block, BlockReader, Line, TextImporter } from '../importer'
import { createStartTest } from '../text/first-character'
import { parseCount, parseDecimal } from '../text/number'
import { describeLocust } from './locust-run'

/** Reads the tables that Locust prints. */
export const locustText: TextImporter = {
  kind: 'text',
  id: 'locust-text',
  detect: ({ text }) => mayOpen(text) && tableHead.test(text),
  open: () => new LocustTextReader(),
}

const mayOpen = createStartTest('T')
const tableHead = /^\s*Type\s+Name\s+# reqs\s+# fails\s+\|\s+Avg\s+Min\s+Max\s+Med\s+\|/
const percentHead = /^\s*Type\s+Name\s+((?:[\d.]{1,6}%\s+){3,20})# reqs\s*$/
const allRow =
  /^\s*(?:Aggregated|Total)\s+(\d+)\s+(\d+)\([\d.]+%\)\s*\|\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\|\s*([\d.]+)\s+([\d.]+)\s*$/
const namedRow = /^\S{1,20}\s.*\s\d+\s+\d+\([\d.]+%\)\s*\|.*\|/
const rule = /^\s*-{4,}\|-/
const percentRow = /^\s*(?:Aggregated|Total)((?:\s+\d{1,12}){4,21})\s*$/
const errorRow = /^(\d{1,15})\s{2,}(\S.*)$/
const end = /^\s*(?:```|~~~|#\s|[$❯%] )/
const maxBetween = 100_000

interface AllRequests {
  readonly requests: number
  readonly failures: number
  readonly texts: readonly string[]
}

class LocustTextReader implements BlockReader {
  private firstLine = 0
  private lastLine = 0
  private section: 'table' | 'between' | 'percentiles' | 'errors' = 'table'
  private all: AllRequests | null = null
  private percents: readonly string[] = []
  private quantiles: Quantile[] | null = null
  private errors: ErrorCount[] = []
  private rules = 0
  private passedTables = 0
  /** Rows of names in the last table. */
  private names = 0
  private between = 0

  push(line: Line): 'taken' | 'not-mine' | 'passed' | 'last' {
    const { text, number } = line
    if (this.firstLine === 0) this.firstLine = number
    if (end.test(text) && !/^# occurrences/.test(text)) return 'not-mine'
    if (text.trim() === '') return 'taken'
    const taken = this.take(text)
    if (taken === 'taken' || taken === 'last') this.lastLine = number
    return taken
  }

  private take(text: string): 'taken' | 'not-mine' | 'passed' | 'last' {
    if (tableHead.test(text)) {
      // After its percentiles a run is over.
      if (this.quantiles !== null) return 'not-mine'
      if (this.all !== null) this.passedTables++
      this.all = null
      this.names = 0
      this.section = 'table'
      return 'taken'
    }
    const percents = percentHead.exec(text)?.[1]
    if (percents !== undefined) {
      this.percents = percents.trim().split(/\s+/)
      this.section = 'percentiles'
      return 'taken'
    }
    if (/^\s*Response time percentiles/.test(text)) return 'taken'
    if (/^\s*Error report\s*$/.test(text)) {
      this.section = 'errors'
      this.rules = 0
      return 'taken'
    }
    if (this.section === 'errors') return this.takeError(text)
    if (rule.test(text)) return 'taken'
    return this.section === 'percentiles' ? this.takePercentiles(text) : this.takeRow(text)
  }

  private takeRow(text: string): 'taken' | 'not-mine' | 'passed' {
    const [, requests, failures, ...texts] = allRow.exec(text) ?? []
    if (requests !== undefined && failures !== undefined) {
      this.all = { requests: Number(requests), failures: Number(failures), texts }
      this.section = 'between'
      this.between = 0
      return 'taken'
    }
    if (this.section === 'table' && namedRow.test(text)) {
      this.names++
      return 'taken'
    }
    // Log lines, and what a script prints, until the next table.
    this.between++
    return this.between > maxBetween ? 'not-mine' : 'passed'
  }

  private takePercentiles(text: string): 'taken' | 'passed' | 'not-mine' {
    const values = percentRow.exec(text)?.[1]?.trim().split(/\s+/)
    if (values !== undefined && values.length === this.percents.length + 1) {
      this.quantiles = this.percents.flatMap((percent, at) =>
        percent === '100%' ? [] : [{ q: Number(`${percent.slice(0, -1)}e-2`), ms: Number(values[at]) }],
      )
      return 'taken'
    }
    if (this.quantiles === null) return /(?:\s\d+){4}\s*$/.test(text) ? 'taken' : 'passed'
    return 'not-mine'
  }

  private takeError(text: string): 'taken' | 'last' | 'not-mine' {
    if (/^\s*# occurrences\s+Error/.test(text)) return 'taken'
    if (/^-{4,}\|-/.test(text)) {
      this.rules++
      return this.rules === 2 ? 'last' : 'taken'
    }
    const [, count, message] = errorRow.exec(text) ?? []
    if (message === undefined) return 'not-mine'
    this.errors.push({ message: message.trimEnd(), count: parseCount(count ?? '') })
    return 'taken'
  }

  end(): Block | null {
    const { all, quantiles, firstLine } = this
    const lastLine = Math.max(firstLine, this.lastLine)
    if (all === null || all.requests === 0) return null
    const hasErrors = all.failures === 0 || this.rules === 2
    const complete = quantiles !== null && hasErrors
    const [mean = '', min = '', max = '', median = '', perSecond = ''] = all.texts
    const successes = all.requests - all.failures
    const cut: ImportProblem = {
      code: 'truncated',
      severity: 'error',
      line: lastLine,
      lastLine: null,
      message: `Locust's text is cut off; missing: ${quantiles === null ? 'its percentiles' : 'its errors'}`,
      hint: 'Upload all that Locust printed, to the error report.',
    }
    const run = {
      ...blankRun('locust', 'locust-text'),
      requests: all.requests,
      successes,
      successRatio: successes / all.requests,
      requestsPerSecond: parseDecimal(perSecond),
      errors: hasErrors ? this.errors : [],
      latencies: describeLocust({
        requests: all.requests,
        minMs: parseDecimal(min),
        meanMs: parseDecimal(mean),
        maxMs: parseDecimal(max),
        quantiles: quantiles ?? [],
        histogram: null,
      }),
      complete,
      warnings:
        this.names > 1
          ? [
              {
                code: 'names-left-out',
                message: `The figures of its ${this.names} names, which the width of a terminal cuts, are not read: they are in Locust's JSON and CSV.`,
                line: firstLine,
              },
            ]
          : [],
      printed: {
        requests: String(all.requests),
        requestsPerSecond: perSecond,
        'latencies.0.meanMs': mean,
        'latencies.0.minMs': min,
        'latencies.0.maxMs': max,
        'latencies.0.p50': median,
      },
    }
    return { lines: [firstLine, lastLine], runs: [run], problems: complete ? [] : [cut] }
  }
}
