import type { NamedLimit } from '../../lib/run/limits'
import { percentiles } from '../../lib/run/metrics'
import { quantileToX } from '../../lib/stats/quantile'
import type { Limit } from './plot/model'

/** A limit of latencies over percentiles, with a bar at its own; nothing if it is of no percentile. */
export function overPercentiles({ name, value, metricId }: NamedLimit): readonly Limit[] {
  if (metricId === null) return [{ ms: value, label: name }]
  const q = percentiles.find(({ id }) => id === metricId)?.q
  return q === undefined ? [] : [{ ms: value, label: name, x: quantileToX(q) }]
}

/** A limit farther from the values than they are high would press them flat: it is drawn at the edge. */
export function isNear({ value }: Pick<NamedLimit, 'value'>, [low, high]: readonly [number, number]): boolean {
  const span = high - low
  return value >= low - span && value <= high + span
}

/** The side of an axis on which a value is beyond it; null: it is on the axis. */
export const sideOf = (value: number, [low, high]: readonly [number, number]): 'above' | 'below' | null =>
  value > high ? 'above' : value < low ? 'below' : null
