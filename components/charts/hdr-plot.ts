import { columnUnit, formatCount, formatMs, formatTick, plural, type ColumnUnit } from '../../lib/format'
import { leadingLatency } from '../../lib/run/figures'
import { barsOf, quantilePoints, totalOf } from '../../lib/stats/histogram'
import {
  leastAbove,
  quantileName,
  quantileTicks,
  quantileToX,
  supportedQuantile,
  type QuantileTick,
} from '../../lib/stats/quantile'
import type { ImportedRun } from '../../lib/run/run'
import { linearTicks, logTicks, place, seriesStyle, type ScaleKind, type SeriesStyle } from './scale'

export interface HdrPoint {
  readonly x: number
  readonly q: number
  readonly ms: number
  /** Printed by the tool (or the slowest value of a known count), not read off a histogram. */
  readonly marked: boolean
  /** False: fewer than 10 values lie above, the line fades. */
  readonly supported: boolean
}

export interface HdrSeries {
  readonly id: string
  readonly name: string
  readonly side: PlottedRun['side']
  readonly style: SeriesStyle
  /** Rising in x. */
  readonly points: readonly HdrPoint[]
  /** Why the line ends where it does; null when there is nothing to say. */
  readonly endNote: string | null
}

/** Everything that a percentile plot shows, decided here; both drawings only render it. */
export interface HdrPlot {
  readonly kind: 'hdr'
  readonly title: string
  readonly unit: ColumnUnit
  readonly scale: ScaleKind
  readonly xDomain: readonly [number, number]
  readonly xTicks: readonly QuantileTick[]
  readonly yDomain: readonly [number, number]
  /** In ms. */
  readonly yTicks: readonly { readonly ms: number; readonly label: string }[]
  readonly series: readonly HdrSeries[]
  /** A limit that latencies should keep, as a line across, its words at the end farther from the curves; null: none. */
  readonly limit: { readonly ms: number; readonly label: string; readonly side: 'left' | 'right' } | null
}

export interface PlottedRun {
  readonly id: string
  readonly name: string
  /** Place of its side, where repeats of one side share a style; absent: its own place. */
  readonly styleIndex?: number
  /** The side that it repeats a run of, and how many runs that has; absent: it stands for itself. */
  readonly side?: { readonly name: string; readonly size: number } | undefined
  readonly imported: Pick<ImportedRun, 'latencies' | 'tool' | 'requests'>
}

const mostSeries = 40
/** A drawing carries about as many points, whatever the number of runs and requests. */
const mostPoints = 2_000

/** Above this ratio of the slowest to the fastest point a linear axis would press some runs to the floor. */
const widestLinearRatio = 200

/** The scale that shows every series: log when their medians or ends are far apart. */
export function readableScale(plot: HdrPlot): ScaleKind {
  const last = plot.series.map((one) => one.points.findLast((point) => point.supported)?.ms ?? 0).filter((ms) => ms > 0)
  return plot.series.length > 1 && Math.max(...last) / Math.min(...last) > widestLinearRatio ** 0.5 ? 'log' : 'linear'
}

/** Prepares the percentile plot of 1–10 sides; null when none has a percentile. */
export function prepareHdrPlot(
  runs: readonly PlottedRun[],
  scale: ScaleKind = 'linear',
  limitMs: number | null = null,
): HdrPlot | null {
  return hdrPlotOf(seriesOfAll(runs), scale, limitMs)
}

/** The same on both scales, whose curves are one and the same: they are read, and sent, once. */
export function prepareHdrPlots(
  runs: readonly PlottedRun[],
  limitMs: number | null,
): { readonly linear: HdrPlot; readonly log: HdrPlot | null } | null {
  const series = seriesOfAll(runs)
  const linear = hdrPlotOf(series, 'linear', limitMs)
  const log = hdrPlotOf(series, 'log', limitMs)
  return linear && { linear, log: log?.scale === 'log' ? log : null }
}

/** Whether a percentile plot of these runs shows anything: asked for the layout, where the plot itself is made elsewhere. */
export function hasHdrPlot(runs: readonly PlottedRun[]): boolean {
  return runs.some(({ imported }) => {
    const latency = leadingLatency(imported)
    if (!latency) return false
    const isRecorded = latency.histogram?.kind === 'hdr' && totalOf(barsOf(latency.histogram, 'log', 1)) > 0
    return isRecorded || latency.quantiles.some(({ q }) => q < 1)
  })
}

function seriesOfAll(runs: readonly PlottedRun[]): readonly HdrSeries[] {
  const shown = runs.slice(0, mostSeries)
  const most = Math.floor(mostPoints / Math.max(1, shown.length))
  return shown.flatMap((run, index) => seriesOf(run, index, most) ?? [])
}

