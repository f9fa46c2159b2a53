/**
 * autocannon's tables, as https://github.com/mcollina/autocannon/blob/v8.0.0/lib/printResult.js prints them on stderr
 * (7.15 to 9.0), also with `-l` and `--renderStatusCodes`. From 1,000 on a count is rounded (`2k`), bytes always.
 *
 *     │ Stat    │ 2.5% │ 50%  │ 97.5% │ 99%   │ Avg     │ Stdev   │ Max   │
 *     │ Latency │ 1 ms │ 2 ms │ 12 ms │ 18 ms │ 3.33 ms │ 3.26 ms │ 65 ms │
 *     103 requests in 2.01s, 39.5 kB read
 */
import type { Latency, Measure, Milliseconds, Quantile } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { Block, BlockReader, BlockRun, Line, TextImporter } from '../importer'
import { readAnnotated } from '../document/annotations'
import { toRatio } from '../printed'
import { parseCount, parseDecimal, parseScaled } from '../text/number'
import { latencyOf } from '../latency-of'
import { reportBlock } from '../report-block'

/** Reads autocannon's tables, with its announcement before them. */
export const autocannonText: TextImporter = {
  kind: 'text',
  id: 'autocannon-text',
  starts: 'R│0123456789.-',
  detect: ({ text, refusedBy }) =>
    statHead.test(text) ||
    connectionsLine.test(text) ||
    requestsLine.test(text) ||
    // wrk announces its runs in the same words.
    (refusedBy?.includes('wrk-text') === true && runningLine.test(text)),
  open: () => readAnnotated(new AutocannonTextReader()),
}

