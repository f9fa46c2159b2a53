import { formatCount, formatInColumn, formatMs, formatNumber, formatPercent } from '../../lib/format'
import { quantileName } from '../../lib/stats/quantile'
import type { EcdfPlot } from './ecdf-plot'
import type { HdrPlot, HdrSeries } from './hdr-plot'
import type { HistogramPlot } from './latency-histogram'

/** The figures behind a plot, as texts. */
export interface PlotTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** The figures behind any plot of a frame; made where they are shown, since they would be much of a page. */
export function tableOf(plot: HdrPlot | HistogramPlot | EcdfPlot): PlotTable {
  return plot.kind === 'hdr' ? hdrTable(plot) : plot.kind === 'ecdf' ? ecdfTable(plot) : histogramTable(plot)
}

const tableQuantiles = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999, 0.999999]

function hdrTable({ series, unit }: HdrPlot): PlotTable {
  const near = (one: HdrSeries, q: number) => one.points.find((point) => Math.abs(point.q - q) < 1e-9)
  const at = (one: HdrSeries, q: number) =>
    near(one, q) ??
    (one.points.some((point) => !point.marked) ? one.points.findLast((point) => point.q <= q) : undefined)
  const rows = tableQuantiles
    .filter((q) =>
      series.some(
        (one) => near(one, q) || (one.points.some((point) => !point.marked) && (one.points.at(-1)?.q ?? 0) >= q),
      ),
    )
    .map((q) => [
      q === 0 ? 'fastest' : quantileName(q),
      ...series.map((one) => formatInColumn(at(one, q)?.ms ?? null, 'ms', unit)),
    ])
  return { head: ['Percentile', ...series.map((one) => `${one.name} (${unit.label})`)], rows }
}

function histogramTable({ series, unit }: HistogramPlot): PlotTable {
  const rows = series.flatMap((one) =>
    one.bars.map((bar) => {
      const bounds = [
        formatNumber(bar.fromMs * unit.factor),
        formatNumber(bar.toMs * unit.factor),
        formatCount(bar.count),
      ]
      return series.length > 1 ? [one.name, ...bounds] : bounds
    }),
  )
  const head = [`From (${unit.label})`, `To (${unit.label})`, 'Requests']
  return { head: series.length > 1 ? ['Run', ...head] : head, rows }
}

/** Longer, nobody reads it: every run keeps at most so many rows, its printed ones all. */
const mostRows = 25

function ecdfTable({ series }: EcdfPlot): PlotTable {
  const rows = series.flatMap(({ name, points }) => {
    const every = Math.max(1, Math.ceil(points.length / mostRows))
    return points
      .filter((_, at) => at % every === 0 || at === points.length - 1)
      .map(({ ms, share }) => [name, formatMs(ms), formatPercent(share)])
  })
  return { head: ['Run', 'At or below', 'Share of requests'], rows }
}
