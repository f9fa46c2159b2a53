import { columnUnit, formatCount, formatNumber, formatTick, formatPercent, type ColumnUnit } from '../../lib/format'
import { leadingLatency } from '../../lib/figures'
import { barsOf, totalOf, type Bar } from '../../lib/histogram'
import type { PlottedRun } from './hdr-plot'
import { linearTicks, seriesStyle, type SeriesStyle } from './scale'

export interface HistogramBar {
  readonly fromMs: number
  readonly toMs: number
  readonly count: number
  /**
   * What the bar's height shows: the count; the requests per ms where widths differ, so that areas compare; the share of
   * the run's requests per ms when runs are overlaid.
   */
  readonly height: number
}

export interface HistogramSeries {
  readonly id: string
  readonly name: string
  readonly style: SeriesStyle
  readonly bars: readonly HistogramBar[]
}

/** Everything that a latency histogram shows, decided here; both drawings only render it. */
export interface HistogramPlot {
  readonly kind: 'histogram'
  readonly title: string
  readonly unit: ColumnUnit
  readonly overlaid: boolean
  readonly xDomain: readonly [number, number]
  readonly xTicks: readonly { readonly ms: number; readonly label: string }[]
  readonly yDomain: readonly [number, number]
  readonly yTicks: readonly { readonly value: number; readonly label: string }[]
  readonly series: readonly HistogramSeries[]
  readonly table: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
}

/**
 * Prepares the histogram of one run (counts, or requests per ms where its buckets are of several widths) or of several
 * (outlines of the share of requests per ms); null when no run has one.
 */
export function prepareLatencyHistogram(runs: readonly PlottedRun[]): HistogramPlot | null {
  const found = runs.flatMap((run, index) => {
    const histogram = leadingLatency(run.imported)?.histogram
    const bars = histogram ? barsOf(histogram).filter((bar) => bar.upperMs !== null || bar.count > 0) : []
    return totalOf(bars) > 0 ? [{ run, bars, style: seriesStyle(run.styleIndex ?? index) }] : []
  })
  if (found.length === 0) return null
  const overlaid = found.length > 1
  const uneven = !overlaid && found.some(({ bars }) => areUneven(bars))
  const largestMs = Math.max(...found.flatMap(({ bars }) => bars.map((bar) => bar.upperMs ?? bar.lowerMs)))
  const unit = columnUnit('ms', [largestMs])
  const series = found.map(({ run, bars, style }) => {
    const total = totalOf(bars)
    const drawn = bars.map((bar): HistogramBar => {
      const toMs = bar.upperMs ?? largestMs
      const widthMs = Math.max(toMs - bar.lowerMs, largestMs / 2_000)
      return {
        fromMs: bar.lowerMs,
        toMs,
        count: bar.count,
        height: overlaid || uneven ? bar.count / (overlaid ? total : 1) / (widthMs * unit.factor) : bar.count,
      }
    })
    return { id: run.id, name: run.name, style, bars: drawn }
  })
  const tallest = Math.max(
    ...series.flatMap((one) => one.bars.filter((bar) => bar.toMs > bar.fromMs).map((bar) => bar.height)),
  )
  const xTicks = linearTicks(largestMs * unit.factor).map((tick) => ({
    ms: tick / unit.factor,
    label: formatTick(tick),
  }))
  const yTicks = linearTicks(tallest).map((value) => ({
    value,
    label: overlaid ? formatPercent(value) : uneven ? formatTick(value) : formatCount(value),
  }))
  return {
    kind: 'histogram',
    title: overlaid
      ? `Share of requests per ${unit.label}, by latency (${unit.label})`
      : `Requests ${uneven ? `per ${unit.label}, ` : ''}by latency (${unit.label})`,
    unit,
    overlaid,
    xDomain: [0, xTicks.at(-1)?.ms ?? largestMs],
    xTicks,
    yDomain: [0, yTicks.at(-1)?.value ?? tallest],
    yTicks,
    series,
    table: tableOf(series, unit),
  }
}

/** Buckets of which the widest is more than three times as wide as the narrowest: their counts do not compare. */
function areUneven(bars: readonly Bar[]): boolean {
  const widths = bars.flatMap(({ lowerMs, upperMs, count }) =>
    upperMs === null || upperMs === lowerMs || count === 0 ? [] : [upperMs - lowerMs],
  )
  return widths.length > 1 && Math.max(...widths) > 3 * Math.min(...widths)
}

function tableOf(series: readonly HistogramSeries[], unit: ColumnUnit): HistogramPlot['table'] {
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
