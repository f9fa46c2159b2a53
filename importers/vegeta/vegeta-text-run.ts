import { ImportError } from '../../lib/errors'
import type { ImportProblem, Measure, Quantile } from '../../lib/run/run'
import type { Block, BlockRun } from '../importer'
import { truncatedProblem, unreadableLine } from '../import-problem'
import { parseGoDuration } from '../text/go-duration'
import { parseCount, parseDecimal, parseScaled } from '../text/number'
import { interimReport, passedReports } from './snapshots'
import { createVegetaRun, sumStatusCodes } from './vegeta-report'
import { vegetaLabels, type VegetaTextReport } from './vegeta-text-report'

const uploadHint = 'Upload the whole output, from "Requests" to the error set.'

/**
 * Makes the block of a report, which begins at `firstLine` with the snapshots above it. `atEnd`: the input ended with
 * it. Null: prose that only looks like its first row.
 * @throws ImportError `truncated` when not one figure was left.
 */
export function createVegetaBlock(
  report: VegetaTextReport,
  passedSnapshots: number,
  firstLine: number,
  atEnd: boolean,
): Block | null {
  const missing = vegetaLabels.filter((label) => !report.rows.has(label))
  const codesAddUp = report.requests !== null && sumStatusCodes(report.statusCodes) === report.requests
  // Authors cut the Error Set off; when the codes add up, every figure is there.
  const isWhole = missing.length === 0 && report.areCodesWhole && (report.hasErrorSet || codesAddUp || !atEnd)
  const isProse = report.rows.size === 1 && /[^\d\s.,]/.test(report.rows.get('Requests')?.values ?? '')
  const isTorn = atEnd && report.endsInRow && !isWhole
  if (isTorn) report.dropLastValue()
  const { firstLine: line, lastLine, isSnapshot } = report
  const figures = new PrintedFigures(report, isTorn)
  const run = createRun(report, figures, isWhole)
  if (figures.areNone && isProse) return null
  if (figures.areNone)
    throw new ImportError('truncated', 'the vegeta report ends before its first figure', { line, hint: uploadHint })
  const lost = missing.length > 0 ? missing.join(', ') : 'a part of the status codes, or the error set'
  const problems: ImportProblem[] = [
    ...passedReports(passedSnapshots, firstLine, line - 1),
    ...(isSnapshot ? [interimReport([line, lastLine])] : []),
    ...figures.listUnreadable(),
    ...(isWhole ? [] : [truncatedProblem(lastLine, `the vegeta report is truncated; missing: ${lost}`, uploadHint)]),
  ]
  const complete = isWhole && !isSnapshot && figures.unreadable.length === 0
  const lines = line > firstLine ? { lines: [line, lastLine] as const } : {}
  return { lines: [firstLine, lastLine], runs: [{ ...run, complete, ...lines }], problems }
}

/** The figures in the rows of a report, which are read once each. */
class PrintedFigures {
  /** By figure, as printed. */
  readonly printed: Record<string, string> = {}
  /** Lines with something that cannot be read, or was left out. */
  readonly unreadable: number[]
  /** By label and column: `Duration.total`. */
  private readonly cells = new Map<string, { readonly text: string; readonly line: number }>()

  /** `isTorn`: the last row lacks its last values. */
  constructor(
    private readonly report: VegetaTextReport,
    isTorn: boolean,
  ) {
    this.unreadable = [...report.leftOut]
    const lastLabel = [...report.rows.keys()].at(-1)
    for (const [label, { columns, line }] of report.rows) {
      if (label === 'Status Codes') continue
      const names = columns.split(',').map((name) => name.trim())
      const values = report.valuesOf(label)
      const isLastTruncated = isTorn && label === lastLabel && values.length < names.length
      // With more or fewer values than names, their assignment is unknown.
      if (values.length !== names.length && !isLastTruncated) this.unreadable.push(line)
      else
        names.forEach((name, index) => {
          const text = values[index]
          if (text !== undefined && text !== '') this.cells.set(`${label}.${name}`, { text, line })
        })
    }
  }

