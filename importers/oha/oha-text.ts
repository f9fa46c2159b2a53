/**
 * oha's summary, as https://github.com/hatoo/oha/blob/v1.16.0/src/printer.rs (print_summary) prints it. The headings are
 * hey's, the figures are not: a success rate first, a unit after every time (the same for all, by the slowest or -u),
 * percentiles with two decimals. Versions 1.4 (`secs`, marks of the histogram without a unit) to 1.16.
 *
 *     Summary:
 *       Success rate:	100.00%
 *       Total:	443.7706 ms
 */
import type { ErrorCount, ImportProblem, Milliseconds, Phase, Quantile } from '../../lib/run/run'
import type { Block, BlockReader, Line, TextImporter } from '../importer'
import { listPlain } from '../document/annotations'
import { parseCount, parseScaled } from '../text/number'
import { createOhaRun, type OhaDistribution } from './oha-run'
import { truncatedProblem, unreadableLine } from '../import-problem'

/** Reads the summary text of oha. */
export const ohaText: TextImporter = {
  kind: 'text',
  id: 'oha-text',
  starts: 'S',
  // "Summary:" above it is hey's, too.
  detect: ({ text }) => successRate.test(text),
  open: () => new OhaTextReader(),
}

const number = String.raw`(-?inf|NaN|\d+(?:\.\d+)?)`
const unit = String.raw`(ns|us|µs|ms|s|secs?|min|hr)`
/** A share in early versions. */
const successRate = /^\s*Success rate:\s+(?:(\d{1,3}\.\d\d|NaN)%|([01]\.\d{4}))\s*$/
const time = new RegExp(String.raw`^\s*(Total|Slowest|Fastest|Average):\s+${number} ${unit}\s*$`)
const rate = new RegExp(String.raw`^\s*Requests/sec:\s+${number}\s*$`)
const size = /^\s*(?:Total data|Size\/request|Size\/sec):\s/
const mark = new RegExp(String.raw`^\s*${number}(?: ${unit})? \[(\d+)\]\s*(?:\|.*)?$`)
const percentile = new RegExp(String.raw`^\s*(\d{1,2}(?:\.\d\d)?)% in ${number} ${unit}\s*$`)
const phase = new RegExp(
  String.raw`^\s*(DNS\+dialup|DNS-lookup):\s+${number} ${unit}, ${number} ${unit}, ${number} ${unit}\s*$`,
)
const status = /^\s*\[(\d{3})\] (\d+) responses\s*$/
const error = /^\s*\[(\d{1,16})\] (\S.*)$/
const heading =
  /^\s*(Response time histogram|(?:Response time|Latency) distribution|Details \(average, fastest, slowest\)|Status code distribution|Error distribution)(?: \((2xx only|4xx \+ 5xx only)\))?:\s*$/
/** Lines that are data of a section, even if they cannot be read. */
const dataLike =
  /^\s*(?:(?:Success rate|Total|Slowest|Fastest|Average|Requests\/sec|DNS[+-]\w+):\s|\d{1,2}(?:\.\d\d)?% in |\[\d+\] |\S+ (?:\S+ )?\[\d+\])/

type Section = 'summary' | 'histogram' | 'percentiles' | 'details' | 'statuses' | 'errors'
type Kind = 'all' | 'good' | 'bad'

const sections: Readonly<Record<string, Section>> = {
  'Response time histogram': 'histogram',
  'Response time distribution': 'percentiles',
  'Latency distribution': 'percentiles',
  Details: 'details',
  'Status code distribution': 'statuses',
  'Error distribution': 'errors',
}
const kinds: Readonly<Record<string, Kind>> = { '2xx only': 'good', '4xx + 5xx only': 'bad' }

/** Power of ten that converts a unit to ms, or its length in ms. */
const powers: Readonly<Record<string, number>> = { ns: -6, us: -3, µs: -3, ms: 0, s: 3, sec: 3, secs: 3 }
const lengthsMs: Readonly<Record<string, number>> = { min: 60_000, hr: 3_600_000 }

/** Null: not a number, as when nothing was answered. */
function parseMs(text: string | undefined, unitText: string | undefined): Milliseconds | null {
  const length = lengthsMs[unitText ?? '']
  if (length === undefined) return parseScaled(text ?? '', powers[unitText ?? ''] ?? NaN)
  const value = parseScaled(text ?? '', 0)
  return value === null ? null : value * length
}

