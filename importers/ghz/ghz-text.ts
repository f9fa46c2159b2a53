/**
 * ghz's summary, as https://github.com/bojand/ghz/blob/v0.121.0/printer/template.go (defaultTmpl) prints it: the frame of
 * hey, in ms and s, with gRPC's statuses. The average is of all calls, the other figures of those that were OK.
 *
 *     Summary:
 *       Count:	80
 *       Total:	711.82 ms
 *       10 % in 2.79 ms
 *       [DeadlineExceeded]   8 responses
 */
import type { Milliseconds, Quantile, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { Block, BlockReader, BlockRun, Line, TextImporter } from '../importer'
import { readAnnotated } from '../document/annotations'
import { toRatio } from '../printed'
import { parseGoDuration } from '../text/go-duration'
import { parseCount, parseDecimal } from '../text/number'
import { listErrors, listStatuses, okCount, printedLatencies, warnOfMeans, type GhzFigures } from './ghz-run'
import { reportBlock } from '../report-block'

/** Reads ghz's summary from its count on; "Summary:" above it may be any tool's. */
export const ghzText: TextImporter = {
  kind: 'text',
  id: 'ghz-text',
  starts: 'C',
  detect: ({ text }) => countLine.test(text),
  open: () => readAnnotated(new GhzTextReader()),
}

const countLine = /^\s*Count:\s{1,8}(\d{1,15})\s*$/
/** If no call was OK, early versions divide by 0: the mean is negative then, and counts as missing. */
const timeLine = /^\s*(Total|Slowest|Fastest|Average):\s{1,8}(-?[\d.]{1,20}) (ns|[µu]s|ms|s|m)\s*$/
const rateLine = /^\s*Requests\/sec:\s{1,8}([\d.]{1,20})\s*$/
const heading = /^\s*(Response time histogram|Latency distribution|Status code distribution|Error distribution):\s*$/
const bar = /^\s*([\d.]{1,20})\s{1,20}\[(\d{1,15})\]\s*\|/
/** Some versions print no blank before the percent sign. */
const percentile = /^\s*(\d{1,2}(?:\.\d{1,6})?) ?% in ([\d.]{1,20}) (ns|[µu]s|ms|s|m)\s*$/
const status = /^\s*\[([A-Za-z]\w{1,40})\]\s{1,60}(\d{1,15}) responses\s*$/
const errorLine = /^\s*\[(\d{1,15})\]\s{1,20}(\S.{0,4000})$/

type Section =
  'Summary' | 'Response time histogram' | 'Latency distribution' | 'Status code distribution' | 'Error distribution'

class GhzTextReader implements BlockReader {
  private firstLine = 0
  private lastLine = 0
  private section: Section = 'Summary'
  private readonly sections = new Set<string>()
  private readonly texts: Record<string, string> = {}
  private readonly times = new Map<string, Milliseconds>()
  private count: number | null = null
  private rate: number | null = null
  private readonly marks: { readonly ms: Milliseconds; readonly count: number }[] = []
  private readonly quantiles: Quantile[] = []
  private readonly statuses: Record<string, number> = {}
  private readonly errors: Record<string, number> = {}

  push({ text, number }: Line): 'taken' | 'not-mine' {
    if (this.firstLine === 0) this.firstLine = number
    if (text.trim() === '') return 'taken'
    if (!this.readLine(text)) return 'not-mine'
    this.lastLine = number
    return 'taken'
  }

  private readLine(text: string): boolean {
    const [, next] = heading.exec(text) ?? []
    if (next !== undefined) {
      if (this.sections.has(next)) return false
      this.sections.add(next)
      this.section = next as Section
      return true
    }
    switch (this.section) {
      case 'Summary':
        return this.readSummary(text)
      case 'Response time histogram': {
        const [, mark, count] = bar.exec(text) ?? []
        const ms = parseDecimal(mark ?? '')
        if (ms !== null) this.marks.push({ ms, count: parseCount(count ?? '') ?? 0 })
        return ms !== null
      }
      case 'Latency distribution':
        return this.readPercentile(text)
      case 'Status code distribution': {
        const [, name, count] = status.exec(text) ?? []
        if (name !== undefined) this.statuses[name] = parseCount(count ?? '') ?? 0
        // The input may end within the next heading.
        return name !== undefined || 'Error distribution:'.startsWith(text.trim())
      }
      case 'Error distribution': {
        const [, count, message] = errorLine.exec(text) ?? []
        if (message === undefined) return false
        const kind = message.trim()
        this.errors[kind] = (this.errors[kind] ?? 0) + (parseCount(count ?? '') ?? 0)
        return true
      }
    }
  }

  private readSummary(text: string): boolean {
    const [, count] = countLine.exec(text) ?? []
    if (count !== undefined && this.count === null) {
      this.count = parseCount(count)
      this.texts['requests'] = count
      return true
    }
    const [, name, value, unit] = timeLine.exec(text) ?? []
    if (name !== undefined && value !== undefined && unit !== undefined && !this.times.has(name)) {
      if (name === 'Average' && value.startsWith('-')) return true
      const ms = parseGoDuration(`${value}${unit}`)
      if (ms === null || ms < 0) return false
      this.times.set(name, ms)
      const key = { Total: 'durationMs', Slowest: 'latencies.0.maxMs', Fastest: 'latencies.0.minMs' }[name]
      this.texts[key ?? 'latencies.0.meanMs'] = `${value} ${unit}`
      return true
    }
    const [, rate] = rateLine.exec(text) ?? []
    if (rate === undefined || this.rate !== null) return false
    this.rate = parseDecimal(rate)
    this.texts['requestsPerSecond'] = rate
    return true
  }

  private readPercentile(text: string): boolean {
    const [, percentText = '', value = '', unit = ''] = percentile.exec(text) ?? []
    const percent = parseDecimal(percentText)
    const ms = parseGoDuration(`${value}${unit}`)
    if (percent === null || ms === null) return false
    this.quantiles.push({ q: toRatio(percent), ms })
    return true
  }

  end(atEnd: boolean): Block | null {
    if (this.count === null || !this.times.has('Total')) return null
    const counted = sumOf(this.statuses)
    const hasStatuses = counted >= this.count || this.countsFailuresAsErrors(counted)
    const unexplained = counted - (this.statuses['OK'] ?? 0) - sumOf(this.errors)
    // If more text follows, someone removed the list of errors, or it was never printed.
    const lacksErrors = unexplained > 0 && (atEnd || this.sections.has('Error distribution'))
    const missing = !hasStatuses ? 'status codes' : lacksErrors ? 'errors' : null
    const run = this.createRun(missing === null, hasStatuses, unexplained)
    const hint = 'Upload the whole output, from "Summary:" to its last line.'
    const truncation = missing === null ? null : ([`the ghz summary is truncated; missing: ${missing}`, hint] as const)
    return reportBlock([this.firstLine, this.lastLine], run, truncation)
  }

  /** Early versions print the statuses of OK calls only; for the others there are the errors. */
  private countsFailuresAsErrors(counted: number): boolean {
    if (!this.sections.has('Error distribution') || counted !== (this.statuses['OK'] ?? 0)) return false
    return counted + sumOf(this.errors) === this.count
  }

  /** `unexplained`: calls that were not OK and have no error in the list. */
  private createRun(complete: boolean, hasStatuses: boolean, unexplained: number): BlockRun {
    const { count, times } = this
    const statuses = hasStatuses && Object.keys(this.statuses).length === 0 ? { OK: 0 } : this.statuses
    const successes = hasStatuses ? okCount(statuses) : null
    const figures = {
      count,
      meanMs: times.get('Average') ?? null,
      minMs: times.get('Fastest') ?? null,
      maxMs: times.get('Slowest') ?? null,
      quantiles: this.quantiles,
      marks: hasStatuses ? this.marks : [],
      statuses,
    }
    return {
      ...blankRun('ghz', 'ghz-text'),
      durationMs: times.get('Total') ?? null,
      requests: count,
      successes,
      successRatio: successes === null || count === null || count === 0 ? null : successes / count,
      requestsPerSecond: this.rate,
      errors: listErrors(this.errors),
      // Only the average is of all calls; the rate is printed below it, so it is complete.
      latencies: hasStatuses
        ? printedLatencies(figures)
        : this.rate === null
          ? []
          : printedLatencies(meanOnly(figures)),
      measures: listStatuses(statuses, this.firstLine),
      complete,
      printed: this.texts,
      warnings: [
        ...(hasStatuses ? warnOfMeans(figures, this.firstLine) : []),
        ...(complete && unexplained > 0 ? [warnOfErrors(unexplained, this.lastLine)] : []),
      ],
    }
  }
}

/** Without statuses it is unknown which calls the other figures are of. */
const meanOnly = (figures: GhzFigures): GhzFigures => ({
  ...figures,
  minMs: null,
  maxMs: null,
  quantiles: [],
  marks: [],
  statuses: {},
})

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

function warnOfErrors(count: number, line: number): Warning {
  const calls = count === 1 ? '1 call was' : `${count} calls were`
  return { code: 'errors-not-listed', message: `${calls} not OK, and the report does not say why.`, line }
}
