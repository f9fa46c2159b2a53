/**
 * What Locust prints (on stderr), as https://github.com/locustio/locust/blob/2.42.0/locust/stats.py (print_stats,
 * print_percentile_stats, print_error_report) does: a table every two seconds, and at the end once more with
 * percentiles and errors. Only the last one counts. A console such as PowerShell's may have wrapped it
 * (locust-rows.ts).
 *
 *     Type     Name                              # reqs      # fails |    Avg     Min     Max    Med |   req/s  failures/s
 *     --------|---------------------------------|-------|-------------|-------|-------|-------|-------|--------|-----------
 *              Aggregated                           445   61(13.71%) |      4       0      24      4 |  116.77       16.01
 */
import { ImportError } from '../../lib/errors'
import type { ErrorCount, Quantile, Target, Warning } from '../../lib/run/run'
import { blankRun } from '../blank-run'
import type { Block, BlockReader, BlockRun, Line, TextImporter } from '../importer'
import { createStartTest } from '../text/first-character'
import { parseCount, parseDecimal } from '../text/number'
import { LocustRows, mayBeginHead, readHead } from './locust-rows'
import { describeLocust, selectTargets } from './locust-run'
import { reportBlock } from '../report-block'

/** Reads the tables that Locust prints. */
export const locustText: TextImporter = {
  kind: 'text',
  id: 'locust-text',
  detect: ({ text }) =>
    (mayOpen(text) && mayBeginHead(text)) || (text.includes('Starting Locust ') && versionLine.test(text)),
  open: () => new LocustTextReader(),
}

const mayOpen = createStartTest('TN')
/** PowerShell names the program before the first line. */
const versionLine =
  /^\s*(?:\S{1,60} : )?(?:\[[^\]]{1,40}\] )?(?:\S{1,200}\/)?INFO\/locust\.main: Starting Locust (\d{1,3}(?:\.\d{1,4}){1,3})\b/
const logLine = /^\s*(?:\S{1,200}\/)?[A-Z]{4,8}\/[\w.]{1,60}: /
const allRow =
  /^\s*(?:Aggregated|Total)\s+(\d+)\s+(\d+)\(([\d.]+)%\)\s*\|\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\|\s*([\d.]+)\s+([\d.]+)\s*$/
