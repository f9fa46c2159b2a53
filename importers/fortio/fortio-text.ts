/**
 * What Fortio prints at the end, as https://github.com/fortio/fortio/blob/v1.75.3/stats/stats.go (HistogramData.Print) and
 * https://github.com/fortio/fortio/blob/v1.75.3/fhttp/httprunner.go print it. Seconds; five digits in buckets.
 *
 *     Ended after 2.408928267s : 240 calls. qps=99.629
 *     Aggregated Function Time : count 240 avg 0.0047412637 +/- 0.002485 min 0.000540871 max 0.016339408 sum 1.13790329
 *     # target 99% 0.0132
 *     Code 200 : 210 (87.5 %)
 */
import type { ImportProblem, Latency, Quantile } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { Block, BlockReader, BlockRun, Line, TextImporter } from '../importer'
import { toRatio } from '../printed'
import { createStartTest } from '../text/first-character'
import { parseGoDuration } from '../text/go-duration'
import { parseCount, parseDecimal, parseScaled } from '../text/number'

/** Reads what Fortio prints, from "Ended after" on. */
export const fortioText: TextImporter = {
  kind: 'text',
  id: 'fortio-text',
  detect: ({ text }) => mayOpen(text) && ended.test(text),
  open: () => new FortioTextReader(),
}

const mayOpen = createStartTest('E')
const ended = /^\s*Ended after (\S{1,30}) : (\d{1,15}) calls\. qps=([\d.eE+-]{1,20})\s*$/
const stats =
  /^\s*(Aggregated Function Time|Error cases) : count (\d{1,15}) avg ([\d.e+-]{1,25}) \+\/- ([\d.e+-]{1,25}) min ([\d.e+-]{1,25}) max ([\d.e+-]{1,25}) sum [\d.e+-]{1,25}\s*$/
const target = /^\s*# target ([\d.]{1,10})% ([\d.e+-]{1,25})\s*$/
const code = /^\s*Code\s{1,3}(-?\d{1,3}|\w{1,20}) : (\d{1,15}) \([\d.]{1,8} %\)\s*$/
const sizes = /^\s*Response Body\/Total Sizes : count .{1,200} sum [\d.e+]{1,25}\s*$/
const last = /^\s*All done \d{1,15} calls /
const other =
  /^\s*(?:Sleep times : |Error cases : no data|Response Header Sizes : |# range, mid point, percentile, count|(?:>?=? ?)?-?[\d.]{1,20}(?:e[+-]\d{1,2})? <= |# Socket and IP|\[\d{1,6}\] |Connection time |Sockets used: |Uniform: |IP addresses distribution:|\S{1,80}: \d{1,15}\s*$|WARNING )/

interface Stats {
  readonly texts: readonly string[]
  readonly targets: (readonly [percent: string, seconds: string])[]
}

class FortioTextReader implements BlockReader {
  private firstLine = 0
  private lastLine = 0
  private ended: readonly string[] = []
  private readonly stats = new Map<string, Stats>()
  private readonly codes: Record<string, number> = {}
  private hasSizes = false
  /** Whose percentiles the next lines are; null: of something else than times of calls. */
  private current: Stats | null = null

  push({ text, number }: Line): 'taken' | 'last' | 'not-mine' {
    if (this.firstLine === 0) this.firstLine = number
    else if (ended.test(text)) return 'not-mine'
    if (text.trim() === '') return 'taken'
    if (!this.readLine(text)) return 'not-mine'
    this.lastLine = number
    return last.test(text) ? 'last' : 'taken'
  }

  private readLine(text: string): boolean {
    if (this.ended.length === 0) {
      this.ended = ended.exec(text)?.slice(1) ?? []
      return true
    }
    const [, name, ...texts] = stats.exec(text) ?? []
    if (name !== undefined) {
      this.current = { texts, targets: [] }
      this.stats.set(name, this.current)
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
    if (sizes.test(text)) {
      this.hasSizes = true
      return true
    }
    if (/Connection time |# Socket/.test(text)) this.current = null
    return last.test(text) || other.test(text)
  }

  end(): Block | null {
    if (!this.stats.has('Aggregated Function Time')) return null
    const requests = parseCount(this.ended[1] ?? '')
    const counted = Object.values(this.codes).reduce((sum, count) => sum + count, 0)
    const complete = counted === requests && this.hasSizes
    const cut: ImportProblem = {
      code: 'truncated',
      severity: 'error',
      line: this.lastLine,
      lastLine: null,
      message: 'what Fortio printed is cut off; missing: its codes or sizes',
      hint: 'Upload the whole output, or the JSON that it wrote (-json).',
    }
    return {
      lines: [this.firstLine, this.lastLine],
      runs: [this.createRun(requests, complete)],
      problems: complete ? [] : [cut],
    }
  }

  private createRun(requests: number | null, complete: boolean): BlockRun {
    const codes = Object.entries(this.codes)
    const good = codes.reduce((sum, [status, count]) => (/^(?:2\d\d|418)$/.test(status) ? sum + count : sum), 0)
    const successes = complete ? good : null
    const none = this.codes['-1'] ?? 0
    const [duration = '', , rate = ''] = this.ended
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
      printed: { requests: this.ended[1] ?? '', durationMs: duration, requestsPerSecond: rate },
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
      const [count = '', mean = '', deviation = '', min = '', max = ''] = found?.texts ?? []
      if (found === undefined || parseCount(count) === 0) return []
      return [
        {
          of,
          count: parseCount(count),
          minMs: readSeconds(min),
          meanMs: readSeconds(mean),
          stdDevMs: readSeconds(deviation),
          maxMs: readSeconds(max),
          withinOneStdDevRatio: null,
          quantiles: found.targets.flatMap(([percent, seconds]): Quantile[] => {
            const ms = readSeconds(seconds)
            return ms === null ? [] : [{ q: toRatio(Number(percent)), ms }]
          }),
          histogram: null,
          origin: 'summary' as const,
          method: 'within-buckets' as const,
        },
      ]
    })
  }
}

/** `0.0132` or `3.7025e-05` → ms. */
function readSeconds(text: string): number | null {
  const [, digits = '', exponent = '0'] = /^([\d.]{1,22})(?:e([+-]\d{1,2}))?$/.exec(text) ?? []
  return parseScaled(digits, 3 + Number(exponent))
}
