/**
 * h2load's report, as https://github.com/nghttp2/nghttp2/blob/v1.52.0/src/h2load.cc (main) prints it. The order of its
 * columns is min, max, mean; it has no percentiles. KB are 1024 bytes, exact bytes are in brackets. Before 1.10 (2016)
 * some rows, words and units were missing: the first versions had neither "timeout" nor times of requests.
 *
 *     finished in 324.53ms, 1232.56 req/s, 316.75KB/s
 *     requests: 400 total, 400 started, 400 done, 343 succeeded, 57 failed, 0 errored, 0 timeout
 *     time for request:      160us     14.10ms      4.37ms      2.35ms    74.25%
 */
import type { Latency, Measure, Phase } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { Block, BlockReader, BlockRun, Line, TextImporter } from '../importer'
import { readAnnotated } from '../document/annotations'
import { parseCount, parseDecimal, parseScaled } from '../text/number'
import { parseTime } from '../text/wrk-units'
import { latencyOf } from '../latency-of'
import { reportBlock } from '../report-block'

/** Reads h2load's report, from its announcement or from its figures on. */
export const h2loadText: TextImporter = {
  kind: 'text',
  id: 'h2load-text',
  starts: 'sf',
  detect: ({ text }) => announced.test(text) || finished.test(text) || finishedAtFirst.test(text),
  open: () => readAnnotated(new H2loadTextReader()),
}

const announced = /^\s*starting benchmark\.\.\.\s*$/
const finished = /^\s*finished in ([\d.]{1,15}m?u?s), ([\d.]{1,15}) req\/s, (\S{1,15})\/s\s*$/
/** In the words of weighttp, from which h2load started. */
const finishedAtFirst =
  /^\s*finished in (\d{1,9}) sec, (\d{1,3}) millisec and (\d{1,3}) microsec, (\d{1,15}) req\/s, [\d.]{1,15} ?[kKMG]?(?:bytes?|B)\/s\s*$/
const spawned = /^\s*spawning thread #\d{1,6}: (\d{1,9}) (?:total client\(s\)\.|concurrent clients?, )/
/** Lines about its progress, and about TLS. */
const chatter =
  /^\s*(?:progress: |Application protocol: |Warm-up |Main benchmark |Stopped all clients|TLS Protocol: |Cipher: |Server Temp Key: |No protocol negotiated)/
const requestsLine =
  /^\s*requests: (\d{1,15}) total, (\d{1,15}) started, (\d{1,15}) done, (\d{1,15}) succeeded, (\d{1,15}) failed, (\d{1,15}) errored(?:, (\d{1,15}) timeout)?\s*$/
const codesLine = /^\s*status codes: (\d{1,15}) 2xx, (\d{1,15}) 3xx, (\d{1,15}) 4xx, (\d{1,15}) 5xx\s*$/
const trafficLine =
  /^\s*traffic: \S{1,15} \((\d{1,15})\) total, \S{1,15} \((\d{1,15})\) headers.{0,60} \((\d{1,15})\) data\s*$/
const trafficInBytes =
  /^\s*traffic: (\d{1,15}) bytes total, (\d{1,15}) bytes headers(?:, | \(space savings [\d.-]{1,10}%\), )(\d{1,15}) bytes data\s*$/
const datagrams = /^\s*UDP datagram: /
const columns = /^\s*min\s{1,20}max\s{1,20}(?:mean|median)\s/
const statsRow =
  /^\s*(time for request|time for connect|time to 1st byte|req\/s)(?: \(client\))? {0,20}: {1,20}(\S.{0,200})$/

const countNames = [
  'requests',
  'requests-started',
  'requests-done',
  'succeeded',
  'failed',
  'errored',
  'timeouts',
] as const

class H2loadTextReader implements BlockReader {
  private firstLine = 0
  private lastLine = 0
  private clients = 0
  private threads = 0
  private finished: readonly [duration: string, rate: string] | null = null
  /** The last row of this version; null until it is known to print fewer than today's. */
  private lastRow: 'traffic' | 'time to 1st byte' | null = null
  private readonly counts = new Map<string, { readonly value: number; readonly line: number }>()
  private bytesIn: string | null = null
  private readonly stats = new Map<string, readonly string[]>()

  push({ text, number }: Line): 'taken' | 'last' | 'not-mine' {
    if (this.firstLine === 0) this.firstLine = number
    if (text.trim() === '') return this.finished === null ? 'taken' : 'not-mine'
    // Another report begins.
    if (this.finished !== null && h2loadText.detect({ text, number, raw: '' })) return 'not-mine'
    if (!(this.finished === null ? this.readHead(text) : this.readFigures(text, number))) return 'not-mine'
    this.lastLine = number
    return this.stats.has('req/s') ? 'last' : 'taken'
  }

  private readHead(text: string): boolean {
    const [, duration, rate] = finished.exec(text) ?? []
    if (duration !== undefined && rate !== undefined) {
      this.finished = [duration, rate]
      return true
    }
    const [, seconds = '', ms = '', us = '', rateAtFirst] = finishedAtFirst.exec(text) ?? []
    if (rateAtFirst !== undefined) {
      this.finished = [`${seconds}.${ms.padStart(3, '0')}${us.padStart(3, '0')}s`, rateAtFirst]
      this.lastRow = 'traffic'
      return true
    }
    const [, clients] = spawned.exec(text) ?? []
    if (clients !== undefined) {
      this.clients += parseCount(clients) ?? 0
      this.threads++
      return true
    }
    return chatter.test(text) || announced.test(text)
  }

