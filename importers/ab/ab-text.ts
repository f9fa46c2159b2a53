/**
 * ApacheBench's report, as https://github.com/apache/httpd/blob/2.4.62/support/ab.c (output_results) prints it. Times are
 * whole milliseconds. "Failed" counts responses of a different length than the first one, but not those with a bad
 * status.
 *
 *     Complete requests:      300
 *     Failed requests:        299
 *        (Connect: 0, Receive: 0, Length: 299, Exceptions: 0)
 *     Requests per second:    699.37 [#/sec] (mean)
 */
import { ImportError } from '../../lib/errors'
import type { Latency, Measure, Phase, Quantile, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { Block, BlockReader, BlockRun, Line, TextImporter } from '../importer'
import { readAnnotated, withoutNote } from '../document/annotations'
import { toRatio } from '../printed'
import { parseCount, parseDecimal, parseScaled } from '../text/number'
import { latencyOf } from '../latency-of'
import { reportBlock } from '../report-block'

/** Reads ApacheBench's report, with or without its head, or an excerpt of its figures. */
export const abText: TextImporter = {
  kind: 'text',
  id: 'ab-text',
  starts: 'TSCFR',
  detect: ({ text }) => banner.test(text) || software.test(text) || figure.test(text),
  open: () => readAnnotated(new AbTextReader()),
}

const banner = /^\s*This is ApacheBench, Version (\S{1,20}) <\$/
const software = /^\s*Server Software:(?:\s|$)/
/** Excerpts begin with one of these: the lines above are about the server, not its performance. */
const figure =
  /^\s*(Concurrency Level|Time taken for tests|Complete requests|Failed requests|Requests per second):\s+\d[\d.]{0,15}(?: seconds| \[#\/sec\] \(mean\)|\s*$)/
/** No other tool writes a rate like this. */
const rateOf = /^[\d.]{1,20} \[#\/sec\] \(mean\)$/
const field = /^([A-Z][\w /-]{2,40}):(?:\s(.{0,500}))?$/
const failureParts = /^\s*\(Connect: (\d{1,15}), Receive: (\d{1,15}), Length: (\d{1,15}), Exceptions: (\d{1,15})\)\s*$/
const timesHead = /^\s*Connection Times \(ms\)\s*$/
const timesColumns = /^\s*min\s+(mean\[\+\/-sd\] median|avg)\s+max\s*$/
const timesRow = /^\s*(Connect|Processing|Waiting|Total):\s+(\d[\d. ]{0,100})$/
const percentilesHead = /^\s*Percentage of the requests served within a certain time \(ms\)\s*$/
const percentileRow = /^\s*(\d{1,3})%\s+(\d{1,12})(?: \(longest request\))?\s*$/
const warning = /^\s*(?:WARNING|ERROR): The median and mean for |^\s*These results are probably not that reliable\./
/**
 * "ERROR: The median and mean for the total time are more than twice the standard", "WARNING: …are not within a
 * normal…"
 */
const doubt = /^\s*(WARNING|ERROR): The median and mean for the ([a-z ]{1,40}?) are\b/
/** ab doubts at most the four rows of its times. */
const maxDoubts = 4
/** From an error: "deviation apart. These results are NOT reliable." */
const warningRest = /^\s*(?:are not within a normal deviation|deviation apart\b|apart\b)/
/** Most lines of progress between ab's banner and its figures. */
const maxHeadLines = 2_000

class AbTextReader implements BlockReader {
  private firstLine = 0
  private lastLine = 0
  private version: string | null = null
  private headLines = 0
  private lastWords = ''
  /** Label → values in order: "Time per request" occurs twice. */
  private readonly fields = new Map<string, { readonly texts: string[]; readonly line: number }>()
  private parts: readonly string[] | null = null
  private part: 'head' | 'fields' | 'times' | 'percentiles' = 'head'
  private hasMedian = true
  private readonly times = new Map<string, readonly string[]>()
  private readonly percentiles: (readonly [percent: string, ms: string])[] = []
  private readonly doubts: Warning[] = []

  push({ text, number }: Line): 'taken' | 'not-mine' {
    if (this.firstLine === 0) this.firstLine = number
    else if (this.isNext(text)) return 'not-mine'
    if (text.trim() === '') return 'taken'
    if (!this.readLine(text, number)) return 'not-mine'
    this.lastLine = number
    return 'taken'
  }

  /** Whether another report begins. */
  private isNext(text: string): boolean {
    if (banner.test(text)) return true
    const [, label] = figure.exec(text) ?? []
    return (software.test(text) && this.part !== 'head') || (label !== undefined && this.fields.has(label))
  }

  private readLine(text: string, line: number): boolean {
    if (this.part === 'head') {
      this.version ??= banner.exec(text)?.[1] ?? null
      if (!software.test(text) && !(this.version === null && figure.test(text))) {
        this.lastWords = text.trim()
        return this.version !== null && ++this.headLines <= maxHeadLines
      }
      this.part = 'fields'
    }
    if (timesHead.test(text) || (this.part === 'fields' && timesColumns.test(text))) {
      this.part = 'times'
      return timesHead.test(text) || this.readTimes(text, line)
    }
    if (percentilesHead.test(text)) this.part = 'percentiles'
    else if (this.part === 'fields') return this.readField(text, line)
    else if (this.part === 'times') return this.readTimes(text, line)
    else return this.readPercentile(text)
    return true
  }

  private readField(text: string, line: number): boolean {
    const parts = failureParts.exec(text)
    if (parts) {
      this.parts = parts.slice(1)
      return true
    }
    const [, label, value = ''] = field.exec(text.trim()) ?? []
    // "102.47 kb/s sent", "361.43 kb/s total" are below the transfer rate of a POST.
    if (label === undefined) return /^\s+[\d.]{1,15} kb\/s (?:sent|total)\s*$/.test(text)
    const figure = (/^\s*\d/.test(value) ? withoutNote(value) : value).trim()
    const known = this.fields.get(label)
    if (known) known.texts.push(figure)
    else this.fields.set(label, { texts: [figure], line })
    return true
  }

  private readTimes(text: string, line: number): boolean {
    const [, columns] = timesColumns.exec(text) ?? []
    if (columns !== undefined) {
      this.hasMedian = columns !== 'avg'
      return true
    }
    const [, name, values] = timesRow.exec(text) ?? []
    if (name !== undefined && values !== undefined) this.times.set(name, values.trim().split(/ +/))
    this.readDoubt(text, line)
    return name !== undefined || warning.test(text) || warningRest.test(text)
  }

  private readDoubt(text: string, line: number): void {
    const [, kind, what] = doubt.exec(text) ?? []
    if (kind === undefined || what === undefined || this.doubts.length >= maxDoubts) return
    const apart = kind === 'ERROR' ? 'more than twice the' : 'more than one'
    const verdict = kind === 'ERROR' ? 'not reliable' : 'probably not reliable'
    const message = `These results are ${verdict}, says ab: median and mean of the ${what} are ${apart} standard deviation apart.`
    this.doubts.push({ code: 'tool-doubts', message, line })
  }

  private readPercentile(text: string): boolean {
    const [, percent, ms] = percentileRow.exec(text) ?? []
    if (percent === undefined || ms === undefined || this.percentiles.at(-1)?.[0] === '100') return false
    this.percentiles.push([percent, ms])
    return true
  }

  end(): Block | null {
    const isExcerpt = this.text('Complete requests') === undefined
    if (isExcerpt && !rateOf.test(this.text('Requests per second') ?? '')) {
      if (this.version === null) return null
      throw new ImportError(
        'empty',
        `ab gave up before it printed any figure: ${this.lastWords.slice(-120) || 'nothing follows its banner'}`,
        { line: this.firstLine, hint: 'Run it with -r, or with a longer -s, and upload all that it prints.' },
      )
    }
    // -d leaves out the percentiles.
    const lacksPercentiles = this.part === 'percentiles' && this.percentiles.at(-1)?.[0] !== '100'
    const isTruncated = isExcerpt || !this.times.has('Total') || lacksPercentiles
    const missing = isExcerpt
      ? 'its number of requests'
      : this.times.has('Total')
        ? 'its last percentiles'
        : 'the connection times'
    const truncation = [
      `the ab report is ${isExcerpt ? 'an excerpt' : 'cut off'}; missing: ${missing}`,
      'Upload the whole output, to "100% … (longest request)".',
    ] as const
    return reportBlock([this.firstLine, this.lastLine], this.createRun(!isTruncated), isTruncated ? truncation : null)
  }

  private text(label: string, at = 0): string | undefined {
    return this.fields.get(label)?.texts[at]
  }

  private number(label: string, at = 0): number | null {
    return parseDecimal(/^[\d.]{1,20}/.exec(this.text(label, at) ?? '')?.[0] ?? '')
  }

  private createRun(complete: boolean): BlockRun {
    return {
      ...blankRun('ab', 'ab-text'),
      toolVersion: this.version,
      url: this.url(),
      durationMs: parseScaled(/^([\d.]{1,15}) seconds/.exec(this.text('Time taken for tests') ?? '')?.[1] ?? '', 3),
      load: { kind: 'closed', connections: parseCount(this.text('Concurrency Level') ?? '') },
      requests: parseCount(this.text('Complete requests') ?? ''),
      ...this.readSuccess(complete),
      requestsPerSecond: this.number('Requests per second'),
      bytesIn: this.number('Total transferred'),
      bytesOut: this.number('Total body sent') ?? this.number('Total POSTed') ?? this.number('Total PUT'),
      latencies: this.listLatencies(),
      phases: this.listPhases(),
      measures: this.listMeasures(),
      complete,
      printed: this.listPrinted(),
      warnings: this.listWarnings(),
    }
  }

  /**
   * Known only if none failed: responses of a different length than the first one include those that broke off, and a
   * request can be in several of the counts.
   */
  private readSuccess(complete: boolean): Pick<BlockRun, 'successes' | 'successRatio'> {
    const requests = parseCount(this.text('Complete requests') ?? '')
    const failed = this.number('Failed requests')
    const bad = this.number('Non-2xx responses') ?? 0
    if (!complete || requests === null || failed !== 0 || bad > requests) return { successes: null, successRatio: null }
    return { successes: requests - bad, successRatio: requests === 0 ? null : (requests - bad) / requests }
  }

  /** It prints no address; its protocol reveals HTTPS. */
  private url(): string | null {
    const host = this.text('Server Hostname')
    const path = this.text('Document Path')
    if (!host || !path) return null
    const scheme = this.fields.has('SSL/TLS Protocol') ? 'https' : 'http'
    const port = this.text('Server Port') ?? ''
    const isDefault = port === '' || port === (scheme === 'https' ? '443' : '80')
    return `${scheme}://${host}${isDefault ? '' : `:${port}`}${path}`
  }

  private row(name: string) {
    const [min, mean, ...rest] = this.times.get(name) ?? []
    return this.hasMedian
      ? { min, mean, deviation: rest[0], median: rest[1], max: rest[2] }
      : { min, mean, deviation: undefined, median: undefined, max: rest[0] }
  }

  private listLatencies(): Latency[] {
    const { min, mean, deviation, max } = this.row('Total')
    if (max === undefined) return []
    return [
      latencyOf({
        count: parseCount(this.text('Complete requests') ?? ''),
        minMs: parseDecimal(min ?? ''),
        meanMs: parseDecimal(mean ?? ''),
        stdDevMs: parseDecimal(deviation ?? ''),
        maxMs: parseDecimal(max),
        quantiles: this.listQuantiles(),
        method: 'floor-rank',
      }),
    ]
  }

  /** The last row is the maximum. Without the table there is the median of the times. */
  private listQuantiles(): Quantile[] {
    const rows = this.percentiles.flatMap(([percent, text]) => {
      const ms = parseCount(text)
      return ms === null || percent === '100' ? [] : [{ q: toRatio(Number(percent)), ms }]
    })
    const median = parseDecimal(this.row('Total').median ?? '')
    return rows.length > 0 || median === null ? rows : [{ q: 0.5, ms: median }]
  }

  private listPhases(): Phase[] {
    return ['Connect', 'Processing', 'Waiting'].flatMap((name) => {
      const { min, mean, max } = this.row(name)
      if (max === undefined) return []
      return [
        {
          name: name.toLowerCase(),
          meanMs: parseDecimal(mean ?? ''),
          minMs: parseDecimal(min ?? ''),
          maxMs: parseDecimal(max),
        },
      ]
    })
  }

  private listMeasures(): Measure[] {
    const line = this.fields.get('Failed requests')?.line ?? null
    const parts = ['connect', 'receive', 'length', 'exceptions'].map(
      (name, at) => [`failed-${name}`, parseCount(this.parts?.[at] ?? '')] as const,
    )
    return [
      ['failed', this.number('Failed requests')] as const,
      ...parts,
      ['non-2xx', this.number('Non-2xx responses')] as const,
      ['keep-alive', this.number('Keep-Alive requests')] as const,
      ['bytes-in-bodies', this.number('HTML transferred')] as const,
    ].flatMap(([name, value]) =>
      value === null ? [] : [{ name, value, unit: name.startsWith('bytes') ? 'bytes' : null, line }],
    )
  }

  private listWarnings(): Warning[] {
    const line = this.fields.get('Failed requests')?.line ?? null
    const otherLength = parseCount(this.parts?.[2] ?? '') ?? 0
    const bad = this.number('Non-2xx responses') ?? 0
    const warnings: Warning[] = [...this.doubts]
    if (otherLength > 0)
      warnings.push({
        code: 'length-differs',
        message: `${otherLength} responses had another length than the first one, which ab counts as failed (-l accepts any length): this is no error rate.`,
        line,
        numbers: { otherLength },
      })
    if (bad > 0)
      warnings.push({
        code: 'bad-statuses',
        message: `${bad} responses had a status outside 2xx; ab counts them separately, not as failed.`,
        line: this.fields.get('Non-2xx responses')?.line ?? null,
        numbers: { bad },
      })
    return warnings
  }

  private listPrinted(): Record<string, string> {
    const printed: Record<string, string> = {}
    const labels = {
      requests: 'Complete requests',
      durationMs: 'Time taken for tests',
      requestsPerSecond: 'Requests per second',
      bytesIn: 'Total transferred',
      'measures.failed': 'Failed requests',
    }
    for (const [key, label] of Object.entries(labels)) {
      const text = this.text(label)
      if (text !== undefined) printed[key] = text
    }
    const { min, mean, deviation, max } = this.row('Total')
    for (const [key, text] of Object.entries({ minMs: min, meanMs: mean, stdDevMs: deviation, maxMs: max }))
      if (text !== undefined) printed[`latencies.0.${key}`] = `${text} ms`
    for (const [percent, text] of this.percentiles)
      if (percent !== '100') printed[`latencies.0.p${percent}`] = `${text} ms`
    return printed
  }
}
