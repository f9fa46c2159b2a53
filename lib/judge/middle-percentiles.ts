import { isLatency, minEffectOf } from '../run/metrics'
import { factorOf, sayableOf, type ComparisonRow } from './delta'

/** Percentiles that are no default; a comparison shows those that differ most. */
const hiddenIds: readonly string[] = ['p75', 'p90', 'p95', 'p999']

/** Ids of the default metrics of a comparison plus these percentiles, around p99. */
export const withMiddles = (ids: readonly string[]): readonly string[] =>
  ids.flatMap((id) => (id === 'p99' ? ['p75', 'p90', 'p95', id, 'p999'] : [id]))

/**
 * Rows without the percentiles that are no default, except one that differs by more than any other latency, or that is
 * decided and differs by more than any other that is, and by what matters: without it the difference would be
 * invisible. All were judged, as one family. `kept`: ids that stay.
 */
export function withoutSmallMiddles(
  rows: readonly ComparisonRow[],
  kept: ReadonlySet<string>,
): readonly ComparisonRow[] {
  const isHidden = ({ metric }: ComparisonRow) => hiddenIds.includes(metric.id) && !kept.has(metric.id)
  // A max is that of one request.
  const others = rows.filter((row) => isLatency(row.metric) && row.metric.id !== 'max' && !isHidden(row))
  const isLargest = (row: ComparisonRow) =>
    row.deltas.some((delta, at) => {
      const least = 1 + minEffectOf(row.metric.id)
      const isBeyond = (beside: readonly ComparisonRow[]) =>
        factorOf(delta) > Math.max(least, ...beside.map((one) => farthest(one, at)))
      return isBeyond(others) || (isDecided(row, at) && isBeyond(others.filter((one) => isDecided(one, at))))
    })
  return rows.filter((row) => !isHidden(row) || isLargest(row))
}

/** Whether the table states a direction. */
function isDecided({ metric, deltas }: ComparisonRow, at: number): boolean {
  const delta = deltas[at]
  return delta !== undefined && sayableOf(delta, metric) !== null
}

function farthest({ deltas }: ComparisonRow, at: number): number {
  const delta = deltas[at]
  return delta === undefined ? 1 : factorOf(delta)
}
