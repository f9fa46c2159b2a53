import type { NamedLimit } from '../../../lib/run/limits'
import { percentiles } from '../../../lib/run/metrics'
import { quantileToX } from '../../../lib/stats/quantile'
import type { Limit } from '../plot/model'

/** A limit of latencies over percentiles, with a bar at its own; nothing if it is of no percentile. */
export function overPercentiles({ name, value, metricId }: NamedLimit): readonly Limit[] {
  if (metricId === null) return [{ ms: value, label: name }]
  const q = percentiles.find(({ id }) => id === metricId)?.q
  return q === undefined ? [] : [{ ms: value, label: name, x: quantileToX(q) }]
}
