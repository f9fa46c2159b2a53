/**
 * vegeta's histogram (`report -type='hist[0,2ms,…]'`, or `-type=hist -buckets=…`), as
 * https://github.com/tsenart/vegeta/blob/v12.12.0/lib/reporters.go#L27 (NewHistogramReporter) prints it. Versions 6 to
 * 12 alike. The lower bound is inclusive; a first bucket from 0 is always there, and the last one is open.
 *
 *     Bucket           #    %       Histogram
 *     [0s,     2ms]    15   3.00%   ##
 *     [100ms,  +Inf]   0    0.00%
 */
import type { ImportProblem, LatencyBucket } from '../../lib/run/run'
import { parseGoDuration } from '../text/go-duration'
import type { BlockRun, TextImporter } from '../importer'
import { errorAt } from '../import-problem'
import { readAnnotated } from '../document/annotations'
import { parseCount } from '../text/number'
import { createVegetaRun, tableFigures } from './vegeta-report'
import { VegetaTableReader, type VegetaTableForm } from './vegeta-table'

interface Row extends LatencyBucket {
  /** As printed: `3.00`, `NaN`. */
  readonly percent: string
}

const heading = /^\s*B?ucket\s+#\s+%\s+Histogram\s*$/
const rowLine =
  /^\s*\[([\d.a-zµμ]{1,40}),\s*([\d.a-zµμ]{1,40}|\+Inf)\]\s+(\d{1,15})\s+(\d{1,3}\.\d\d|NaN)%\s*(?:#+\s*)?$/

/** Reads vegeta's histogram; in a `-every` capture the last one. */
export const vegetaHist: TextImporter = {
  kind: 'text',
  id: 'vegeta-hist',
  starts: 'Bu',
  detect: ({ text }) => heading.test(text),
  open: () => readAnnotated(new VegetaTableReader(form)),
}

const form: VegetaTableForm<Row> = {
  name: "vegeta's histogram",
  hint: 'Upload the whole histogram, down to the row that ends with "+Inf".',
  isHeading: (text) => heading.test(text),
  readRow,
  isLast: (row) => row.upperMs === null,
  build,
}

function readRow(text: string): Row | null {
  const [, from = '', to = '', printedCount = '', percent = ''] = rowLine.exec(text) ?? []
  const lowerMs = parseGoDuration(from)
  const upperMs = to === '+Inf' ? null : parseGoDuration(to)
  const count = parseCount(printedCount)
  if (lowerMs === null || count === null || (upperMs === null && to !== '+Inf')) return null
  return { lowerMs, upperMs, count, percent }
}

function build(rows: readonly Row[], complete: boolean, line: number): { run: BlockRun; problems: ImportProblem[] } {
  const total = rows.reduce((sum, { count }) => sum + count, 0)
  const problems = complete ? listFaults(rows, total, line) : []
  const isSound = problems.length === 0
  const buckets = rows.map(({ lowerMs, upperMs, count }): LatencyBucket => ({ lowerMs, upperMs, count }))
  const run = createVegetaRun({
    ...tableFigures,
    form: 'vegeta-hist',
    toolVersion: null,
    // Missing rows have counts too.
    requests: complete ? total : null,
    minMs: null,
    maxMs: null,
    quantiles: [],
    histogram: { kind: 'buckets', inclusive: 'lower', buckets },
    complete: isSound,
    printed: {},
    line,
  })
  const latencies = run.latencies.map((latency) => ({ ...latency, origin: 'buckets', method: 'buckets' }) as const)
  return { run: { ...run, latencies }, problems }
}

/** Bounds that are not adjacent, and shares that do not match the counts: something was edited or lost. */
function listFaults(rows: readonly Row[], total: number, line: number): ImportProblem[] {
  const faults = rows.flatMap((row, index) => {
    const before = rows[index - 1]
    const isAdjacent = before === undefined ? row.lowerMs === 0 : before.upperMs === row.lowerMs
    const isRising = row.upperMs === null || row.upperMs > row.lowerMs
    const isShare = total === 0 || Math.abs((row.count / total) * 100 - Number(row.percent)) <= 0.0051
    return isAdjacent && isRising && isShare ? [] : [line + index + 1]
  })
  const [first] = faults
  if (first === undefined) return []
  const message = "a row of vegeta's histogram does not fit the others: its bounds, or its share of all requests"
  return [errorAt('inconsistent', first, message, 'Upload the histogram as vegeta printed it.')]
}