  private readFigures(text: string, line: number): boolean {
    const requests = requestsLine.exec(text)
    if (requests) {
      countNames.forEach((name, at) => this.count(name, requests[at + 1], line))
      return true
    }
    const codes = codesLine.exec(text)
    if (codes) {
      for (const at of [1, 2, 3, 4]) this.count(`responses-${at + 1}xx`, codes[at], line)
      return true
    }
    const inBytes = trafficInBytes.exec(text)
    // Versions that print the space savings have all of today's rows.
    if (inBytes && !text.includes('space savings')) this.lastRow ??= 'time to 1st byte'
    const [, total, headers, data] = inBytes ?? trafficLine.exec(text) ?? []
    if (total !== undefined) {
      this.bytesIn = total
      this.count('bytes-headers', headers, line)
      this.count('bytes-data', data, line)
      return true
    }
    const [, name, values] = statsRow.exec(text) ?? []
    if (name !== undefined && values !== undefined) this.stats.set(name.trim(), values.trim().split(/ +/))
    return name !== undefined || columns.test(text) || datagrams.test(text)
  }

  private count(name: string, text: string | undefined, line: number): void {
    const value = parseCount(text ?? '')
    if (value !== null) this.counts.set(name, { value, line })
  }

  end(): Block | null {
    // weighttp prints the same, except for its traffic.
    if (this.finished === null || (this.lastRow === 'traffic' && this.bytesIn === null)) return null
    const isWhole = this.stats.has('req/s') || this.lastRow === 'traffic' || this.hasFirstByte
    const missing = this.stats.has('time for request') ? 'its last lines' : 'the times of its requests'
    const truncation = [
      `the h2load report is truncated; missing: ${missing}`,
      'Upload the whole output, from "starting benchmark..." to its last line.',
    ] as const
    return reportBlock([this.firstLine, this.lastLine], this.createRun(isWhole), isWhole ? null : truncation)
  }

  /** Whether the last row of some early versions was read completely. */
  private get hasFirstByte(): boolean {
    return this.lastRow === 'time to 1st byte' && this.stats.get(this.lastRow)?.[4]?.endsWith('%') === true
  }

  private createRun(complete: boolean): BlockRun {
    const valueOf = (name: string) => this.counts.get(name)?.value ?? null
    const requests = valueOf('requests')
    const successes = valueOf('succeeded')
    const [duration = '', rate = ''] = this.finished ?? []
    return {
      ...blankRun('h2load', 'h2load-text'),
      durationMs: parseTime(duration),
      load: { kind: 'closed', connections: this.clients > 0 ? this.clients : null },
      requests,
      successes,
      successRatio: requests === null || successes === null || requests === 0 ? null : successes / requests,
      requestsPerSecond: parseDecimal(rate),
      bytesIn: parseCount(this.bytesIn ?? ''),
      latencies: this.listLatencies(valueOf('requests-done')),
      phases: this.listPhases(),
      measures: this.listMeasures(),
      complete,
      printed: this.listPrinted(),
    }
  }

  private listLatencies(done: number | null): Latency[] {
    const [min, max, mean, deviation, within] = this.stats.get('time for request') ?? []
    // Without a finished request all are 0: absence, not speed.
    if (max === undefined || done === 0) return []
    return [
      latencyOf({
        count: done,
        minMs: parseTime(min),
        meanMs: parseTime(mean),
        stdDevMs: parseTime(deviation),
        maxMs: parseTime(max),
        withinOneStdDevRatio: parseScaled(within?.replace('%', '') ?? '', -2),
        method: 'nearest-rank',
      }),
    ]
  }

  /** What was not measured is printed as 0us. */
  private listPhases(): Phase[] {
    return [
      ['connect', 'time for connect'],
      ['first byte', 'time to 1st byte'],
    ].flatMap(([name = '', row = '']) => {
      const [min, max, mean] = this.stats.get(row) ?? []
      if (max === undefined || parseTime(max) === 0) return []
      return [{ name, meanMs: parseTime(mean), minMs: parseTime(min), maxMs: parseTime(max) }]
    })
  }

  private listMeasures(): Measure[] {
    const threads = this.threads < 2 ? [] : [{ name: 'threads', value: this.threads, unit: null, line: this.firstLine }]
    const counts = [...this.counts]
      .filter(([name]) => name !== 'requests' && name !== 'succeeded')
      .map(([name, { value, line }]) => ({ name, value, unit: name.startsWith('bytes') ? 'bytes' : null, line }))
    return [...threads, ...counts]
  }

  private listPrinted(): Record<string, string> {
    const printed: Record<string, string> = {}
    const [min, max, mean, deviation, within] = this.stats.get('time for request') ?? []
    const texts = { minMs: min, maxMs: max, meanMs: mean, stdDevMs: deviation, withinOneStdDevRatio: within }
    for (const [key, text] of Object.entries(texts)) if (text !== undefined) printed[`latencies.0.${key}`] = text
    const [duration, rate] = this.finished ?? []
    if (duration !== undefined) printed['durationMs'] = duration
    if (rate !== undefined) printed['requestsPerSecond'] = rate
    if (this.bytesIn !== null) printed['bytesIn'] = this.bytesIn
    for (const key of ['requests', 'succeeded'] as const) {
      const count = this.counts.get(key)
      if (count) printed[key === 'requests' ? key : 'successes'] = `${count.value}`
    }
    return printed
  }
}
