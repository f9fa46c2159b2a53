import {
  formatCount,
  formatCountTick,
  formatMs,
  formatNumber,
  formatPercent,
  formatTick,
  plural,
  type ColumnUnit,
} from '../../lib/format'
import { leadingLatency } from '../../lib/run/figures'
import { barsOf, totalOf, type Bar } from '../../lib/stats/histogram'
import { histogramAxis, type HistogramAxis, type ScaleChoice } from './histogram-axis'
import { axisOver } from './latency-axis'
import { type BarsMark, type PlotTable, type Prepared } from './plot/model'
import { integerTicks, linearTicks, short, type ScaleKind } from './plot/scale'
import { seriesOf, type PlottedRun } from './plotted-run'

interface HistogramBar {
  readonly fromMs: number
  readonly toMs: number
  readonly count: number
  /**
   * The bar's height: the count; requests per ms if widths differ, so that areas compare; the share of the run's
   * requests per ms when runs are overlaid.
   */
  readonly height: number
}

/** A histogram with its bars, by run. */
export interface PreparedHistogram extends Prepared {
  readonly bars: readonly (readonly HistogramBar[])[]
  /** Whether the width of the bars can be chosen: not if the tool printed its buckets. */
  readonly hasBarChoice: boolean
}

/** How a histogram is drawn. `scale` null: chosen by the data. */
export interface HistogramOptions {
  readonly scale?: ScaleChoice
  readonly barCount?: number
  /** The axis to draw on, if other drawings share it; absent: that of the histograms. */
  readonly axis?: HistogramAxis | null
}

/**
 * Prepares the histogram of one run (counts, or requests per ms if its buckets have several widths) or of several
 * (outlines of the share of requests per ms); null when no run has one.
 */
export function prepareHistogram(
  runs: readonly PlottedRun[],
  { scale: wanted = null, barCount = 40, axis: given = null }: HistogramOptions = {},
): PreparedHistogram | null {
  const histograms = runs.flatMap((run, index) => {
    const histogram = leadingLatency(run.imported)?.histogram
    return histogram && totalOf(barsOf(histogram, 'log', 1)) > 0
      ? [{ run, histogram, series: seriesOf(run, index) }]
      : []
  })
  const own = histogramAxis(
    histograms.flatMap(({ histogram }) => barsOf(histogram, 'log', 120)),
    wanted,
  )
  const axis = own && (given ?? own)
  if (axis === null) return null
  const { scale, unit, xDomain } = axis
  const found = histograms.map(({ run, histogram }) => ({ run, bars: barsOf(histogram, scale, barCount) }))
  const overlaid = found.length > 1
  const uneven = !overlaid && found.some(({ bars }) => areUneven(bars, scale))
  const isDensity = overlaid || uneven
  const heights = found.map(({ bars }) => {
    const total = Math.max(1, totalOf(bars))
    const closed = bars.filter((bar): bar is Bar & { upperMs: number } => bar.upperMs !== null)
    return closed.map((bar): HistogramBar => {
      const width = widthOf(Math.max(bar.lowerMs, xDomain[0]), bar.upperMs, scale) * (scale === 'log' ? 1 : unit.factor)
      const least = (scale === 'log' ? 1 : xDomain[1] * unit.factor) / 2_000
      const amount = overlaid ? bar.count / total : bar.count
      const height = isDensity ? amount / Math.max(width, least) : amount
      return { fromMs: bar.lowerMs, toMs: bar.upperMs, count: bar.count, height }
    })
  })
  const tallest = Math.max(...heights.flat().map((bar) => (isDensity && bar.toMs === bar.fromMs ? 0 : bar.height)))
  const per = scale === 'log' ? 'doubling' : unit.label
  const logWords = scale === 'log' ? ', log scale' : ''
  const single = { style: 'bars', opacity: 0.75 } as const
  const plot = {
    id: 'histogram',
    title: overlaid
      ? `Share of requests per ${per}, by latency (${unit.label}${logWords})`
      : `Requests ${uneven ? `per ${per}, ` : ''}by latency (${unit.label}${logWords})`,
    x: { scale, domain: xDomain, ticks: axis.ticksMs.map((ms) => ({ at: ms, label: formatTick(ms * unit.factor) })) },
    series: histograms.map((one) => (overlaid ? one.series : { ...one.series, readAs: 'Requests' })),
  }
  const yTicks = isDensity ? linearTicks(tallest) : integerTicks(tallest)
  return {
    plot: {
      ...plot,
      panels: [
        {
          y: axisOver(yTicks, overlaid ? formatPercent : formatCountTick),
          marks: heights.map((bars, series) => markOf(bars, series, overlaid ? outlineOf(found[series]?.run) : single)),
          says: overlaid ? 'requests' : 'count',
          frame: 'large',
        },
      ],
      places: [],
      heading: { kind: overlaid ? 'latency' : 'bar' },
      legend: 'lines',
      note: noteOf(found),
      isRich: true,
    },
    bars: heights,
    hasBarChoice: histograms.some(({ histogram }) => histogram.kind === 'hdr'),
    table: () => tableOf(plot.series, heights, unit),
  }
}