  /** Whether nothing was read, not even a status code. */
  get areNone(): boolean {
    return Object.keys(this.printed).length === 0 && Object.keys(this.report.statusCodes ?? {}).length === 0
  }

  /** Null: not printed, or not readable. */
  read(cell: string, key: string, parse: (text: string) => number | null): number | null {
    const found = this.cells.get(cell)
    if (found === undefined) return null
    const value = parse(found.text)
    if (value === null && !/NaN|Inf/i.test(found.text)) this.unreadable.push(found.line)
    if (value !== null) this.printed[key] = found.text
    return value
  }

  quantiles(): Quantile[] {
    const columns = this.report.rows.get('Latencies')?.columns.split(',') ?? []
    return columns.flatMap((column) => {
      const name = column.trim()
      const percent = /^p?(\d{1,3}(?:\.\d{1,6})?)(?:th)?$/.exec(name)?.[1]
      if (percent === undefined || Number(percent) > 100) return []
      const ms = this.read(`Latencies.${name}`, `latencies.0.p${Number(percent)}`, parseVegetaDuration)
      return ms === null ? [] : [{ q: Number(`${percent}e-2`), ms }]
    })
  }

  bytesMean(label: 'Bytes In' | 'Bytes Out', name: string): Measure[] {
    const value = this.read(`${label}.mean`, `measures.${name}`, parseDecimal)
    const line = this.report.rows.get(label)?.line ?? null
    return value === null ? [] : [{ name, value, unit: 'bytes', line }]
  }

  listUnreadable(): ImportProblem[] {
    return [...new Set(this.unreadable)].map((line) => unreadableLine('vegeta', line))
  }
}

function createRun(report: VegetaTextReport, figures: PrintedFigures, complete: boolean): BlockRun {
  return createVegetaRun({
    form: 'vegeta-text',
    toolVersion: guessVersion(report),
    startedAt: null,
    quantiles: figures.quantiles(),
    requests: figures.read('Requests.total', 'requests', parseCount),
    requestsPerSecond: figures.read('Requests.rate', 'requestsPerSecond', parseDecimal),
    throughputPerSecond: figures.read('Requests.throughput', 'throughputPerSecond', parseDecimal),
    durationMs: figures.read('Duration.total', 'durationMs', parseVegetaDuration),
    attackMs: figures.read('Duration.attack', 'attackMs', parseVegetaDuration),
    waitMs: figures.read('Duration.wait', 'waitMs', parseVegetaDuration),
    minMs: figures.read('Latencies.min', 'latencies.0.minMs', parseVegetaDuration),
    meanMs: figures.read('Latencies.mean', 'latencies.0.meanMs', parseVegetaDuration),
    maxMs: figures.read('Latencies.max', 'latencies.0.maxMs', parseVegetaDuration),
    histogram: null,
    bytesIn: figures.read('Bytes In.total', 'bytesIn', parseCount),
    bytesOut: figures.read('Bytes Out.total', 'bytesOut', parseCount),
    successRatio: figures.read('Success.ratio', 'successRatio', (text) => parseScaled(text.replace(/%$/, ''), -2)),
    statusCodes: report.statusCodes,
    errors: report.errors,
    measures: [...figures.bytesMean('Bytes In', 'bytes-in-mean'), ...figures.bytesMean('Bytes Out', 'bytes-out-mean')],
    complete,
    printed: figures.printed,
    line: report.firstLine,
  })
}

/** Versions 6 to 10 print the smallest int64 if there was no result. */
function parseVegetaDuration(text: string): number | null {
  return text.startsWith('-2562047h') ? null : parseGoDuration(text)
}

function guessVersion({ rows }: VegetaTextReport): string | null {
  const latencies = rows.get('Latencies')?.columns
  const requests = rows.get('Requests')
  if (latencies !== undefined && /\bmin\b/.test(latencies)) return '>=12.8'
  if (requests?.isOpen !== false) return null
  if (!/\bthroughput\b/.test(requests.columns)) return '<12.6'
  return latencies === undefined ? null : '12.6-12.7'
}
