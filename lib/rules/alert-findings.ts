import type { AlertFinding } from './alerts'
import type { ChangePoint } from '../detect/change-points'
import type { TrackedChange } from '../detect/change-tracker'
import type { Metric } from '../run/metrics'
import { median } from '../stats/robust'
import type { SeriesLine } from '../run/series'
import type { TrendPoint } from '../detect/trend'

/** A later change the other way brought the level back to within half of what matters. */
export function isUndone(
  one: TrackedChange,
  all: readonly TrackedChange[],
  values: readonly number[],
  leastEffect: number,
): boolean {
  const found = all.filter((other) => other.missed === 0)
  const later = found
    .filter((other) => other.change.index > one.change.index)
    .sort((a, b) => a.change.index - b.change.index)
  return later.some((other) => {
    if (other.direction === one.direction) return false
    const { before } = levelsOf(values, found, one.change.index)
    const { after } = levelsOf(values, found, other.change.index)
    return Math.abs(Math.log(after / before)) <= Math.log1p(leastEffect / 2)
  })
}

/** Medians between the changes on either side of one; NaN where a side is empty. */
export function levelsOf(values: readonly number[], changes: readonly TrackedChange[], index: number) {
  const places = changes.flatMap((one) => (one.missed === 0 ? one.change.index : []))
  const from = Math.max(0, ...places.filter((at) => at < index))
  const to = Math.min(values.length, ...places.filter((at) => at > index))
  return { before: median(values.slice(from, index)), after: median(values.slice(index, to)) }
}

/** A change of a line in words' figures: what an alert keeps of it. */
export function findingOf(
  line: SeriesLine,
  metric: Metric,
  points: readonly TrendPoint[],
  all: readonly TrackedChange[],
  change: ChangePoint,
  leastEffect: number,
): AlertFinding {
  const values = points.map((point) => point.value ?? Number.NaN)
  const effect = Math.max(Math.abs(change.effectRatio), Math.abs(1 / (1 + change.effectRatio) - 1))
  return {
    metricId: metric.id,
    seriesId: line.series.id,
    profile: line.profile,
    ...levelsOf(values, all, change.index),
    effectRatio: change.effectRatio,
    effectLowRatio: change.effectLowRatio,
    effectHighRatio: change.effectHighRatio,
    pRobust: change.pRobust,
    pRank: change.pRank,
    noise: change.noise,
    runsBefore: change.before,
    runsAfter: change.after,
    weight: effect / leastEffect,
    beforeRunId: points[change.index - 1]?.runIds.at(-1) ?? '',
    afterRunId: points[change.index]?.runIds[0] ?? '',
    since: points[change.index]?.orderedAt ?? '',
  }
}
