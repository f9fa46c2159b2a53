import { levelSides } from '@/lib/judge/compare-url'
import type { Trend, TrendChange } from '@/lib/levels/trend'

/**
 * The sides of the comparison that shows a change of a trend: the newest runs of the level before it, the first after
 * it.
 */
export function changeSides(
  { points, changes }: Pick<Trend, 'points' | 'changes'>,
  { at }: TrendChange,
): readonly (readonly string[])[] {
  const from = Math.max(0, ...changes.flatMap((one) => (one.at < at ? one.at : [])))
  const to = Math.min(points.length, ...changes.flatMap((one) => (one.at > at ? one.at : [])))
  const runsOf = (start: number, end: number) =>
    points.slice(start, end).flatMap(({ runIds, value, isBarred }) => (value === null || isBarred ? [] : runIds))
  return levelSides(runsOf(from, at), runsOf(at, to))
}