const runningLine = /^[.-]{0,3}Running (?:\S{1,20} |\d{1,12} requests )test @ (\S{1,4000})\s*$/
/** The same for `-a`, which wrk lacks. */
const requestsLine = /^[.-]{0,3}Running \d{1,12} requests test @ \S/
const connectionsLine = /^(\d{1,9}) connections(?: with (\d{1,9}) pipelining factor)?(?:,? ?\d{1,6} workers?)?\s*$/
const statHead = /^│ Stat {1,20}│ 2\.5% {0,20}│ 50% /
const tableRow = /^│ .{0,500}│\s*$/
/** Some authors redraw it with other corners. */
const frame = /^[┌├└][─┬┼┴┌├└┐┤┘]{3,600}\s*$/
const sampled = /^(?:Req\/Bytes counts sampled once per second\.|# of samples: \d{1,9})\s*$/
const progress = /^running \[/
const statuses = /^(\d{1,15}) 2xx responses, (\d{1,15}) non 2xx responses\s*$/
const totals = /^(\S{1,15}) requests in ([\d.]{1,15})s, (\S{1,15} \S{1,3}) read\s*$/
const errorLine = /^(\S{1,15}) errors \((\S{1,15}) timeouts\)\s*$/
const mismatchLine = /^(\S{1,15}) requests with mismatched body\s*$/
const title = /^[^\d│]{1,60}:\s*$/
const maxTitles = 4
const resetLine = /^request pipelines have been resetted (\S{1,15}) times\s*$/

interface Printed {
  readonly text: string
  readonly line: number
}

class AutocannonTextReader implements BlockReader {
  private firstLine = 0
  private lastLine = 0
  private url: string | null = null
  private connections: number | null = null
  private pipelining: number | null = null
  /** Heads of the open table; its rows are below. */
  private columns: readonly string[] = []
  private readonly cells = new Map<string, Printed>()
  private readonly codes: Record<string, number> = {}
  private readonly percentiles: (readonly [percent: number, ms: string])[] = []
  private hasTable = false
  private statuses: readonly [good: string, bad: string] | null = null
  private totals: { readonly requests: string; readonly seconds: string; readonly read: string } | null = null
  private readonly counts = new Map<string, Printed>()
  private titles = 0

  push({ text, number }: Line): 'taken' | 'not-mine' | 'outside' {
    if (this.firstLine === 0) this.firstLine = number
    if (this.isTitle(text)) return 'outside'
    const isTaken = this.totals === null ? this.readLine(text, number) : this.readLast(text, number)
    if (isTaken && text.trim() !== '') this.lastLine = number
    return isTaken ? 'taken' : 'not-mine'
  }

  /** An author's title above one of its tables: `📊 Throughput:`. */
  private isTitle(text: string): boolean {
    const mayStand = this.totals === null && (this.hasTable || this.connections !== null)
    return mayStand && title.test(text) && ++this.titles <= maxTitles
  }

  private readLine(text: string, line: number): boolean {
    if (text.trim() === '' || frame.test(text) || sampled.test(text) || progress.test(text)) return true
    if (tableRow.test(text)) return this.readRow(text, line)
    if (!this.hasTable) return this.readHead(text)
    const [, good, bad] = statuses.exec(text) ?? []
    if (good !== undefined && bad !== undefined) {
      this.statuses = [good, bad]
      return true
    }
    const [, requests, seconds, read] = totals.exec(text) ?? []
    if (requests === undefined || seconds === undefined || read === undefined) return false
    this.totals = { requests, seconds, read }
    return true
  }

  private readHead(text: string): boolean {
    const [, url] = runningLine.exec(text) ?? []
    if (url !== undefined && this.url === null && this.connections === null) {
      this.url = url
      return true
    }
    const [, connections, pipelining] = connectionsLine.exec(text) ?? []
    if (connections === undefined || this.connections !== null) return false
    this.connections = parseCount(connections)
    this.pipelining = parseCount(pipelining ?? '')
    return true
  }

  private readRow(text: string, line: number): boolean {
    const [name = '', ...values] = text
      .trim()
      .split('│')
      .slice(1, -1)
      .map((cell) => cell.trim())
    if (name === 'Stat' || name === 'Code' || name === 'Percentile') {
      // A second table of latencies belongs to another run.
      if (this.hasTable && statHead.test(text)) return false
      this.hasTable = true
      this.columns = [name, ...values]
      return true
    }
    const [kind, ...heads] = this.columns
    const [first = ''] = values
    if (kind === 'Code') this.codes[name] = parseGrouped(first) ?? 0
    else if (kind === 'Percentile') this.percentiles.push([Number(name), first])
    else if (kind === 'Stat')
      heads.forEach((head, at) => this.cells.set(`${name} ${head}`, { text: values[at] ?? '', line }))
    else return false
    return true
  }

  /** The lines below the totals. */
  private readLast(text: string, line: number): boolean {
    const [, errors, timeouts] = errorLine.exec(text) ?? []
    if (errors !== undefined && timeouts !== undefined) {
      this.counts.set('errors', { text: errors, line }).set('timeouts', { text: timeouts, line })
      return true
    }
    for (const [name, pattern] of [
      ['mismatches', mismatchLine],
      ['resets', resetLine],
    ] as const) {
      const [, count] = pattern.exec(text) ?? []
      if (count === undefined) continue
      this.counts.set(name, { text: count, line })
      return true
    }
    return false
  }

  end(): Block | null {
    if (!this.hasTable) return null
    const truncation = [
      'the autocannon report is truncated; missing: the line "… requests in …"',
      'Upload the whole output, to "… read".',
    ] as const
    return reportBlock([this.firstLine, this.lastLine], this.createRun(), this.totals === null ? truncation : null)
  }

  private createRun(): BlockRun {
    const { statuses: printedStatuses, codes } = this
    const requests = parseCount(this.totals?.requests ?? '')
    const successes = parseCount(printedStatuses?.[0] ?? '')
    return {
      ...blankRun('autocannon', 'autocannon-text'),
      url: this.url,
      durationMs: parseScaled(this.totals?.seconds ?? '', 3),
      load: { kind: 'closed', connections: this.connections },
      requests,
      successes,
      successRatio: successes === null || requests === null || requests === 0 ? null : successes / requests,
      requestsPerSecond: parseGrouped(this.cell('Req/Sec', 'Avg')?.text ?? ''),
      statusCodes: codes,
      errors: this.roundedCounts().map(({ text }) => ({ message: text, count: null })),
      latencies: this.listLatencies(),
      measures: this.listMeasures(),
      complete: this.totals !== null,
      printed: this.listPrinted(),
      warnings: [
        ...(this.totals !== null && requests === null
          ? [{ text: `${this.totals.requests} requests`, line: this.lastLine }]
          : []),
        ...this.roundedCounts(),
      ].map(({ text, line }) => ({
        code: 'rounded-count',
        message: `autocannon prints "${text}": the exact number is in its JSON (-j).`,
        line,
      })),
    }
  }

  /** Errors too many to be printed exactly: `166k errors`. */
  private roundedCounts(): Printed[] {
    return [...this.counts].flatMap(([name, { text, line }]) =>
      parseCount(text) === null ? [{ text: `${text} ${name}`, line }] : [],
    )
  }

  private cell(row: string, column: string): Printed | undefined {
    return this.cells.get(`${row} ${column}`)
  }

  private listLatencies(): Latency[] {
    const read = (head: string) => parseMs(this.cells.get(`Latency ${head}`)?.text)
    const maxMs = read('Max')
    // Without a response all are 0: absence, not speed.
    if (maxMs === null || maxMs === 0) return []
    return [
      latencyOf({
        meanMs: read('Avg'),
        stdDevMs: read('Stdev'),
        maxMs,
        quantiles: this.listQuantiles(),
        method: 'hdr',
      }),
    ]
  }

  /** Those of both tables: the second one shows more of the same histogram. */
  private listQuantiles(): Quantile[] {
    const found = new Map<number, Milliseconds>()
    for (const [key, { text }] of this.cells) {
      const [, percent] = /^Latency ([\d.]{1,10})%$/.exec(key) ?? []
      const ms = parseMs(text)
      if (percent !== undefined && ms !== null) found.set(toRatio(Number(percent)), ms)
    }
    for (const [percent, text] of this.percentiles) {
      const ms = parseGrouped(text)
      if (ms !== null && percent >= 0 && percent <= 100) found.set(toRatio(percent), ms)
    }
    return [...found].map(([q, ms]) => ({ q, ms })).sort((a, b) => a.q - b.q)
  }

  private listMeasures(): Measure[] {
    const pipelining = this.pipelining ?? 1
    const counts = [...this.counts].map(([name, { text, line }]) => ({ name, value: parseCount(text), line }))
    return [...counts, { name: 'pipelining', value: pipelining > 1 ? pipelining : null, line: this.firstLine }].flatMap(
      ({ name, value, line }) => (value === null || value === 0 ? [] : [{ name, value, unit: null, line }]),
    )
  }

  private listPrinted(): Record<string, string> {
    const printed: Record<string, string> = {}
    const set = (key: string, text: string | undefined) => {
      if (text !== undefined && text !== '') printed[key] = text
    }
    for (const [head, key] of [
      ['Avg', 'meanMs'],
      ['Stdev', 'stdDevMs'],
      ['Max', 'maxMs'],
    ] as const)
      set(`latencies.0.${key}`, this.cells.get(`Latency ${head}`)?.text)
    for (const [percent, text] of this.percentiles) set(`latencies.0.p${percent}`, `${text} ms`)
    for (const [key, { text }] of this.cells) {
      const [, percent] = /^Latency ([\d.]{1,10})%$/.exec(key) ?? []
      if (percent !== undefined) set(`latencies.0.p${Number(percent)}`, text)
    }
    set('requestsPerSecond', this.cell('Req/Sec', 'Avg')?.text)
    set('requests', this.totals?.requests)
    set('durationMs', this.totals === null ? undefined : `${this.totals.seconds}s`)
    set('bytesIn', this.totals?.read)
    for (const [name, { text }] of this.counts) set(`measures.${name}`, text)
    return printed
  }
}

/** `1,027.5` → 1027.5. Null: not a number, or a rounded one (`20k`). */
function parseGrouped(text: string): number | null {
  if (!/^\d{1,3}(?:,\d{3}){0,5}(?:\.\d{1,9})?$/.test(text) && !/^\d{1,15}(?:\.\d{1,9})?$/.test(text)) return null
  return parseDecimal(text.replaceAll(',', ''))
}

/** `6.84 ms` → 6.84. */
function parseMs(text: string | undefined): Milliseconds | null {
  const [, number] = /^([\d.,]{1,20}) ms$/.exec(text ?? '') ?? []
  return number === undefined ? null : parseGrouped(number)
}
