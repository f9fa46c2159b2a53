/**
 * What Fortio prints at the end, as https://github.com/fortio/fortio/blob/v1.75.3/stats/stats.go (HistogramData.Print) and
 * https://github.com/fortio/fortio/blob/v1.75.3/fhttp/httprunner.go print it. Seconds; five digits in buckets. Versions
 * 0.6 to 1.75; also excerpts: from the times of calls on, or from their percentiles ("# target 50%") on.
 *     Ended after 2.408928267s : 240 calls. qps=99.629
 *     Aggregated Function Time : count 240 avg 0.0047412637 +/- 0.002485 min 0.000540871 max 0.016339408 sum 1.13790329
 *     # target 99% 0.0132
 *     Code 200 : 210 (87.5 %)
 */
import type { Latency, Quantile } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { Block, BlockReader, BlockRun, Line, TextImporter } from '../importer'
import { readAnnotated } from '../document/annotations'
import { toRatio } from '../printed'
import { parseGoDuration } from '../text/go-duration'
import { parseCount, parseDecimal, parseScaled } from '../text/number'
import { latencyOf } from '../latency-of'
import { reportBlock } from '../report-block'

/** Reads Fortio's output, from "Ended after" on, or from a later line. */
export const fortioText: TextImporter = {
  kind: 'text',
  id: 'fortio-text',
  starts: 'EA#',
  detect: ({ text }) => ended.test(text) || target.test(text) || stats.exec(text)?.[1] === 'Aggregated Function Time',
  open: () => readAnnotated(new FortioTextReader()),
}

const ended = /^\s*Ended after (\S{1,30}) : (\d{1,15}) calls\. qps=([\d.eE+-]{1,20})\s*$/
const stats =
  /^\s*(Aggregated Function Time|Error cases) : count (\d{1,15}) avg ([\d.e+-]{1,25}) \+\/- ([\d.e+-]{1,25}) min ([\d.e+-]{1,25}) max ([\d.e+-]{1,25}) sum [\d.e+-]{1,25}\s*$/
