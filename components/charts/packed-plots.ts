import { xToQuantile } from '../../lib/quantile'
import type { EcdfPlot, EcdfSeries } from './ecdf-plot'
import type { HdrPlot, HdrSeries } from './hdr-plot'
import type { HistogramPlot, HistogramSeries } from './latency-histogram'

/** The plots that a frame shows. */
export type FramedPlot = HdrPlot | HistogramPlot | EcdfPlot

type PackedSeries<Series> = Omit<Series, 'points' | 'bars'> & {
  /** Columns between `;`, numbers between spaces. */
  readonly numbers: string
}
type Unfilled<Plot extends FramedPlot> = Omit<Plot, 'series'>

/**
 * What a frame sends to the browser: one plot, prepared for one or two scales that have the same series. Their numbers go
 * as text, a quarter of what they are as objects.
 */
export type PackedPlots =
  | {
      readonly kind: 'hdr'
      readonly linear: Unfilled<HdrPlot>
      readonly log: Unfilled<HdrPlot> | null
      readonly series: readonly PackedSeries<HdrSeries>[]
    }
  | {
      readonly kind: 'histogram'
      readonly linear: Unfilled<HistogramPlot>
      readonly log: null
      readonly series: readonly PackedSeries<HistogramSeries>[]
    }
  | {
      readonly kind: 'ecdf'
      readonly linear: Unfilled<EcdfPlot>
      readonly log: null
      readonly series: readonly PackedSeries<EcdfSeries>[]
    }

/** Twelve digits hold whatever a tool prints, without the dust of conversions. */
const column = (values: readonly number[], digits = 12): string =>
  values.map((value) => (Number.isInteger(value) ? value : Number(value.toPrecision(digits)))).join(' ')
/** Of a share or a height, which is drawn and read to four. */
const shareDigits = 9

const columnsOf = (numbers: string): readonly (readonly number[])[] =>
  numbers.split(';').map((text) => (text === '' ? [] : text.split(' ').map(Number)))

function unfilled({ series: _, ...plot }: HdrPlot): Unfilled<HdrPlot> {
  return plot
}

/** Packs the plot of a run or a comparison; `log` null: one scale only. */
export function packHdrPlots(linear: HdrPlot, log: HdrPlot | null): PackedPlots {
  const packed = linear.series.map(({ points, ...own }) => {
    const flags = points.map((point) => (point.marked ? 1 : 0) + (point.supported ? 2 : 0))
    const columns = [points.map((point) => point.x), points.map((point) => point.ms), flags]
    return { ...own, numbers: columns.map((values) => column(values)).join(';') }
  })
  return { kind: 'hdr', linear: unfilled(linear), log: log && unfilled(log), series: packed }
}

/** Packs the histograms of a run or a comparison. */
export function packHistogramPlot({ series, ...rest }: HistogramPlot): PackedPlots {
  const packed = series.map(({ bars, ...own }) => {
    const columns = [
      column(bars.map((bar) => bar.fromMs)),
      column(bars.map((bar) => bar.toMs)),
      column(bars.map((bar) => bar.count)),
      column(
        bars.map((bar) => bar.height),
        shareDigits,
      ),
    ]
    return { ...own, numbers: columns.join(';') }
  })
  return { kind: 'histogram', linear: rest, log: null, series: packed }
}

/** Packs the cumulative curves of a run or a comparison. */
export function packEcdfPlot({ series, ...rest }: EcdfPlot): PackedPlots {
  const packed = series.map(({ points, ...own }) => {
    const shares = points.map((point) => point.share)
    return { ...own, numbers: `${column(points.map((point) => point.ms))};${column(shares, shareDigits)}` }
  })
  return { kind: 'ecdf', linear: rest, log: null, series: packed }
}

/** The plots as they were prepared, to twelve digits. */
export function unpackPlots(packed: PackedPlots): { readonly linear: FramedPlot; readonly log: HdrPlot | null } {
  if (packed.kind === 'hdr') {
    const series = packed.series.map(({ numbers, ...own }): HdrSeries => {
      const [xs = [], ms = [], flags = []] = columnsOf(numbers)
      const points = xs.map((x, at) => {
        const flag = flags[at] ?? 0
        return { x, q: xToQuantile(x), ms: ms[at] ?? Number.NaN, marked: flag % 2 === 1, supported: flag >= 2 }
      })
      return { ...own, points }
    })
    return { linear: { ...packed.linear, series }, log: packed.log && { ...packed.log, series } }
  }
  if (packed.kind === 'ecdf') {
    const series = packed.series.map(({ numbers, ...own }): EcdfSeries => {
      const [ms = [], shares = []] = columnsOf(numbers)
      return { ...own, points: ms.map((one, at) => ({ ms: one, share: shares[at] ?? Number.NaN })) }
    })
    return { linear: { ...packed.linear, series }, log: null }
  }
  const series = packed.series.map(({ numbers, ...own }): HistogramSeries => {
    const [from = [], to = [], counts = [], heights = []] = columnsOf(numbers)
    const bars = from.map((fromMs, at) => ({
      fromMs,
      toMs: to[at] ?? Number.NaN,
      count: counts[at] ?? Number.NaN,
      height: heights[at] ?? Number.NaN,
    }))
    return { ...own, bars }
  })
  return { linear: { ...packed.linear, series }, log: null }
}