interface Marks {
  readonly texts: { readonly ms: Milliseconds | null; readonly count: number }[]
  readonly quantiles: Quantile[]
}

class OhaTextReader implements BlockReader {
  private firstLine = 0
  private lastLine = 0
  private section: Section = 'summary'
  private kind: Kind = 'all'
  private readonly seen = new Set<string>()
  private readonly times = new Map<string, Milliseconds | null>()
  private successRatio: number | null = null
  private requestsPerSecond: number | null = null
  private readonly distributions: Record<Kind, Marks> = {
    all: { texts: [], quantiles: [] },
    good: { texts: [], quantiles: [] },
    bad: { texts: [], quantiles: [] },
  }
  private readonly phases: Phase[] = []
  private readonly statusCodes: Record<string, number> = {}
  private readonly errors: ErrorCount[] = []
  private readonly printed: Record<string, string> = {}
  private readonly unreadable: number[] = []

  push(line: Line): 'taken' | 'not-mine' {
    const { text, number } = line
    if (this.firstLine === 0) this.firstLine = number
    if (text.trim() === '') return 'taken'
    const isRead = this.readHeading(text) || this.readRow(text) || listPlain(text).some((plain) => this.readRow(plain))
    const isDamaged = !isRead && !successRate.test(text) && dataLike.test(text) && text.length < 2_000
    if (!isRead && !isDamaged) return 'not-mine'
    if (isDamaged) this.unreadable.push(number)
    this.lastLine = number
    return 'taken'
  }

  private readHeading(text: string): boolean {
    const [, name, of] = heading.exec(text) ?? []
    const section = sections[(name ?? '').split(' (')[0] ?? '']
    if (name === undefined || section === undefined) return false
    const key = `${name} ${of ?? ''}`
    if (this.seen.has(key)) return false
    this.seen.add(key)
    this.section = section
    this.kind = kinds[of ?? ''] ?? 'all'
    return true
  }

  private readRow(text: string): boolean {
    switch (this.section) {
      case 'summary':
        return this.readSummary(text)
      case 'histogram': {
        const [, value, unitText, count] = mark.exec(text) ?? []
        if (count === undefined) return false
        // Version 1.4 omits the unit: seconds.
        this.distributions[this.kind].texts.push({ ms: parseMs(value, unitText ?? 's'), count: parseCount(count) ?? 0 })
        return true
      }
      case 'percentiles': {
        const [, percent, value, unitText] = percentile.exec(text) ?? []
        if (percent === undefined) return false
        const ms = parseMs(value, unitText)
        if (ms === null) return true
        const q = Number(`${percent}e-2`)
        this.distributions[this.kind].quantiles.push({ q, ms })
        if (this.kind === 'all') this.printed[`latencies.0.p${Number(percent)}`] = `${value} ${unitText}`
        return true
      }
      case 'details':
        return this.readPhase(text)
      case 'statuses': {
        const [, code, count] = status.exec(text) ?? []
        if (code === undefined) return false
        this.statusCodes[code] = parseCount(count ?? '') ?? 0
        return true
      }
      case 'errors': {
        const [, count, message] = error.exec(text) ?? []
        if (message === undefined) return false
        this.errors.push({ message: message.trimEnd(), count: parseCount(count ?? '') })
        return true
      }
    }
  }

  /** Each line once: a repeated one opens the next report. */
  private readSummary(text: string): boolean {
    const label = /^\s*([^:]{1,20}):/.exec(text)?.[1]
    if (label === undefined || this.seen.has(label)) return false
    const isRead = this.readRatio(text) || this.readTime(text) || size.test(text)
    if (isRead) this.seen.add(label)
    return isRead
  }

  private readRatio(text: string): boolean {
    const [, percent, share] = successRate.exec(text) ?? []
    if (percent !== undefined || share !== undefined) {
      this.successRatio = percent === undefined ? parseScaled(share ?? '', 0) : parseScaled(percent, -2)
      this.printed['successRatio'] = share ?? `${percent}%`
      return true
    }
    const perSecond = rate.exec(text)?.[1]
    if (perSecond === undefined) return false
    this.requestsPerSecond = parseScaled(perSecond, 0)
    this.printed['requestsPerSecond'] = perSecond
    return true
  }

