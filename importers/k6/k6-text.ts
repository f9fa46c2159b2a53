/**
 * k6's end-of-test text, as https://github.com/grafana/k6/blob/v1.8.1/internal/js/summary.js prints it: blocks since 1.0,
 * a single alphabetical list before, with the output of the running test above and below it. Two decimals, in the unit
 * that fits each figure.
 *
 *       █ TOTAL RESULTS
 *         HTTP
 *         http_req_duration..............: avg=3.75ms  min=175.5µs med=3.31ms  max=57.99ms  p(90)=5.67ms  p(95)=6.98ms
 *           { expected_response:true }...: avg=3.75ms  min=175.5µs med=3.31ms  max=57.99ms  p(90)=5.67ms  p(95)=6.98ms
 *         http_req_failed................: 0.00%  0 out of 595
 *         http_reqs......................: 595    197.431174/s
 */
import type { ImportProblem, Load } from '../../lib/run/run'
import type { Block, BlockReader, Line, TextImporter } from '../importer'
import { listPlain } from '../document/annotations'
import { createStartTest } from '../text/first-character'
import { parseGoDuration } from '../text/go-duration'
import { parseCount, parseDecimal } from '../text/number'
import { createK6Run, type K6Trend } from './k6-figures'
import { phaseNames } from './k6-rows'
import { truncatedProblem } from '../import-problem'

/** Reads the text that k6 prints at the end of a test, with the lines around it. */
export const k6Text: TextImporter = {
  kind: 'text',
  id: 'k6-text',
  detect: ({ text }) => (mayStart(text) && start.test(text)) || isMetric(text),
  open: () => new K6TextReader(),
}

const mayStart = createStartTest('e█')
const start = /^\s*(?:execution: (?:local|cloud)|█ (?:THRESHOLDS|TOTAL RESULTS))\s*$/
/** `✓` and `✗`: whether its thresholds were met. */
const metric = /^\s*(?:[✓✗] )?([A-Za-z_]\w{0,127})\.{2,200}: (.*)$/
const subset = /^\s*(?:[✓✗] )?\{ ?([^{}]{1,200}?) ?\}\.{2,200}: (.*)$/
const trendValue = /^\s*(?:avg|min|med|max|p\([\d.]+\)|count)=/
const counterValue = /^\s*[\d.]+(?: [kMGT]?B)?\s+[\d.]+(?: [kMGT]?B)?\/s\s*$/
const rateValue = /^\s*(\d{1,3}\.\d\d)%\s+(?:(\d+) out of (\d+)|✓ (\d+)\s+✗ (\d+))\s*$/
/** Times are never negative: a digit was damaged. */
const belowZero = /=-/
const gaugeValue = /^\s*-?[\d.]+\s+min=-?[\d.]+\s+max=(-?[\d.]+)\s*$/
const anyFigure = /(avg|min|med|max|p\([\d.]{1,12}\))=(\S{1,40})/g
/** What is between the metrics: headings, groups, checks, thresholds. */
const around =
  /^\s*(?:█|[✓✗] |↳|(?:CUSTOM|HTTP|EXECUTION|NETWORK|BROWSER|WEB VITALS|WEBSOCKET|GRPC)\s*$|http_req_\w+(?:\{[^}]{0,200}\})?\s*$)/
const progress = /^\s*(?:running \([\dhms.]+\), \d+\/\d+ VUs|script: |output: |scenarios: |\* |execution: )/
/** `browse   [  33% ] 2 VUs`, also in a terminal's form. */
const bar = / \[[ =>-]{0,60}(?:\d{1,3}%)?[ =>-]{0,60}\] /
const crossed = /^\s*✗ '([^']{1,200})'/
const scenario = /^\s*\* [^:]{1,100}: (.{1,300})$/

function isMetric(text: string): boolean {
  const value = text.includes('..: ') ? metric.exec(text)?.[2] : undefined
  return value !== undefined && isValue(value)
}

const isValue = (value: string): boolean =>
  [trendValue, counterValue, rateValue, gaugeValue].some((form) => form.test(value))

class K6TextReader implements BlockReader {
  private firstLine = 0
  private lastLine = 0
  private isListed = true
  private readonly metrics = new Map<string, string>()
  private readonly crossed: string[] = []
  /** The metric whose subsets or thresholds come next. */
  private current = ''
  private script: string | null = null
  private readonly scenarios: string[] = []

