import { findChangePoints, historySettings } from '../detect/change-points'
import type { Trend } from './trend'

/** Nearer than this to a reported change, in points, it is the same one. */
const sameWithin = 5

/**
 * Positions in `points` at which finer settings than those of alerts see a shift that is not a change of the trend:
 * drawn thin, never a reason for a word. Empty for shares, and while a slow drift is reported.
 */
export function faintChanges({
  metric,
  points,
  changes,
  drift,
}: Pick<Trend, 'metric' | 'points' | 'changes' | 'drift'>): readonly number[] {
  if (metric.unit === 'ratio' || drift !== null) return []
  const known = points.flatMap(({ value, isBarred }, at) =>
    value === null || value <= 0 || isBarred ? [] : [{ at, value }],
  )
  const found = findChangePoints(
    known.map(({ value }) => value),
    historySettings,
  )
  return found
    .flatMap(({ index }) => known[index]?.at ?? [])
    .filter((at) => changes.every((one) => Math.abs(one.at - at) > sameWithin))
}
