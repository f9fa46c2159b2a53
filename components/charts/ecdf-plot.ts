import { cumulativeOf } from '../../lib/stats/cumulative'
import { leadingLatency } from '../../lib/run/figures'
import { formatPercent, formatTick, type ColumnUnit } from '../../lib/format'
import type { CumulativePoint } from '../../lib/stats/share-at'
import type { HistogramAxis } from './histogram-axis'
import type { PlottedRun } from './hdr-plot'
import { seriesStyle, type ScaleKind, type SeriesStyle } from './scale'

export interface EcdfSeries {
  readonly id: string
  readonly name: string
  readonly side: PlottedRun['side']
  readonly style: SeriesStyle
  /** Drawn as steps that hold until the next point; else as lines between points. */
  readonly steps: boolean
  /** Printed points carry a marker. */
  readonly marked: boolean
  /** Rising in both. */
  readonly points: readonly CumulativePoint[]
}

/** The share of requests at or below each latency, all runs on one axis; decided here, both drawings only render it. */
export interface EcdfPlot {
  readonly kind: 'ecdf'
  readonly title: string
  readonly unit: ColumnUnit
  readonly scale: ScaleKind
  readonly xDomain: readonly [number, number]
  readonly xTicks: readonly { readonly ms: number; readonly label: string }[]
  /** In shares, 0…1. */
  readonly yTicks: readonly { readonly value: number; readonly label: string }[]
  readonly series: readonly EcdfSeries[]
  /** What the steps are, and of which runs nothing is known. Null: nothing to say. */
  readonly note: string | null
}

/** A drawing carries no more points, whatever the number of runs and requests. */
const mostPoints = 2_000
const fewestPlaces = 40
const mostPlaces = 200
const yTicks = [0, 0.25, 0.5, 0.75, 1].map((value) => ({ value, label: formatPercent(value) }))

/** Prepares the curves on this axis; null when of no run anything is known. */
export function prepareEcdf(runs: readonly PlottedRun[], axis: HistogramAxis): EcdfPlot | null {
  const placesMs = placesOf(
    axis,
    Math.min(mostPlaces, Math.max(fewestPlaces, Math.floor(mostPoints / runs.length) - 3)),
  )
  const found = runs.map((run, index) => {
    const latency = leadingLatency(run.imported)
    return { run, style: seriesStyle(run.styleIndex ?? index), curve: latency && cumulativeOf(latency, placesMs) }
  })
  const series = found.flatMap(({ run, style, curve }): EcdfSeries[] => {
    if (!curve) return []
    const marked = curve.origin !== 'recorded' && (run.side?.size ?? 1) === 1
    return [{ id: run.id, name: run.name, side: run.side, style, steps: curve.steps, marked, points: curve.points }]
  })
  if (series.length === 0) return null
  const { scale, unit, xDomain } = axis
  const isPrinted = found.some(({ curve }) => curve && curve.origin !== 'recorded')
  const unknown = found.filter(({ curve }) => !curve).map(({ run }) => run.name)
  const notes = [
    ...(isPrinted ? ['Marked steps are as printed; the share between two marks is unknown.'] : []),
    ...(unknown.length > 0 ? [`No distribution of ${unknown.join(', ')}.`] : []),
  ]
  return {
    kind: 'ecdf',
    title: `Share of requests at or below a latency (${unit.label}${scale === 'log' ? ', log scale' : ''})`,
    unit,
    scale,
    xDomain,
    xTicks: axis.ticksMs.map((ms) => ({ ms, label: formatTick(ms * unit.factor) })),
    yTicks,
    series,
    note: notes.length > 0 ? notes.join(' ') : null,
  }
}

/** Latencies at equal steps along the axis. */
function placesOf({ scale, xDomain: [from, to] }: HistogramAxis, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => {
    const share = index / (count - 1)
    return scale === 'log' ? from * (to / from) ** share : from + (to - from) * share
  })
}
