import { formatMs, formatPercent, formatTick } from '../../lib/format'
import { leadingLatency } from '../../lib/run/figures'
import { cumulativeOf, type CumulativePoint } from '../../lib/stats/cumulative'
import type { HistogramAxis } from './axes/histogram-axis'
import { axisOver } from './plot/latency-axis'
import { type DotsMark, type LineMark, type PlotTable, type Prepared, type Series } from './plot/model'
import { rankOf, short } from './plot/scale'
import { seriesOf, type PlottedRun } from './plotted-run'

/** The curve of a run. */
export interface EcdfCurve extends Series {
  /** Drawn as steps that hold until the next point; otherwise as lines between points. */
  readonly isStepped: boolean
  /** Printed points have a marker. */
  readonly isMarked: boolean
  /** Rising in both. */
  readonly points: readonly CumulativePoint[]
}

/** Cumulative curves as a plot. */
export interface PreparedEcdf extends Prepared {
  readonly curves: readonly EcdfCurve[]
}

/** A drawing has at most this many points, whatever the number of runs and requests. */
const maxPoints = 2_000
const minPlaces = 40
const maxPlaces = 200
const yAxis = axisOver([0, 0.25, 0.5, 0.75, 1], formatPercent)

/** Prepares the curves on this axis; null when nothing is known of any run. */
export function prepareEcdf(runs: readonly PlottedRun[], axis: HistogramAxis): PreparedEcdf | null {
  const placesMs = placesOf(axis, Math.min(maxPlaces, Math.max(minPlaces, Math.floor(maxPoints / runs.length) - 3)))
  const found = runs.map((run, index) => {
    const latency = leadingLatency(run.imported)
    return { run, series: seriesOf(run, index), curve: latency && cumulativeOf(latency, placesMs) }
  })
  const curves = found.flatMap(({ run, series, curve }): EcdfCurve[] => {
    if (!curve) return []
    const isMarked = curve.origin !== 'recorded' && (run.side?.size ?? 1) === 1
    return [{ ...series, isStepped: curve.steps, isMarked, points: curve.points }]
  })
  if (curves.length === 0) return null
  const { scale, unit, xDomain } = axis
  const isPrinted = found.some(({ curve }) => curve && curve.origin !== 'recorded')
  const unknown = found.filter(({ curve }) => !curve).map(({ run }) => run.name)
  const notes = [
    ...(isPrinted ? ['Marked steps are as printed; the share between two marks is unknown.'] : []),
    ...(unknown.length > 0 ? [`No distribution of ${unknown.join(', ')}.`] : []),
  ]
  const { places, placeOf } = rankOf(curves.flatMap(({ points }) => points.map(({ ms }) => ms)))
  const plot = {
    id: 'histogram',
    title: `Share of requests at or below a latency (${unit.label}${scale === 'log' ? ', log scale' : ''})`,
    x: { scale, domain: xDomain, ticks: axis.ticksMs.map((ms) => ({ at: ms, label: formatTick(ms * unit.factor) })) },
    series: curves.map(({ points: _, isStepped: _1, isMarked: _2, ...series }) => series),
  }
  return {
    plot: {
      ...plot,
      panels: [{ y: yAxis, marks: marksOf(curves, placeOf), says: 'percent', frame: 'large' }],
      places,
      heading: { kind: 'share' },
      isSorted: true,
      legend: curves.some(({ isMarked }) => isMarked) ? 'markers' : 'lines',
      note: notes.length > 0 ? notes.join(' ') : null,
      isRich: true,
    },
    curves,
    table: () => tableOf(curves),
  }
}

function marksOf(curves: readonly EcdfCurve[], placeOf: (ms: number) => number): readonly (LineMark | DotsMark)[] {
  return curves
    .flatMap(({ points, isStepped }, series): (LineMark | DotsMark)[] => {
      const at = points.map(({ ms }) => placeOf(ms))
      const y = points.map(({ share }) => short(share))
      return [{ kind: 'line', series, at, y, width: 2, isStepped, reads: 'share' }]
    })
    .concat(
      curves.flatMap(({ points, isMarked }, series): DotsMark[] =>
        isMarked
          ? [{ kind: 'dots', series, of: series, which: points.map((_, at) => at), isHollow: false, size: 1 }]
          : [],
      ),
    )
}

/** A longer table goes unread: every run keeps at most this many rows, including all of its printed ones. */
const maxRows = 25

function tableOf(curves: readonly EcdfCurve[]): PlotTable {
  const rows = curves.flatMap(({ name, points }) => {
    const every = Math.max(1, Math.ceil(points.length / maxRows))
    return points
      .filter((_, at) => at % every === 0 || at === points.length - 1)
      .map(({ ms, share }) => [name, formatMs(ms), formatPercent(share)])
  })
  return { head: ['Run', 'At or below', 'Share of requests'], rows }
}

/** Latencies at equal steps along the axis. */
function placesOf({ scale, xDomain: [from, to] }: HistogramAxis, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => {
    const share = index / (count - 1)
    return scale === 'log' ? from * (to / from) ** share : from + (to - from) * share
  })
}
