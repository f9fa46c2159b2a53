import { formatCountTick, formatMs, formatPercent, formatTick, plural, type ColumnUnit } from '../../lib/format'
import { leadingLatency } from '../../lib/run/figures'
import { barsOf, totalOf, type Bar } from '../../lib/stats/histogram'
import type { PlottedRun } from './hdr-plot'
import { histogramAxis, type HistogramAxis, type ScaleChoice } from './histogram-axis'
import { integerTicks, linearTicks, seriesStyle, type ScaleKind, type SeriesStyle } from './scale'

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
  readonly side: PlottedRun['side']
  readonly style: SeriesStyle
  readonly bars: readonly HistogramBar[]
}

/** Everything that a latency histogram shows, decided here; both drawings only render it. */
export interface HistogramPlot {
  readonly kind: 'histogram'
  readonly title: string
  readonly unit: ColumnUnit
  readonly overlaid: boolean
  readonly scale: ScaleKind
  readonly xDomain: readonly [number, number]
  readonly xTicks: readonly { readonly ms: number; readonly label: string }[]
  readonly yDomain: readonly [number, number]
  readonly yTicks: readonly { readonly value: number; readonly label: string }[]
  readonly series: readonly HistogramSeries[]
  /** Requests that no bar shows: those in an open last bucket. Null: none. */
  readonly note: string | null
  /** Whether the width of the bars can be chosen: not where the tool printed its buckets. */
  readonly hasBarChoice: boolean
}

/** How a histogram is drawn. `scale` null: chosen by the data. */
export interface HistogramOptions {
  readonly scale?: ScaleChoice
  readonly barCount?: number
  /** The axis to draw on, where other drawings share it; absent: that of the histograms. */
  readonly axis?: HistogramAxis | null
}

/**
 * Prepares the histogram of one run (counts, or requests per ms where its buckets are of several widths) or of several
 * (outlines of the share of requests per ms); null when no run has one.
 */
export function prepareLatencyHistogram(
  runs: readonly PlottedRun[],
  { scale: wanted = null, barCount = 40, axis: given = null }: HistogramOptions = {},
): HistogramPlot | null {
  const histograms = runs.flatMap((run, index) => {
    const histogram = leadingLatency(run.imported)?.histogram
    return histogram && totalOf(barsOf(histogram, 'log', 1)) > 0
      ? [{ run, histogram, style: seriesStyle(run.styleIndex ?? index) }]
      : []
  })
  const own = histogramAxis(
    histograms.flatMap(({ histogram }) => barsOf(histogram, 'log', 120)),
    wanted,
  )
  const axis = own && (given ?? own)
  if (axis === null) return null
  const { scale, unit, xDomain } = axis
  const found = histograms.map(({ run, histogram, style }) => ({
    run,
    style,
    bars: barsOf(histogram, scale, barCount),
  }))
  const overlaid = found.length > 1
  const uneven = !overlaid && found.some(({ bars }) => areUneven(bars, scale))
  const isDensity = overlaid || uneven
  const series = found.map(({ run, bars, style }): HistogramSeries => {
    const total = Math.max(1, totalOf(bars))
    const closed = bars.filter((bar): bar is Bar & { upperMs: number } => bar.upperMs !== null)
    const drawn = closed.map((bar): HistogramBar => {
      const width = widthOf(Math.max(bar.lowerMs, xDomain[0]), bar.upperMs, scale) * (scale === 'log' ? 1 : unit.factor)
      const least = (scale === 'log' ? 1 : xDomain[1] * unit.factor) / 2_000
      const amount = overlaid ? bar.count / total : bar.count
      const height = isDensity ? amount / Math.max(width, least) : amount
      return { fromMs: bar.lowerMs, toMs: bar.upperMs, count: bar.count, height }
    })
    return { id: run.id, name: run.name, side: run.side, style, bars: drawn }
  })
  const tallest = Math.max(
    ...series.flatMap((one) => one.bars.map((bar) => (isDensity && bar.toMs === bar.fromMs ? 0 : bar.height))),
  )
  const yTicks = (isDensity ? linearTicks(tallest) : integerTicks(tallest)).map((value) => ({
    value,
    label: overlaid ? formatPercent(value) : formatCountTick(value),
  }))
  const per = scale === 'log' ? 'doubling' : unit.label
  const logWords = scale === 'log' ? ', log scale' : ''
  return {
    kind: 'histogram',
    title: overlaid
      ? `Share of requests per ${per}, by latency (${unit.label}${logWords})`
      : `Requests ${uneven ? `per ${per}, ` : ''}by latency (${unit.label}${logWords})`,
    unit,
    overlaid,
    scale,
    xDomain,
    xTicks: axis.ticksMs.map((ms) => ({ ms, label: formatTick(ms * unit.factor) })),
    yDomain: [0, yTicks.at(-1)?.value ?? tallest],
    yTicks,
    series,
    note: noteOf(found),
    hasBarChoice: histograms.some(({ histogram }) => histogram.kind === 'hdr'),
  }
}

/** A bucket's width on the axis: ms, or doublings where the axis is logarithmic. */
const widthOf = (fromMs: number, toMs: number, scale: ScaleKind): number =>
  scale === 'log' ? Math.log2(toMs / fromMs) : toMs - fromMs

/** Buckets of which the widest is more than three times as wide as the narrowest: their counts do not compare. */
function areUneven(bars: readonly Bar[], scale: ScaleKind): boolean {
  const widths = bars.flatMap(({ lowerMs, upperMs, count }) =>
    upperMs === null || upperMs === lowerMs || count === 0 || (scale === 'log' && lowerMs <= 0)
      ? []
      : [widthOf(lowerMs, upperMs, scale)],
  )
  return widths.length > 1 && Math.max(...widths) > 3 * Math.min(...widths)
}

/** What open last buckets hold: their requests have no width, so no bar. */
function noteOf(found: readonly { readonly run: PlottedRun; readonly bars: readonly Bar[] }[]): string | null {
  const parts = found.flatMap(({ run, bars }) => {
    const open = bars.find((bar) => bar.upperMs === null)
    if (!open || open.count === 0) return []
    const name = found.length > 1 ? `${run.name}: ` : ''
    return [`${name}${plural(open.count, 'request')} beyond the last bucket, at ${formatMs(open.lowerMs)} or more`]
  })
  return parts.length === 0 ? null : `Not drawn: ${parts.join('; ')}.`
}
