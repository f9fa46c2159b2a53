import { xToQuantile } from '../../lib/stats/quantile'
import type { EcdfPlot, EcdfSeries } from './ecdf-plot'
import type { HdrPlot, HdrPoint, HdrSeries } from './hdr-plot'
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
      /** Places on the axis that any series has, rising: runs of one length share almost all of theirs. */
      readonly xs: string
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

const numbersOf = (text: string): readonly number[] => (text === '' ? [] : text.split(' ').map(Number))
const columnsOf = (numbers: string): readonly (readonly number[])[] => numbers.split(';').map(numbersOf)

/** Rising whole numbers as runs of neighbours: `0-170 172 174-180`. */
function packRuns(values: readonly number[]): string {
  const runs: [number, number][] = []
  for (const value of values) {
    const last = runs.at(-1)
    if (last && value === last[1] + 1) last[1] = value
    else runs.push([value, value])
  }
  return runs.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(' ')
}

const unpackRuns = (text: string): readonly number[] =>
  text.split(' ').flatMap((run) => {
    const [from = 0, to = from] = run.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, at) => from + at)
  })

function unfilled({ series: _, ...plot }: HdrPlot): Unfilled<HdrPlot> {
  return plot
}

/** Packs the plot of a run or a comparison; `log` null: one scale only. */
export function packHdrPlots(linear: HdrPlot, log: HdrPlot | null): PackedPlots {
  const xs = [...new Set(linear.series.flatMap(({ points }) => points.map((point) => point.x)))].sort((a, b) => a - b)
  const placeOf = new Map(xs.map((x, place) => [x, place]))
  const packed = linear.series.map(({ points, ...own }) => {
    const places = (of: readonly HdrPoint[]) => packRuns(of.map(({ x }) => placeOf.get(x) ?? 0))
    const [marked, faded] = [points.filter((point) => point.marked), points.filter((point) => !point.supported)]
    const columns = [places(points), column(points.map((point) => point.ms)), places(marked), places(faded)]
    return { ...own, numbers: columns.join(';') }
  })
  return { kind: 'hdr', linear: unfilled(linear), log: log && unfilled(log), xs: column(xs), series: packed }
}

/** Packs the histograms of a run or a comparison. */
export function packHistogramPlot({ series, ...rest }: HistogramPlot): PackedPlots {
  const packed = series.map(({ bars, ...own }) => {
    const columns = [
      column(bars.map((bar) => bar.fromMs)),
      // Mostly where the next one begins.
      bars.map((bar, at) => (bar.toMs === bars[at + 1]?.fromMs ? '' : column([bar.toMs]))).join(' '),
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
    const allXs = numbersOf(packed.xs)
    const series = packed.series.map(({ numbers, ...own }): HdrSeries => {
      const [places = '', msText = '', markedText = '', fadedText = ''] = numbers.split(';')
      const ms = numbersOf(msText)
      const [marked, faded] = [markedText, fadedText].map((text) => new Set(text === '' ? [] : unpackRuns(text)))
      const points = unpackRuns(places).map((place, at) => {
        const x = allXs[place] ?? Number.NaN
        const flags = { marked: marked?.has(place) ?? false, supported: !faded?.has(place) }
        return { x, q: xToQuantile(x), ms: ms[at] ?? Number.NaN, ...flags }
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
    const [from = [], , counts = [], heights = []] = columnsOf(numbers)
    const to = numbers.split(';')[1]?.split(' ') ?? []
    const bars = from.map((fromMs, at) => ({
      fromMs,
      toMs: (to[at] ? Number(to[at]) : from[at + 1]) ?? Number.NaN,
      count: counts[at] ?? Number.NaN,
      height: heights[at] ?? Number.NaN,
    }))
    return { ...own, bars }
  })
  return { linear: { ...packed.linear, series }, log: null }
}
