import { columnUnit, formatTick, type ColumnUnit } from '../../../lib/format'
import type { Axis } from '../plot/model'
import { linearTicks, logTicks, type ScaleKind } from '../plot/scale'

/** An axis of latencies, in ms. */
export interface LatencyAxis extends Axis {
  readonly unit: ColumnUnit
  /** `ms` or `ms, log scale`. */
  readonly words: string
}

/** Ratio of max to min above which a linear axis would press some lines to the floor. */
const maxLinearRatio = 30

/** The axis over these latencies, from 0 or from a power of ten; `wanted` absent: as their spread suggests. */
export function latencyAxis(valuesMs: readonly number[], wanted?: ScaleKind): LatencyAxis {
  const positive = valuesMs.filter((ms) => ms > 0)
  const largestMs = Math.max(...positive, 0)
  const smallestMs = Math.min(...positive, largestMs)
  const unit = columnUnit('ms', [largestMs])
  const fitting = largestMs / smallestMs > maxLinearRatio ? 'log' : 'linear'
  const scale = smallestMs > 0 && (wanted ?? fitting) === 'log' ? 'log' : 'linear'
  const ticks =
    scale === 'log'
      ? logTicks(smallestMs, largestMs)
      : linearTicks(largestMs * unit.factor).map((tick) => tick / unit.factor)
  const axis = axisOver(ticks, (ms) => formatTick(ms * unit.factor), scale)
  return { ...axis, unit, words: `${unit.label}${scale === 'log' ? ', log scale' : ''}` }
}

/** The axis from the first of these ticks to the last. */
export const axisOver = (
  ticks: readonly number[],
  label: (value: number) => string,
  scale: ScaleKind = 'linear',
): Axis => ({
  scale,
  domain: [ticks[0] ?? 0, ticks.at(-1) ?? 1],
  ticks: ticks.map((value) => ({ at: value, label: label(value) })),
})
