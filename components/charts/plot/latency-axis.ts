import { columnUnit, formatTick, type ColumnUnit } from '../../../lib/format'
import type { Axis } from './model'
import { linearTicks, logTicks, short, type ScaleKind } from './scale'

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

/** Of a panel that is about to be fitted. */
export const unfitted: Axis = { scale: 'linear', domain: [0, 1], ticks: [] }

/** Room above the largest value, as a factor. */
const headroom = { linear: 1.06, log: 1.6 } as const

/** As `latencyAxis`, but it ends a little above the largest value, though no tick is there; below the least of a
 * logarithmic one is room, too. */
export function fittedLatencyAxis(valuesMs: readonly number[], scale: ScaleKind, factor: number): Axis {
  const positive = valuesMs.filter((ms) => ms > 0)
  const largest = Math.max(...positive, 0)
  const { domain, ticks: all, scale: found } = latencyAxis(valuesMs, scale)
  const ticks = found === 'log' ? all.map(({ at }) => at) : linearTicks(largest * factor).map((tick) => tick / factor)
  const top = Math.min(ticks.at(-1) ?? 1, (largest || 1) * headroom[found])
  const within = ticks.filter((tick) => tick <= top * (1 + 1e-9))
  const from = found === 'log' ? Math.min(domain[0], Math.min(...positive) / headroom.log) : 0
  // One power of ten alone is no scale.
  const isScale = within.length > 1
  const shown = isScale ? within : ticks
  return {
    ...axisOver(shown, (ms) => formatTick(ms * factor), found),
    domain: [short(from), short(isScale ? top : (ticks.at(-1) ?? 1))],
  }
}
