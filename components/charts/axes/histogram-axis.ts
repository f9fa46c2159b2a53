import { columnUnit, type ColumnUnit } from '../../../lib/format'
import type { Bar } from '../../../lib/stats/histogram'
import { linearTicks, logTicks, type ScaleKind } from '../plot/scale'

/** Null: chosen by the data. */
export type ScaleChoice = ScaleKind | null

export interface HistogramAxis {
  readonly scale: ScaleKind
  readonly unit: ColumnUnit
  /** In ms. */
  readonly xDomain: readonly [number, number]
  readonly ticksMs: readonly number[]
}

/** Ratio of max to median beyond which a linear axis would press nearly all requests into its first bars. */
const maxLinearRatio = 20
/** Ratio of min to max above which a linear axis from 0 would press all bars into its end. */
const narrowRatio = 0.6

/** The latency axis for these bars of all runs; null when no closed bar has a request. */
export function histogramAxis(bars: readonly Bar[], wanted: ScaleChoice): HistogramAxis | null {
  const closed = bars.filter((bar) => bar.upperMs !== null)
  const full = closed.filter((bar) => bar.count > 0)
  const largestMs = Math.max(...closed.map((bar) => bar.upperMs ?? 0))
  if (full.length === 0 || !(largestMs > 0)) return null
  const minMs = Math.min(...full.map((bar) => bar.lowerMs))
  const positiveMs = Math.min(
    ...full.map((bar) => bar.lowerMs || (bar.upperMs ?? largestMs) / 2).filter((ms) => ms > 0),
  )
  const spread = largestMs / (medianMs(full) || largestMs)
  const scale = wanted ?? (spread > maxLinearRatio ? 'log' : 'linear')
  const unit = columnUnit('ms', [scale === 'log' ? medianMs(full) || largestMs : largestMs])
  if (scale === 'log' && positiveMs < largestMs) {
    const ticksMs = logAxisTicks(positiveMs, largestMs)
    return { scale, unit, xDomain: [Math.min(positiveMs, ticksMs[0] ?? positiveMs), largestMs], ticksMs }
  }
  const all = linearTicks(largestMs * unit.factor).map((tick) => tick / unit.factor)
  if (minMs / largestMs < narrowRatio)
    return { scale: 'linear', unit, xDomain: [0, all.at(-1) ?? largestMs], ticksMs: all }
  const ticksMs = ticksBetween(minMs * unit.factor, largestMs * unit.factor).map((tick) => tick / unit.factor)
  const domain = [ticksMs[0] ?? minMs, ticksMs.at(-1) ?? largestMs] as const
  return { scale: 'linear', unit, xDomain: domain, ticksMs }
}

/** Upper bound of the bar with the middle request. */
function medianMs(bars: readonly Bar[]): number {
  const sorted = [...bars].sort((a, b) => a.lowerMs - b.lowerMs)
  const half = sorted.reduce((sum, bar) => sum + bar.count, 0) / 2
  let before = 0
  for (const bar of sorted) {
    before += bar.count
    if (before >= half) return bar.upperMs ?? bar.lowerMs
  }
  return 0
}

/** Powers of ten within the bounds; with 2 and 5 times these if there are fewer than three. */
function logAxisTicks(fromMs: number, toMs: number): readonly number[] {
  const within = (ms: number) => ms >= fromMs * 0.999_999 && ms <= toMs * 1.000_001
  const tens = logTicks(fromMs, toMs)
  const few = tens.filter(within)
  if (few.length >= 3) return few
  const more = tens.flatMap((ten) => [ten, ten * 2, ten * 5]).filter(within)
  return more.length >= 2 ? more.map((ms) => Number(ms.toPrecision(12))) : ticksBetween(fromMs, toMs).filter(within)
}

/** Round steps from the last at or below `from` to the first at or above `to`. */
function ticksBetween(from: number, to: number): readonly number[] {
  const [, step = 1] = linearTicks(to - from)
  const first = Math.floor((from / step) * 1.000_000_1)
  const last = Math.ceil((to / step) * 0.999_999_9)
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}