  push(line: Line): 'taken' | 'not-mine' | 'passed' {
    const { text, number } = line
    if (this.firstLine === 0) this.firstLine = number
    if (text.trim() === '') return 'taken'
    const taken = this.take(text)
    if (taken) {
      this.lastLine = number
      return 'taken'
    }
    // A script may print anything while it runs, but nothing amid the metrics.
    return this.metrics.size === 0 && !/^\s*(?:```|~~~|#)/.test(text) ? 'passed' : 'not-mine'
  }

  private take(text: string): boolean {
    if (/^\s*█ (?:THRESHOLDS|TOTAL RESULTS)\s*$/.test(text)) {
      if (this.metrics.size > 0) return false
      this.isListed = false
      return true
    }
    if (/^\s*execution: (?:local|cloud)\s*$/.test(text) && (this.metrics.size > 0 || this.script !== null)) return false
    const [, subsetName, subsetValue] = subset.exec(text) ?? []
    if (subsetName !== undefined && subsetValue !== undefined)
      return this.takeMetric(`${this.current}{${subsetName}}`, subsetValue, text)
    const [, name, value] = metric.exec(text) ?? []
    if (name !== undefined && value !== undefined) {
      this.current = name
      return this.takeMetric(name, value, text)
    }
    const threshold = crossed.exec(text)?.[1]
    if (threshold !== undefined) this.crossed.push(`${this.current}: ${threshold}`)
    const isHeading = /^\s*(\w{1,128}(?:\{[^}]{0,200}\})?)\s*$/.exec(text)?.[1]
    if (isHeading !== undefined && !this.isListed && this.metrics.size === 0) this.current = isHeading
    this.script ??= /^\s*script: (\S.{0,200})/.exec(text)?.[1]?.trimEnd() ?? null
    const executor = scenario.exec(text)?.[1]
    if (executor !== undefined && this.metrics.size === 0) this.scenarios.push(executor)
    return (
      around.test(text) ||
      progress.test(text) ||
      bar.test(text) ||
      (isHeading !== undefined && !this.isListed && this.metrics.size === 0)
    )
  }

  /** A metric that was already read opens the next report. */
  private takeMetric(name: string, value: string, text: string): boolean {
    if (this.metrics.has(name)) return false
    this.metrics.set(name, isValue(value) ? value : (listPlain(value).find(isValue) ?? value))
    if (/^\s*✗ /.test(text)) this.crossed.push(name)
    return true
  }

  end(): Block | null {
    if (!this.metrics.has('http_reqs') && !this.metrics.has('http_req_duration')) return null
    const missing = this.findMissing()
    const [requests, requestsPerSecond] = this.counterOf('http_reqs')
    const all = this.trendOf('http_req_duration')
    const run = createK6Run({
      form: 'k6-text',
      toolVersion: null,
      name: this.script,
      load: loadOf(this.scenarios),
      // The last "running (03.0s)" rounds it.
      durationMs: null,
      requests,
      requestsPerSecond,
      failed: this.failedCount(),
      // Printed as `700 kB`, so the exact number is unknown.
      bytesIn: null,
      bytesOut: null,
      all,
      good: this.trendOf('http_req_duration{expected_response:true}'),
      phases: Object.fromEntries(
        phaseNames.flatMap((name) => {
          const trend = this.trendOf(`http_req_${name}`)
          return trend === null ? [] : [[name, trend] as const]
        }),
      ),
      iterations: this.counterOf('iterations')[0],
      droppedIterations: this.counterOf('dropped_iterations')[0],
      checks: this.checks(),
      // Last in the list, where its absence would go unnoticed.
      maxUsers: this.isListed ? null : parseCount(gaugeValue.exec(this.metrics.get('vus') ?? '')?.[1] ?? ''),
      crossed: this.crossed,
      printed: this.listPrinted(),
      complete: missing === null,
    })
    return {
      lines: [this.firstLine, Math.max(this.firstLine, this.lastLine)],
      runs: [run],
      problems: missing === null ? [] : [truncatedReport(this.lastLine, missing)],
    }
  }

  /** In words; null: nothing is missing. */
  private findMissing(): string | null {
    // Versions before 0.31 do not count failures: then the entry that would follow it in their list is there.
    const isUncounted = this.isListed && !this.metrics.has('http_req_failed') && this.isWhole('http_req_receiving')
    const failures = isUncounted ? [] : ['http_req_failed']
    const needed = ['http_reqs', ...failures, 'http_req_duration', 'data_received', 'data_sent']
    // Before 1.0 the list is alphabetical: data_sent is near its beginning.
    const last = this.isListed ? ['iterations'] : []
    const times = [...this.metrics.keys()].filter((name) => name.startsWith('http_req_'))
    return [...needed, ...last, ...times].find((name) => !this.isWhole(name)) ?? null
  }

  private isWhole(name: string): boolean {
    const value = this.metrics.get(name)
    return (
      value !== undefined &&
      !belowZero.test(value) &&
      [trendValue, counterValue, rateValue].some((form) => form.test(value))
    )
  }

  private counterOf(name: string): [count: number | null, perSecond: number | null] {
    const value = this.metrics.get(name) ?? ''
    const [, count, perSecond] = /^\s*(\d+)\s+([\d.]+)\/s\s*$/.exec(value) ?? []
    return [parseCount(count ?? ''), parseDecimal(perSecond ?? '')]
  }

  /** Number of true values of the rate: requests that failed. */
  private failedCount(): number | null {
    const [, , outOf, , passes] = rateValue.exec(this.metrics.get('http_req_failed') ?? '') ?? []
    return parseCount(outOf ?? passes ?? '')
  }

  private checks(): { readonly passes: number; readonly fails: number } | null {
    const [, , failed, all] = rateValue.exec(this.metrics.get('checks_failed') ?? '') ?? []
    if (failed !== undefined && all !== undefined)
      return { passes: Number(all) - Number(failed), fails: Number(failed) }
    const [, , good, of, passes, fails] = rateValue.exec(this.metrics.get('checks') ?? '') ?? []
    if (good !== undefined && of !== undefined) return { passes: Number(good), fails: Number(of) - Number(good) }
    return passes === undefined || fails === undefined ? null : { passes: Number(passes), fails: Number(fails) }
  }

  private trendOf(name: string): K6Trend | null {
    const value = this.metrics.get(name)
    if (value === undefined || !trendValue.test(value) || belowZero.test(value)) return null
    const found = new Map([...value.matchAll(anyFigure)].map(([, key = '', text = '']) => [key, parseGoDuration(text)]))
    const quantiles = new Map<number, number>()
    for (const [key, ms] of found) {
      const percent = key === 'med' ? '50' : /^p\((.+)\)$/.exec(key)?.[1]
      if (percent !== undefined && ms !== null && Number(percent) <= 100) quantiles.set(Number(`${percent}e-2`), ms)
    }
    return {
      minMs: found.get('min') ?? null,
      meanMs: found.get('avg') ?? null,
      maxMs: found.get('max') ?? null,
      quantiles: [...quantiles].map(([q, ms]) => ({ q, ms })).sort((a, b) => a.q - b.q),
    }
  }

  private listPrinted(): Record<string, string> {
    const printed: Record<string, string> = {}
    const fields: Readonly<Record<string, string>> = { avg: 'meanMs', min: 'minMs', max: 'maxMs', med: 'p50' }
    for (const [, key = '', text = ''] of (this.metrics.get('http_req_duration') ?? '').matchAll(anyFigure))
      printed[`latencies.0.${fields[key] ?? `p${Number(/[\d.]+/.exec(key)?.[0])}`}`] = text
    const [, count, perSecond] = /^\s*(\d+)\s+([\d.]+\/s)\s*$/.exec(this.metrics.get('http_reqs') ?? '') ?? []
    if (count !== undefined) printed['requests'] = count
    if (perSecond !== undefined) printed['requestsPerSecond'] = perSecond
    const failed = rateValue.exec(this.metrics.get('http_req_failed') ?? '')?.[1]
    if (failed !== undefined) printed['errorRatio'] = `${failed}%`
    return printed
  }
}

/**
 * For one scenario: looping users are a closed loop, iterations at a rate an open one; a request is not an iteration.
 */
function loadOf(scenarios: readonly string[]): Load {
  const [only] = scenarios.length === 1 ? scenarios : []
  const users = /^(\d{1,9}) looping VUs for /.exec(only ?? '')?.[1]
  if (users !== undefined) return { kind: 'closed', connections: Number(users) }
  if (/^[\d.]+ iterations\/\w+ for /.test(only ?? '')) return { kind: 'open', ratePerSecond: null }
  return { kind: 'unstated' }
}

function truncatedReport(line: number, missing: string): ImportProblem {
  return truncatedProblem(
    line,
    `k6's text is truncated; missing: ${missing}`,
    'Upload all that k6 printed, to its last line.',
  )
}