function hdrPlotOf(series: readonly HdrSeries[], scale: ScaleKind, limitMs: number | null): HdrPlot | null {
  const points = series.flatMap((one) => one.points)
  if (points.length === 0) return null
  // The axis reaches to the limit, too.
  const shownMs = [...points.map((point) => point.ms), ...(limitMs === null ? [] : [limitMs])]
  const largestMs = Math.max(...shownMs)
  const smallestMs = Math.min(...shownMs.filter((ms) => ms > 0), largestMs)
  const lastX = Math.max(...points.map((point) => point.x))
  const xTicks = quantileTicks(lastX)
  const unit = columnUnit('ms', [largestMs])
  const used = scale === 'log' && smallestMs > 0 ? 'log' : 'linear'
  const ticks =
    used === 'log'
      ? logTicks(smallestMs, largestMs)
      : linearTicks(largestMs * unit.factor).map((tick) => tick / unit.factor)
  const yDomain = [ticks[0] ?? 0, ticks.at(-1) ?? largestMs] as const
  return {
    kind: 'hdr',
    title: `Latency by percentile (${unit.label})`,
    unit,
    scale: used,
    xDomain: [1, Math.max(lastX * 1.15, xTicks.length === 2 ? 10 : lastX * 1.15)],
    xTicks: xTicks.filter((tick) => tick.x <= Math.max(10, lastX * 1.15)),
    yDomain,
    yTicks: ticks.map((ms) => ({ ms, label: formatTick(ms * unit.factor) })),
    series,
    limit: limitMs === null ? null : limitOf(limitMs, series, (ms) => place(ms, yDomain, used)),
  }
}

/** Latencies rise from left to right: where the nearest curve is farther from the line, its words can be read. */
function limitOf(ms: number, series: readonly HdrSeries[], height: (ms: number) => number): HdrPlot['limit'] {
  const gap = (end: 0 | -1) =>
    Math.min(
      ...series.flatMap(({ points }) => points.at(end) ?? []).map((point) => Math.abs(height(point.ms) - height(ms))),
    )
  return { ms, label: `SLO ${formatMs(ms)}`, side: gap(-1) > gap(0) ? 'right' : 'left' }
}

function seriesOf(run: PlottedRun, index: number, most: number): HdrSeries | null {
  const latency = leadingLatency(run.imported)
  if (!latency) return null
  // Not the requests: wrk adds values and leaves others out, so nobody knows of how many its slowest is the slowest.
  const { count } = latency
  const supported = count === null ? null : supportedQuantile(count)
  const recorded = latency.histogram?.kind === 'hdr'
  const isSupported = (q: number) => count === null || (supported !== null && q <= supported + 1e-9)
  const points = quantilePoints(latency, supported === null ? [] : [supported], most - 20)
    .filter(({ q }) => q < 1)
    .map(({ q, ms }): HdrPoint => ({ x: quantileToX(q), q, ms, marked: !recorded, supported: isSupported(q) }))
  if (points.length === 0) return null
  if (latency.minMs !== null && points[0]?.q !== 0)
    points.unshift({ x: 1, q: 0, ms: latency.minMs, marked: true, supported: true })
  const last = points.at(-1)
  // The slowest of n values stands at 1 − 1/n; without a count it has no place on this axis.
  if (latency.maxMs !== null && count !== null && count > 1 && last && last.x < count && !recorded) {
    points.push({ x: count, q: 1 - 1 / count, ms: latency.maxMs, marked: true, supported: false })
  }
  return {
    id: run.id,
    name: run.name,
    side: run.side,
    style: seriesStyle(run.styleIndex ?? index),
    points,
    endNote: endNoteOf(count, points, latency.maxMs),
  }
}

/** Why a line fades or ends: the rule that fades its points (fewer than 10 values above), told by the last solid one. */
function endNoteOf(count: number | null, points: readonly HdrPoint[], maxMs: number | null): string | null {
  if (count === null && maxMs !== null) return `ends at the last percentile printed; max ${formatMs(maxMs)}`
  if (count === null || points.every((point) => point.supported)) return null
  const solid = points.findLast((point) => point.supported)
  if (solid === undefined || solid.q === 0) return `${plural(count, 'request')}: too few for any percentile`
  // Rounded down: never a percentile beyond the last solid point.
  const reach = Math.floor(solid.q * 1e6 + 1e-6) / 1e6
  return `faded beyond ${quantileName(reach)}: fewer than ${leastAbove} of ${formatCount(count)} requests are slower`
}
