/**
 * vegeta's HDR plot (`report -type=hdrplot`), as
 * https://github.com/tsenart/vegeta/blob/v12.12.0/lib/reporters.go#L127 (NewHDRHistogramPlotReporter) prints it, from
 * 12.6 on. The values are t-digest estimates at a fixed list of quantiles; TotalCount is the quantile times the number
 * of requests, rounded, so that it counts nothing: no histogram can be made of it.
 *
 *     Value(ms)  Percentile  TotalCount  1/(1-Percentile)
 *     1.216324   0.000000    0           1.000000
 *     64.608662  1.000000    500         10000000.000000
 */
import type { Quantile } from '../../lib/run/run'
import type { TextImporter } from '../importer'
import { parseCount, parseDecimal } from '../text/number'
import { createVegetaRun, tableFigures } from './vegeta-report'
import { VegetaTableReader, type VegetaTableForm } from './vegeta-table'

interface Row extends Quantile {
  readonly count: number
  readonly printed: string
}

const heading = /^\s*V?alue\(ms\)\s+Percentile\s+TotalCount\s+1\/\(1-Percentile\)\s*$/
const rowLine = /^\s*(\d{1,15}\.\d{6})\s+([01]\.\d{6})\s+(\d{1,15})\s+\d{1,8}\.\d{6}\s*$/

/** Reads vegeta's HDR plot; in a `-every` capture the last one. */
export const vegetaHdrplot: TextImporter = {
  kind: 'text',
  id: 'vegeta-hdrplot',
  starts: 'Va',
  detect: ({ text }) => heading.test(text),
  open: () => new VegetaTableReader(form),
}

const form: VegetaTableForm<Row> = {
  name: "vegeta's HDR plot",
  hint: 'Upload the whole plot, down to the row of percentile 1.000000.',
  isHeading: (text) => heading.test(text),
  readRow,
  isLast: ({ q }) => q === 1,
  build: (rows, complete, line) => {
    const first = rows[0]
    const last = rows.at(-1)
    // Quantile 0 is the minimum, quantile 1 the maximum; the last row counts them all.
    const minimum = first?.q === 0 ? first : null
    const maximum = last?.q === 1 ? last : null
    const run = createVegetaRun({
      ...tableFigures,
      form: 'vegeta-hdrplot',
      toolVersion: '>=12.6',
      requests: maximum?.count ?? null,
      minMs: minimum?.ms ?? null,
      maxMs: maximum?.ms ?? null,
      quantiles: uniqueQuantiles(rows),
      histogram: null,
      complete,
      printed: {
        ...(minimum ? { 'latencies.0.minMs': minimum.printed } : {}),
        ...(maximum ? { 'latencies.0.maxMs': maximum.printed, requests: String(maximum.count) } : {}),
      },
      line,
    })
    return { run, problems: [] }
  },
}

function readRow(text: string): Row | null {
  const [, printed = '', quantile = '', total = ''] = rowLine.exec(text) ?? []
  const ms = parseDecimal(printed)
  const q = parseDecimal(quantile)
  const count = parseCount(total)
  return ms === null || q === null || q > 1 || count === null ? null : { ms, q, count, printed }
}

/** Six decimals can print two neighbours identically. */
function uniqueQuantiles(rows: readonly Row[]): Quantile[] {
  return rows.filter(({ q }, index) => q !== rows[index - 1]?.q).map(({ q, ms }) => ({ q, ms }))
}
