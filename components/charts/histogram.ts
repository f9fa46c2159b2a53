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
import { histogramAxis, type HistogramAxis, type ScaleChoice } from './axes/histogram-axis'
import { axisOver } from './plot/latency-axis'
import type { BarsMark, Plot, PlotTable, Prepared, Series } from './plot/model'
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
  const found = histograms.map(({ run, histogram, series }) => {
    return { run, series, bars: barsOf(histogram, axis.scale, barCount) }
  })
  const heights = heightsOf(found, axis)
  return {
    plot: plotOf(found, heights, axis),
    bars: heights.bars,
    hasBarChoice: histograms.some(({ histogram }) => histogram.kind === 'hdr'),
    table: () =>
      tableOf(
        histograms.map(({ series }) => series),
        heights.bars,
        axis.unit,
      ),
  }
}

/** A run with its buckets on the axis. */
interface Found {
  readonly run: PlottedRun
  readonly series: Series
  readonly bars: readonly Bar[]
}

interface Heights {
  readonly bars: PreparedHistogram['bars']
  /** Of several runs: shares of requests. */
  readonly isOverlaid: boolean
  /** Per ms or doubling: heights of buckets with several widths, or of several runs. */
  readonly isDensity: boolean
}

function heightsOf(found: readonly Found[], { scale, unit, xDomain }: HistogramAxis): Heights {
  const isOverlaid = found.length > 1
  const isDensity = isOverlaid || found.some(({ bars }) => areUneven(bars, scale))
  const [perUnit, leastWidth] = scale === 'log' ? [1, 1 / 2_000] : [unit.factor, (xDomain[1] * unit.factor) / 2_000]
  const bars = found.map(({ bars: all }) => {
    const total = Math.max(1, totalOf(all))
    const closed = all.filter((bar): bar is Bar & { upperMs: number } => bar.upperMs !== null)
    return closed.map(({ lowerMs, upperMs, count }): HistogramBar => {
      const width = widthOf(Math.max(lowerMs, xDomain[0]), upperMs, scale) * perUnit
      const amount = isOverlaid ? count / total : count
      return {
        fromMs: lowerMs,
        toMs: upperMs,
        count,
        height: isDensity ? amount / Math.max(width, leastWidth) : amount,
      }
    })
  })
  return { bars, isOverlaid, isDensity }
}

function plotOf(found: readonly Found[], { bars, isOverlaid, isDensity }: Heights, axis: HistogramAxis): Plot {
  const { scale, unit, xDomain } = axis
  const tallest = Math.max(...bars.flat().map((bar) => (isDensity && bar.toMs === bar.fromMs ? 0 : bar.height)))
  const ticks = isDensity ? linearTicks(tallest) : integerTicks(tallest)
  const [per, onAxis] = scale === 'log' ? ['doubling', `${unit.label}, log scale`] : [unit.label, unit.label]
  const words = isDensity ? `per ${per} of latency (${onAxis})` : `by latency (${onAxis})`
  return {
    id: 'histogram',
    title: `${isOverlaid ? 'Share of requests' : 'Requests'} ${words}`,
    x: { scale, domain: xDomain, ticks: axis.ticksMs.map((ms) => ({ at: ms, label: formatTick(ms * unit.factor) })) },
    series: found.map(({ series }) => (isOverlaid ? series : { ...series, readAs: 'Requests' })),
    panels: [
      {
        y: axisOver(ticks, isOverlaid ? formatPercent : formatCountTick),
        marks: bars.map((own, series) => markOf(own, series, isOverlaid ? outlineOf(found[series]?.run) : single)),
        says: isOverlaid ? 'requests' : 'count',
        frame: 'large',
      },
    ],
    places: [],
    heading: { kind: isOverlaid ? 'latency' : 'bar' },
    legend: 'lines',
    note: noteOf(found),
    isRich: true,
  }
}

const single = { style: 'bars', opacity: 0.75 } as const

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
function noteOf(found: readonly Found[]): string | null {
  const parts = found.flatMap(({ run, bars }) => {
    const open = bars.find((bar) => bar.upperMs === null)
    if (!open || open.count === 0) return []
    const name = found.length > 1 ? `${run.name}: ` : ''
    return [`${name}${plural(open.count, 'request')} beyond the last bucket, at ${formatMs(open.lowerMs)} or more`]
  })
  return parts.length === 0 ? null : `Not drawn: ${parts.join('; ')}.`
}
