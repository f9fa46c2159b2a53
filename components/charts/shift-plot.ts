import { leadingLatency } from '../../lib/run/figures'
import { columnUnit, formatTick, type ColumnUnit } from '../../lib/format'
import { quantileReader } from '../../lib/stats/histogram'
import { quantileTicks, quantileToX, supportedQuantile, type QuantileTick } from '../../lib/stats/quantile'
import { median } from '../../lib/stats/robust'
import type { PlottedRun } from './hdr-plot'
import { linearTicks, seriesStyle, type SeriesStyle } from './scale'

export interface ShiftPoint {
  readonly q: number
  readonly x: number
  /** head − base at this percentile, ms. */
  readonly ms: number
  /** Where it lies by chance alone; null: no samples and no repeats. */
  readonly lowMs: number | null
  readonly highMs: number | null
}

export interface ShiftSeries {
  readonly id: string
  readonly name: string
  readonly style: SeriesStyle
  readonly points: readonly ShiftPoint[]
}

/** How much slower each candidate is than the base at each percentile: zero is the base. */
export interface ShiftPlot {
  readonly title: string
  readonly unit: ColumnUnit
  readonly xDomain: readonly [number, number]
  readonly xTicks: readonly QuantileTick[]
  readonly yDomain: readonly [number, number]
  readonly yTicks: readonly { readonly ms: number; readonly label: string }[]
  readonly series: readonly ShiftSeries[]
  readonly hasBand: boolean
}

interface Distribution {
  readonly count: number | null
  readonly recorded: boolean
  readonly printed: readonly number[]
  read(q: number): number | null
}

const usual = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999]
/** Neighbouring requests are alike: their ranks spread as those of a quarter as many independent ones would. */
const dependence = 4

/** Prepares the shift of each later side from the first, where both know a percentile; null when they share none. */
export function prepareShiftPlot(
  sides: readonly (readonly Pick<PlottedRun, 'id' | 'imported'>[])[],
  names: readonly string[],
): ShiftPlot | null {
  const [base, ...others] = sides.map((side) => side.flatMap((run) => distributionOf(run) ?? []))
  if (!base || base.length === 0) return null
  const series = others.flatMap((head, at): ShiftSeries[] => {
    const points = head.length === 0 ? [] : shiftPoints(base, head)
    const id = sides[at + 1]?.[0]?.id ?? String(at)
    return points.length < 2 ? [] : [{ id, name: names[at + 1] ?? '', style: seriesStyle(at + 1), points }]
  })
  if (series.length === 0) return null
  const all = series.flatMap((one) => one.points)
  const reached = all.flatMap((point) => [point.ms, point.lowMs ?? point.ms, point.highMs ?? point.ms, 0])
  const [least, most] = [Math.min(...reached), Math.max(...reached)]
  const unit = columnUnit('ms', [Math.max(-least, most)])
  const up = most > 0 ? linearTicks(most * unit.factor) : [0]
  const step = (most > -least ? up[1] : linearTicks(-least * unit.factor)[1]) ?? 1
  const first = Math.floor((least * unit.factor) / step + 1e-9)
  const last = Math.ceil((most * unit.factor) / step - 1e-9)
  const ticks = Array.from({ length: Math.max(1, last - first) + 1 }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  )
  const lastX = Math.max(...all.map((point) => point.x))
  return {
    title: `Shift from ${names[0] ?? 'the baseline'} by percentile (${unit.label}; above 0: slower)`,
    unit,
    xDomain: [1, Math.max(10, lastX * 1.15)],
    xTicks: quantileTicks(lastX).filter((tick) => tick.x <= Math.max(10, lastX * 1.15)),
    yDomain: [(ticks[0] ?? 0) / unit.factor, (ticks.at(-1) ?? 1) / unit.factor],
    yTicks: ticks.map((tick) => ({
      ms: tick / unit.factor,
      label: tick > 0 ? `+${formatTick(tick)}` : formatTick(tick),
    })),
    series,
    hasBand: all.some((point) => point.lowMs !== null),
  }
}

function distributionOf(run: Pick<PlottedRun, 'imported'>): Distribution | null {
  const latency = leadingLatency(run.imported)
  if (!latency) return null
  const recorded = latency.histogram?.kind === 'hdr'
  return { count: latency.count, recorded, printed: latency.quantiles.map(({ q }) => q), read: quantileReader(latency) }
}

function shiftPoints(base: readonly Distribution[], head: readonly Distribution[]): readonly ShiftPoint[] {
  const all = [...base, ...head]
  const counts = all.flatMap((one) => one.count ?? [])
  const reach = counts.length === 0 ? 1 : (supportedQuantile(Math.min(...counts)) ?? 0)
  const qs = [...new Set([...usual, ...all.flatMap((one) => one.printed)])]
    .filter((q) => q > 0 && q < 1 && q <= reach + 1e-9)
    .sort((a, b) => a - b)
  return qs.flatMap((q): ShiftPoint[] => {
    const [before, after] = [base, head].map((side) => side.flatMap((one) => one.read(q) ?? []))
    if (!before || !after || before.length < base.length || after.length < head.length) return []
    const ms = median(after) - median(before)
    return [{ q, x: quantileToX(q), ms, ...bandOf(q, ms, { base, head, before, after }) }]
  })
}

/** Of repeats: how far the runs reach. Of single runs with samples: the sampling error of both percentiles, 95 %. */
function bandOf(
  q: number,
  ms: number,
  sides: {
    readonly base: readonly Distribution[]
    readonly head: readonly Distribution[]
    readonly before: readonly number[]
    readonly after: readonly number[]
  },
): { readonly lowMs: number | null; readonly highMs: number | null } {
  const { base, head, before, after } = sides
  if (before.length > 1 && after.length > 1)
    return { lowMs: Math.min(...after) - Math.max(...before), highMs: Math.max(...after) - Math.min(...before) }
  const [one, other] = [base[0], head[0]]
  if (!one?.recorded || !other?.recorded || !one.count || !other.count || before.length + after.length > 2)
    return { lowMs: null, highMs: null }
  const [from, to] = [errorOf(one, one.count, q), errorOf(other, other.count, q)]
  return { lowMs: ms - Math.hypot(to.below, from.above), highMs: ms + Math.hypot(to.above, from.below) }
}

function errorOf(one: Distribution, count: number, q: number): { readonly below: number; readonly above: number } {
  const reach = (1.96 * Math.sqrt(count * q * (1 - q) * dependence)) / count
  const middle = one.read(q) ?? 0
  const below = middle - (one.read(Math.max(0, q - reach)) ?? middle)
  return { below, above: (one.read(Math.min(1, q + reach)) ?? middle) - middle }
}