const counts = /\s(\d{1,15})\s{1,40}(\d{1,15})\([\d.]{1,8}%\)$/
const times = /^\s*(\d{1,12})\s{1,40}(\d{1,12})\s{1,40}(\d{1,12})\s{1,40}(\d{1,12})$/
const rates = /^\s*[\d.]{1,15}\s{1,40}[\d.]{1,15}$/
/** In version 1 the rules of the first table and of the errors have no columns. */
const rule = /^\s*(?:-{4,}\|-|-{40,}\s*$)/
const rulePart = /^[-|]{1,400}\s*$/
const percentRow = /^\s*(?:None\s{1,20})?(?:Aggregated|Total)((?:\s+\d{1,12}){4,21})\s*$/
const errorRow = /^(\d{1,15})\s{2,}(\S.*)$/
const end = /^\s*(?:```|~~~|#\s|[$❯%] )/
/** Its own lines that look like a heading, some because a console wrapped them. */
const ownHash = /^\s*# (?:occurrences|reqs|fails)\b/
const maxBetween = 100_000
/** Beyond this many names only their total is read. */
const maxNames = 2_000

interface AllRequests {
  readonly requests: number
  readonly failures: number
  readonly texts: readonly string[]
}

/** A row of a name, in the first table. */
interface NamedRow {
  readonly method: string | null
  readonly name: string
  readonly requests: number
  readonly failures: number
  readonly meanMs: number
  readonly medianMs: number
  readonly maxMs: number
}

class LocustTextReader implements BlockReader {
  private firstLine = 0
  private lastLine = 0
  private seenLine = 0
  private version: string | null = null
  private section: 'before' | 'table' | 'between' | 'percentiles' | 'errors' = 'before'
  private all: AllRequests | null = null
  /** Line of a total row with contradictory figures, or one that cannot be joined; 0: none. */
  private damaged = 0
  private percents: readonly string[] = []
  private quantiles: Quantile[] | null = null
  private errors: { message: string; readonly count: number | null }[] = []
  private rules = 0
  /** Rows of names in the last table, and their percentiles. */
  private names: NamedRow[] = []
  private namedPercentiles: { readonly name: string; readonly ms: readonly number[] }[] = []
  private between = 0
  private readonly rows = new LocustRows((text) => this.isRow(text))
  /** The line above, in the errors of a wrapped console. */
  private above = ''

  push(line: Line): 'taken' | 'not-mine' | 'passed' | 'outside' | 'last' {
    const { text, number } = line
    if (this.firstLine === 0) this.firstLine = number
    this.seenLine = number
    if (this.isEnd(text)) return 'not-mine'
    if (this.section === 'before') {
      const [, version] = versionLine.exec(text) ?? []
      if (version !== undefined && this.version !== null) return 'not-mine'
      if (version !== undefined) {
        this.version = version
        return 'taken'
      }
    }
    if (text.trim() === '' && !this.rows.isWaiting) return 'taken'
    const answers = this.rows.push(text).map((row) => this.take(row))
    if ((this.rows.hasTornTotal || answers.includes('torn')) && this.damaged === 0) this.damaged = number
    if (answers.includes('not-mine')) return 'not-mine'
    const isTaken = answers.some((answer) => answer !== 'passed')
    if (!isTaken && !this.rows.isWaiting) return this.section === 'before' && !logLine.test(text) ? 'outside' : 'passed'
    this.lastLine = number
    return answers.includes('last') ? 'last' : 'taken'
  }

  private isEnd(text: string): boolean {
    if (!end.test(text)) return false
    // A piece of a wrapped line may look like a prompt.
    return this.rows.isWaiting ? /^\s*(?:```|~~~)/.test(text) : !ownHash.test(text)
  }

  /** Whether it is a complete row of the current table. */
  private isRow(text: string): boolean {
    if (this.section === 'table') return allRow.test(text) || readNamed(text) !== null
    return readFigures(text, this.percents.length + 1) !== null
  }

  private take(text: string): 'taken' | 'torn' | 'not-mine' | 'passed' | 'last' {
    const head = readHead(text)
    if (head !== null) return this.takeHead(head)
    if (/^\s*Response time percentiles/.test(text)) return 'taken'
    if (/^\s*Error report\s*$/.test(text)) {
      this.section = 'errors'
      this.rules = 0
      return 'taken'
    }
    if (this.section === 'errors') return this.takeError(text)
    if (this.section === 'before') return this.version === null ? 'not-mine' : this.pass()
    if (rule.test(text) || (this.rows.widthColumns !== null && rulePart.test(text))) return 'taken'
    return this.section === 'percentiles' ? this.takePercentiles(text) : this.takeRow(text)
  }

  private takeHead(head: NonNullable<ReturnType<typeof readHead>>): 'taken' | 'not-mine' {
    if (head.kind === 'percentiles') {
      this.percents = head.percents
      this.section = 'percentiles'
      return 'taken'
    }
    // A run ends with its percentiles.
    if (this.quantiles !== null) return 'not-mine'
    this.all = null
    this.damaged = 0
    this.rows.hasTornTotal = false
    this.names = []
    this.section = 'table'
    return 'taken'
  }

  /** Log lines, and what a script prints, until the next table. */
  private pass(): 'passed' | 'not-mine' {
    this.between++
    return this.between > maxBetween ? 'not-mine' : 'passed'
  }

  private takeRow(text: string): 'taken' | 'torn' | 'not-mine' | 'passed' {
    const [, requests, failures, percent, ...texts] = allRow.exec(text) ?? []
    if (requests !== undefined && failures !== undefined) {
      const all = { requests: Number(requests), failures: Number(failures), texts }
      // Pieces of rows that were joined wrongly would not add up.
      const isSound = Math.abs((all.failures / Math.max(1, all.requests)) * 100 - Number(percent)) < 0.0051
      if (isSound) this.all = all
      this.rows.close()
      this.section = 'between'
      this.between = 0
      return isSound ? 'taken' : 'torn'
    }
    if (this.section === 'table' && /^\s*(?:Aggregated|Total)\b/.test(text)) return 'torn'
    const named = this.section === 'table' ? readNamed(text) : null
    if (named === null) return this.pass()
    if (this.names.length < maxNames) this.names.push(named)
    return 'taken'
  }

  private takePercentiles(text: string): 'taken' | 'passed' | 'not-mine' {
    const values = percentRow.exec(text)?.[1]?.trim().split(/\s+/)
    if (values !== undefined && values.length === this.percents.length + 1) {
      this.rows.close()
      this.quantiles = this.percents.flatMap((percent, at) =>
        percent === '100' ? [] : [{ q: Number(`${percent}e-2`), ms: Number(values[at]) }],
      )
      return 'taken'
    }
    if (this.quantiles !== null) return 'not-mine'
    const named = readFigures(text, this.percents.length + 1)
    if (named === null) return /(?:\s\d+){4}\s*$/.test(text) ? 'taken' : 'passed'
    if (this.namedPercentiles.length < maxNames) this.namedPercentiles.push(named)
    return 'taken'
  }

  private takeError(text: string): 'taken' | 'last' | 'not-mine' {
    const { above } = this
    this.above = text
    if (/^\s*# occurrences\s+Error/.test(text)) return 'taken'
    const isWrapped = this.rows.widthColumns !== null
    if (isWrapped && /^-{1,400}\s*$/.test(text)) return this.rules === 2 ? 'last' : 'taken'
    if (this.rules === 2) return 'not-mine'
    if (/^\s*-{4,}\|-|^-{40,}\s*$/.test(text)) {
      this.rules++
      const goesOn = isWrapped && text.trimEnd().length === this.rows.widthColumns
      return this.rules === 2 && !goesOn ? 'last' : 'taken'
    }
    // Version 1 begins each line with a blank.
    const [, count, message] = errorRow.exec(isWrapped ? text : text.replace(/^ /, '')) ?? []
    const last = this.errors.at(-1)
    if (message !== undefined) {
      this.errors.push({ message, count: parseCount(count ?? '') })
      return 'taken'
    }
    if (!isWrapped || last === undefined) return 'not-mine'
    last.message += above.length === this.rows.widthColumns ? text : ` ${text.trim()}`
    return 'taken'
  }

  end(atEnd: boolean): Block | null {
    const { all, firstLine, damaged } = this
    for (const row of this.rows.takeRest()) if (this.section === 'errors') this.take(row)
    if (all === null && damaged > 0)
      throw new ImportError(
        atEnd && damaged === this.seenLine ? 'truncated' : 'malformed',
        "this is Locust's text, but its row of all requests cannot be put together",
        { line: damaged, hint: 'Upload the _stats.csv that --csv writes, or what locust prints with --json.' },
      )
    if (all === null && this.section !== 'before')
      throw new ImportError('truncated', "this is Locust's text, but it ends before its row of all requests", {
        line: this.seenLine,
        hint: 'Upload all that Locust printed, to the error report.',
      })
    if (all === null || all.requests === 0) return null
    const lastLine = Math.max(firstLine, this.lastLine)
    const hasErrors = all.failures === 0 || this.rules === 2
    const complete = this.quantiles !== null && hasErrors
    const truncation = [
      `Locust's text is truncated; missing: ${this.quantiles === null ? 'its percentiles' : 'its errors'}`,
      'Upload all that Locust printed, to the error report.',
    ] as const
    return reportBlock([firstLine, lastLine], this.createRun(all, complete), complete ? null : truncation)
  }

  private createRun(all: AllRequests, complete: boolean): BlockRun {
    const [mean = '', min = '', max = '', median = '', perSecond = ''] = all.texts
    const successes = all.requests - all.failures
    const { targets, warnings } = this.readTargets()
    const hasErrors = all.failures === 0 || this.rules === 2
    return {
      ...blankRun('locust', 'locust-text'),
      toolVersion: this.version,
      requests: all.requests,
      successes,
      successRatio: successes / all.requests,
      requestsPerSecond: parseDecimal(perSecond),
      errors: hasErrors
        ? this.errors.map(({ message, count }): ErrorCount => ({ message: message.trimEnd(), count }))
        : [],
      latencies: describeLocust({
        requests: all.requests,
        minMs: parseDecimal(min),
        meanMs: parseDecimal(mean),
        maxMs: parseDecimal(max),
        quantiles: this.quantiles ?? [],
        histogram: null,
      }),
      targets,
      complete,
      warnings,
      printed: {
        requests: String(all.requests),
        requestsPerSecond: perSecond,
        'latencies.0.meanMs': mean,
        'latencies.0.minMs': min,
        'latencies.0.maxMs': max,
        'latencies.0.p50': median,
      },
    }
  }

  /** Names whose percentiles were printed too, in the same order. Null: they do not match, or there are none. */
  private readTargets(): { readonly targets: readonly Target[] | null; readonly warnings: Warning[] } {
    const { names, namedPercentiles } = this
    const at95 = this.percents.indexOf('95')
    const at99 = this.percents.indexOf('99')
    const found = names.flatMap((row, at): Target[] => {
      const { name = '', ms = [] } = namedPercentiles[at] ?? {}
      const shown = row.method === null ? name : name.slice(row.method.length).trim()
      const [p95Ms, p99Ms] = [ms[at95], ms[at99]]
      if (!shown.startsWith(row.name) || ms.at(-1) !== row.requests || p95Ms === undefined || p99Ms === undefined)
        return []
      const { method, requests: count, failures: errors, meanMs, medianMs: p50Ms, maxMs } = row
      return [{ method, url: shown, count, errors, bytesIn: null, meanMs, p50Ms, p95Ms, p99Ms, maxMs }]
    })
    if (names.length === 0) return { targets: null, warnings: [] }
    if (found.length === names.length) return selectTargets(found)
    const message = `The figures of its ${names.length} names are not read: their percentiles are missing. Locust's JSON and CSV have them.`
    return { targets: null, warnings: [{ code: 'names-left-out', message, line: this.firstLine }] }
  }
}

