import { isLatency, minEffectOf } from '../run/metrics'
import { factorOf, type ComparisonRow } from './delta'

/** Percentiles between the median and the tail; a comparison shows those that differ most. */
const middleIds: readonly string[] = ['p90', 'p95']

/** Ids of the default metrics of a comparison plus these percentiles, before p99. */
export const withMiddles = (ids: readonly string[]): readonly string[] =>
  ids.flatMap((id) => (id === 'p99' ? [...middleIds, id] : [id]))

/**
 * Rows without the middle percentiles, except one that differs by more than any other latency, and by what matters:
 * without it the difference would be invisible. All were judged, so none is chosen by its verdict. `kept`: ids that
 * stay.
 */
export function withoutSmallMiddles(
  rows: readonly ComparisonRow[],
  kept: ReadonlySet<string>,
): readonly ComparisonRow[] {
  const isMiddle = ({ metric }: ComparisonRow) => middleIds.includes(metric.id) && !kept.has(metric.id)
  // A max is that of one request.
  const others = rows.filter((row) => isLatency(row.metric) && row.metric.id !== 'max' && !isMiddle(row))
  const isLargest = (row: ComparisonRow) =>
    row.deltas.some((delta, at) => {
      const largest = Math.max(1 + minEffectOf(row.metric.id), ...others.map((one) => farthest(one, at)))
      return factorOf(delta) > largest
    })
  return rows.filter((row) => !isMiddle(row) || isLargest(row))
}

function farthest({ deltas }: ComparisonRow, at: number): number {
  const delta = deltas[at]
  return delta === undefined ? 1 : factorOf(delta)
}