const target = /^\s*# target ([\d.]{1,10})% ([\d.e+-]{1,25})\s*$/
const code = /^\s*(?:Code\s{1,3}|(?:tcp|udp) )(-?\d{1,3}|\w{1,20}) : (\d{1,15})(?: \([\d.]{1,8} %\))?\s*$/
const sizes = /^\s*Response Body\/Total Sizes : count (\d{1,15}) .{1,200} sum [\d.e+]{1,25}\s*$/
const last = /^\s*All done (\d{1,15}) calls .{0,60}?([\d.]{1,20}) ms avg, ([\d.]{1,20}) qps\s*$/
const other =
  /^\s*(?:(?:Aggregated )?Sleep [Tt]imes? : |Error cases : no data|Response Header Sizes : |# range, mid point, percentile, count|(?:>?=? ?)?-?[\d.]{1,20}(?:e[+-]\d{1,2})? <=? |<=? ?-?[\d.]{1,20} , |# Socket and IP|\[\d{1,6}\] |Connection time |Sockets used: |Uniform: |Jitter: |Total Bytes sent: |IP addresses distribution:|\S{1,80}: \d{1,15}\s*$|WARNING )/
/** Log lines amid its report. */
const logLine = /^\s*(?:(?:r\d{1,9} )?(?:\[[A-Z]{3}\]|[A-Z]) \w{1,40}\.go:\d{1,6}> |\{"ts":\d)/
/** Most lines from elsewhere amid a report. */
const maxBetween = 20

interface Stats {
  readonly texts: readonly string[]
  readonly targets: (readonly [percent: string, seconds: string])[]
}

class FortioTextReader implements BlockReader {
  private firstLine = 0
  private lastLine = 0
  private between = 0
  private ended: readonly string[] = []
  private allDone: readonly string[] = []
  private readonly stats = new Map<string, Stats>()
  private readonly codes: Record<string, number> = {}
  /** Number of responses with a printed size. */
  private sized: string | null = null
  /** Histogram of the next percentile lines; null: of something other than times of calls. */
  private current: Stats | null = null

  push({ text, number }: Line): 'taken' | 'last' | 'not-mine' | 'outside' {
    if (this.firstLine === 0) {
      this.firstLine = number
      if (target.test(text)) this.openStats('Aggregated Function Time', [])
    } else if (this.isNext(text)) return 'not-mine'
    if (text.trim() === '') return 'taken'
    if (!this.readLine(text)) return ++this.between > maxBetween ? 'not-mine' : 'outside'
    this.lastLine = number
    return this.allDone.length > 0 ? 'last' : 'taken'
  }

  /** Whether another report begins. */
  private isNext(text: string): boolean {
    if (ended.test(text)) return true
    const hasCodes = Object.keys(this.codes).length > 0
    return (hasCodes && target.test(text)) || this.stats.has(stats.exec(text)?.[1] ?? '')
  }

  private openStats(name: string, texts: readonly string[]): void {
    this.current = { texts, targets: [] }
    this.stats.set(name, this.current)
  }

  private readLine(text: string): boolean {
    const first = ended.exec(text)
    if (first) {
      this.ended = first.slice(1)
      return true
    }
    const [, name, ...texts] = stats.exec(text) ?? []
    if (name !== undefined) {
      this.openStats(name, texts)
      return true
    }
    const [, percent, seconds] = target.exec(text) ?? []
    if (percent !== undefined && seconds !== undefined) {
      this.current?.targets.push([percent, seconds])
      return true
    }
    const [, status, count] = code.exec(text) ?? []
    if (status !== undefined) {
      this.codes[status] = parseCount(count ?? '') ?? 0
      return true
    }
    const [, sized] = sizes.exec(text) ?? []
    if (sized !== undefined) {
      this.sized = sized
      return true
    }
    if (/Connection time |# Socket|Sleep /.test(text)) this.current = null
    this.allDone = last.exec(text)?.slice(1) ?? []
    return this.allDone.length > 0 || other.test(text) || logLine.test(text)
  }

  end(atEnd: boolean): Block | null {
    const { ended, allDone, codes } = this
    const found = this.stats.get('Aggregated Function Time')
    // Percentiles alone may be of any histogram.
    const isExcerpt = found !== undefined && found.texts.length === 0
    if (found === undefined || (isExcerpt && this.calls === undefined)) return null
    const requests = parseCount(ended[1] ?? found.texts[0] ?? this.calls ?? '')
    const counted = Object.values(codes).reduce((sum, count) => sum + count, 0)
    // An excerpt's rate is in its last line.
    const isWhole = allDone.length > 0 || (this.sized !== null && (ended.length > 0 || !atEnd))
    const complete = counted === requests && isWhole
    const truncation = [
      "Fortio's output is truncated; missing: its codes or sizes",
      'Upload the whole output, or the JSON that it wrote (-json).',
    ] as const
    return reportBlock(
      [this.firstLine, this.lastLine],
      this.createRun(requests, complete),
      complete ? null : truncation,
    )
  }

  /** Number of calls, from the lines below the times. */
  private get calls(): string | undefined {
    return this.allDone[0] ?? this.sized ?? undefined
  }

  private createRun(requests: number | null, complete: boolean): BlockRun {
    const codes = Object.entries(this.codes)
    const good = codes.reduce((sum, [status, count]) => (/^(?:2\d\d|418|OK)$/.test(status) ? sum + count : sum), 0)
    const successes = complete ? good : null
    const none = this.codes['-1'] ?? 0
    const [duration = '', , exactRate] = this.ended
    const rate = exactRate ?? this.allDone[2] ?? ''
    const printed = { requests: this.ended[1] ?? this.calls, durationMs: duration, requestsPerSecond: rate }
    return {
      ...blankRun('fortio', 'fortio-text'),
      durationMs: parseGoDuration(duration),
      requests,
      successes,
      successRatio: successes === null || !requests ? null : successes / requests,
      requestsPerSecond: parseDecimal(rate),
      statusCodes: complete ? Object.fromEntries(codes.filter(([status]) => /^[1-9]\d\d$/.test(status))) : {},
      latencies: this.listLatencies(),
      measures: none > 0 ? [{ name: 'no-response', value: none, unit: null, line: this.lastLine }] : [],
      complete,
      printed: Object.fromEntries(Object.entries(printed).flatMap(([key, text]) => (text ? [[key, text]] : []))),
    }
  }

  private listLatencies(): Latency[] {
    return (
      [
        ['all', 'Aggregated Function Time'],
        ['failure', 'Error cases'],
      ] as const
    ).flatMap(([of, name]) => {
      const found = this.stats.get(name)
      // In an excerpt the last line has the number of calls, and their mean.
      const [, meanOfAll = ''] = this.allDone
      const isExcerpt = found?.texts.length === 0
      const [count = this.calls ?? '', mean = '', deviation = '', min = '', max = ''] = found?.texts ?? []
      if (found === undefined || parseCount(count) === 0) return []
      return [
        latencyOf({
          of,
          count: parseCount(count),
          minMs: readSeconds(min),
          meanMs: isExcerpt ? parseScaled(meanOfAll, 0) : readSeconds(mean),
          stdDevMs: readSeconds(deviation),
          maxMs: readSeconds(max),
          quantiles: found.targets.flatMap(([percent, seconds]): Quantile[] => {
            const ms = readSeconds(seconds)
            return ms === null ? [] : [{ q: toRatio(Number(percent)), ms }]
          }),
          method: 'within-buckets' as const,
        }),
      ]
    })
  }
}

/** `0.0132` or `3.7025e-05` → ms. */
function readSeconds(text: string): number | null {
  const [, digits = '', exponent = '0'] = /^([\d.]{1,22})(?:e([+-]\d{1,2}))?$/.exec(text) ?? []
  return parseScaled(digits, 3 + Number(exponent))
}