const methodAndName = /^(?:\s(?=[A-Z]{3,8} ))?(\S{0,20})\s+(\S.*)$/

/**
 * `GET      /items    186   34(18.28%) |      6       1      24      5 |   48.81        8.92`. Null: not a row of a
 * name.
 */
function readNamed(text: string): NamedRow | null {
  if (text.length > 2_000) return null
  const parts = text.split('|')
  const figures = times.exec(parts.at(-2)?.trimEnd() ?? '')
  if (parts.length < 3 || figures === null || !rates.test(parts.at(-1)?.trimEnd() ?? '')) return null
  const left = parts.slice(0, -2).join('|').trimEnd()
  const counted = counts.exec(left)
  if (counted === null) return null
  const [, method = '', name = ''] = methodAndName.exec(left.slice(0, counted.index).trimEnd()) ?? []
  const [meanMs = 0, , maxMs = 0, medianMs = 0] = figures.slice(1).map(Number)
  if (name === '') return null
  return {
    method: method || null,
    name,
    requests: Number(counted[1]),
    failures: Number(counted[2]),
    meanMs,
    medianMs,
    maxMs,
  }
}

/** `GET      /items      5      7      8 …`: a name and this many figures. Null: there are fewer. */
function readFigures(text: string, count: number): { readonly name: string; readonly ms: readonly number[] } | null {
  if (text.length > 2_000) return null
  const words = text.trim().split(/\s+/)
  const figures = words.slice(-count)
  if (figures.length < count || words.length === count || !figures.every((word) => /^\d{1,12}$/.test(word))) return null
  // A name may contain blanks.
  let end = text.trimEnd().length
  for (const word of [...figures].reverse()) end = text.slice(0, end).trimEnd().length - word.length
  return { name: text.slice(0, end).trim(), ms: figures.map(Number) }
}