/** The outlines of repeats overlap. */
const outlineOf = (run: PlottedRun | undefined) => ({ style: 'outline', opacity: run?.side ? 0.04 : 0.12 }) as const

function markOf(
  bars: readonly HistogramBar[],
  series: number,
  look: { style: 'bars' | 'outline'; opacity: number },
): BarsMark {
  return {
    kind: 'bars',
    series,
    from: bars.map(({ fromMs }) => fromMs),
    to: bars.map(({ toMs }, at) => (toMs === bars[at + 1]?.fromMs ? null : toMs)),
    y: bars.map(({ height }) => short(height)),
    counts: bars.map(({ count }) => count),
    look: look.style,
    width: 2,
    opacity: look.opacity,
  }
}

function tableOf(
  series: readonly { readonly name: string }[],
  bars: PreparedHistogram['bars'],
  unit: ColumnUnit,
): PlotTable {
  const isOne = series.length < 2
  const rows = bars.flatMap((own, at) =>
    own.map(({ fromMs, toMs, count }) => {
      const bounds = [formatNumber(fromMs * unit.factor), formatNumber(toMs * unit.factor), formatCount(count)]
      return isOne ? bounds : [series[at]?.name ?? '', ...bounds]
    }),
  )
  const head = [`From (${unit.label})`, `To (${unit.label})`, 'Requests']
  return { head: isOne ? head : ['Run', ...head], rows }
}

/** A bucket's width on the axis: ms, or doublings on a logarithmic axis. */
const widthOf = (fromMs: number, toMs: number, scale: ScaleKind): number =>
  scale === 'log' ? Math.log2(toMs / fromMs) : toMs - fromMs

/** Buckets whose widest is more than three times as wide as the narrowest: their counts are not comparable. */
function areUneven(bars: readonly Bar[], scale: ScaleKind): boolean {
  const widths = bars.flatMap(({ lowerMs, upperMs, count }) =>
    upperMs === null || upperMs === lowerMs || count === 0 || (scale === 'log' && lowerMs <= 0)
      ? []
      : [widthOf(lowerMs, upperMs, scale)],
  )
  return widths.length > 1 && Math.max(...widths) > 3 * Math.min(...widths)
}

/** Requests in open last buckets: these have no width, so no bar. */
function noteOf(found: readonly { readonly run: PlottedRun; readonly bars: readonly Bar[] }[]): string | null {
  const parts = found.flatMap(({ run, bars }) => {
    const open = bars.find((bar) => bar.upperMs === null)
    if (!open || open.count === 0) return []
    const name = found.length > 1 ? `${run.name}: ` : ''
    return [`${name}${plural(open.count, 'request')} beyond the last bucket, at ${formatMs(open.lowerMs)} or more`]
  })
  return parts.length === 0 ? null : `Not drawn: ${parts.join('; ')}.`
}