  private readTime(text: string): boolean {
    const [, label, value, unitText] = time.exec(text) ?? []
    const field = timeFields[label ?? '']
    if (label === undefined || field === undefined) return false
    const ms = parseMs(value, unitText)
    this.times.set(label, ms)
    if (ms !== null) this.printed[field] = `${value} ${unitText}`
    return true
  }

  private readPhase(text: string): boolean {
    const [, name, mean, meanUnit, min, minUnit, max, maxUnit] = phase.exec(text) ?? []
    if (name === undefined) return false
    const meanMs = parseMs(mean, meanUnit)
    if (meanMs !== null) this.phases.push({ name, meanMs, minMs: parseMs(min, minUnit), maxMs: parseMs(max, maxUnit) })
    return true
  }

  end(): Block | null {
    // Only the line that opened it.
    if (this.times.size === 0) return null
    const missing = this.unreadable.length > 0 ? null : this.findMissing()
    const complete = missing === null && this.unreadable.length === 0
    const ms = (label: string) => this.times.get(label) ?? null
    const { good, bad } = this.distributions
    const run = createOhaRun({
      form: 'oha-text',
      durationMs: ms('Total'),
      successRatio: this.successRatio,
      requestsPerSecond: this.requestsPerSecond,
      // Printed in KiB with two decimals, so the exact number is unknown.
      bytesIn: null,
      minMs: ms('Fastest'),
      meanMs: ms('Average'),
      maxMs: ms('Slowest'),
      all: this.distributionOf('all'),
      good: good.quantiles.length > 0 ? this.distributionOf('good') : null,
      bad: bad.quantiles.length > 0 ? this.distributionOf('bad') : null,
      phases: this.phases,
      statusCodes: this.statusCodes,
      errors: complete ? this.errors : [],
      printed: this.printed,
      complete,
    })
    return {
      lines: [this.firstLine, Math.max(this.firstLine, this.lastLine)],
      runs: [run],
      problems: this.listProblems(missing),
    }
  }

  /** The marks have three decimals; they are min + i/10 of the way to max, both of which have four. */
  private distributionOf(kind: Kind): OhaDistribution {
    const { texts, quantiles } = this.distributions[kind]
    const [min, max] = [this.times.get('Fastest') ?? null, this.times.get('Slowest') ?? null]
    const isWhole = texts.length === markCount && texts.every(({ ms }) => ms !== null)
    const isSpanKnown = kind === 'all' && min !== null && max !== null && max > min
    return {
      quantiles,
      buckets: isWhole
        ? texts.map(({ ms, count }, at) => ({
            upperMs: isSpanKnown ? Number(((min * (10 - at) + max * at) / 10).toPrecision(12)) : (ms ?? 0),
            count,
          }))
        : [],
    }
  }

  /** What is missing from a complete report, in words; null: nothing. */
  private findMissing(): string | null {
    for (const label of ['Total', 'Slowest', 'Fastest', 'Average', 'Requests/sec'])
      if (!this.seen.has(label)) return `the line "${label}"`
    if (!this.seen.has('Status code distribution ')) return 'the status codes'
    const counted =
      Object.values(this.statusCodes).reduce((sum, count) => sum + count, 0) +
      this.errors.reduce((sum, { count }) => sum + (count ?? 0), 0)
    if (counted === 0) return 'status codes and errors'
    const seconds = (this.times.get('Total') ?? 0) / 1e3
    const perSecond = this.requestsPerSecond ?? 0
    const estimate = seconds * perSecond
    // Half a unit of the last places: of the rate, and of a total in any unit.
    const uncertainty = (seconds + perSecond) * 0.00005 + 1e-6
    const missing = Math.round(estimate - counted)
    return missing > 0 && counted < estimate - uncertainty
      ? `${missing} ${missing === 1 ? 'request' : 'requests'} in the status codes and errors`
      : null
  }

  private listProblems(missing: string | null): ImportProblem[] {
    const damaged = this.unreadable.map((line) => unreadableLine('oha', line))
    if (missing === null) return damaged
    return [
      truncatedProblem(
        Math.max(this.firstLine, this.lastLine),
        `the oha report is truncated; missing: ${missing}`,
        'Upload the whole output, from "Summary:" to the status codes and errors.',
      ),
    ]
  }
}

const markCount = 11
const timeFields: Readonly<Record<string, string>> = {
  Total: 'durationMs',
  Fastest: 'latencies.0.minMs',
  Average: 'latencies.0.meanMs',
  Slowest: 'latencies.0.maxMs',
}
