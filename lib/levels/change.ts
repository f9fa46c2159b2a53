import { findChangePoints, type ChangePoint, type DetectorSettings } from '../detect/change-points'
import type { Metric } from '../run/metrics'
import type { UtcIso } from '../run/run'
import type { LoadProfile } from '../history/series'
import { median } from '../stats/robust'
import { judgedValues, matters } from './judged-values'
import { trendPoints, type TrendPoint } from './points'

/**
 * What brought a change, if it is not known to be the commit: its environment moved; the series is a control, whose code
 * never changes; nothing that is known can tell; the same commit ran before and after it; it is part of a slow drift.
 */
export const changeOrigins = ['environment', 'control', 'commit-or-machine', 'unexplained', 'drift'] as const
export type ChangeOrigin = (typeof changeOrigins)[number]

/** Of these no code is to blame: they are changes, never for the worse or the better. */
export const isExcused = (origin: ChangeOrigin | null): boolean =>
  origin === 'environment' || origin === 'control' || origin === 'drift'

/** A change with what brought it: of one that no code brought, nothing became worse or better. */
export function broughtBy<One extends Pick<Change, 'verdict'>>(change: One, origin: ChangeOrigin | null) {
  const { verdict } = change
  return { ...change, origin, verdict: verdict !== null && isExcused(origin) ? 'changed' : verdict } as const
}

/** A change in a word or two. */
export function changeWord({ verdict, origin }: Pick<Change, 'verdict' | 'origin'>): string {
  if (origin === 'environment') return 'with its environment'
  return origin === 'drift' ? 'part of a drift' : (verdict ?? 'too small to matter')
}

/**
 * A change of level of one metric of a load profile. Levels in the metric's unit, effects relative with their 95 %
 * interval.
 */
export interface Change {
  /** drift: a straight line explains the two levels as well as a step. */
  readonly kind: 'step' | 'drift'
  /** Null: too small to matter; its level is the current one nevertheless. */
  readonly verdict: 'worse' | 'better' | 'changed' | null
  /** The levels that the effect compares; for shares, whose effect is not shown, medians from change to change. */
  readonly before: number
  readonly after: number
  readonly effectRatio: number
  readonly effectLowRatio: number
  readonly effectHighRatio: number
  /** The first run of the new level, and its time, which places the change if the run is deleted. */
  readonly afterRunId: string
  readonly since: UtcIso
  /** Null: the commit, as far as is known. */
  readonly origin: ChangeOrigin | null
}

/** A point whose value the detector reads. */
export interface JudgedPoint extends TrendPoint {
  readonly value: number
}

/** The points of a profile that the detector reads, and their values as it reads them. */
export function judgedPoints(profile: LoadProfile, metric: Metric) {
  const points = trendPoints(profile, metric).filter((point): point is JudgedPoint => isJudged(metric, point))
  const raw = points.map((point) => point.value)
  return { points, raw, values: judgedValues(profile, metric, raw) }
}

const isJudged = (metric: Metric, { value, isBarred }: TrendPoint): boolean =>
  value !== null && !isBarred && (value > 0 || metric.unit === 'ratio')

/** Changes of a metric that is not followed run by run, in order of place: found in these runs alone. Never throws. */
export function findChanges(profile: LoadProfile, metric: Metric, settings: DetectorSettings): readonly Change[] {
  const { points, raw, values } = judgedPoints(profile, metric)
  const found = findChangePoints(values, settings)
  const places = found.map(({ index }) => index)
  return found.map((change) => changeOf(metric, points, change, levelsOf(metric, raw, places, change)))
}

/** A change point with its metric's levels and effect. */
export function changeOf(
  metric: Metric,
  points: readonly JudgedPoint[],
  { index, kind, effectRatio, effectLowRatio, effectHighRatio }: ChangePoint,
  { before, after }: Pick<Change, 'before' | 'after'>,
): Change {
  const first = points[index]
  const verdict = matters(metric, before, after) ? changeVerdict(metric, effectRatio > 0 ? 'up' : 'down') : null
  const start = { afterRunId: first?.runIds[0] ?? '', since: first?.orderedAt ?? '' }
  return { kind, verdict, before, after, effectRatio, effectLowRatio, effectHighRatio, ...start, origin: null }
}

/** The levels on either side of a change in the metric's unit, from `values` as they are shown. */
export function levelsOf(metric: Metric, values: readonly number[], places: readonly number[], change: ChangePoint) {
  if (metric.unit === 'ratio') return levelsAround(values, places, change.index)
  return { before: change.levelBefore, after: change.levelAfter }
}

/** Medians of the stretches on either side of a change; NaN where a side is empty. */
export function levelsAround(values: readonly number[], places: readonly number[], index: number) {
  const { before, after } = segmentsAround(values.length, places, index)
  return { before: median(values.slice(...before)), after: median(values.slice(...after)) }
}

/** The levels on either side of a change: positions from the previous change to the next one. */
export function segmentsAround(count: number, places: readonly number[], index: number) {
  const from = Math.max(0, ...places.filter((at) => at < index))
  const to = Math.min(count, ...places.filter((at) => at > index))
  return { before: [from, index], after: [index, to] } as const
}

/**
 * Shares are judged by their failures (judgedValues): more failures are worse, whichever way the share itself reads.
 */
export function isWorse(metric: Metric, direction: 'up' | 'down'): boolean {
  if (metric.direction === 'neutral') return false
  if (metric.unit === 'ratio') return direction === 'up'
  return (direction === 'up') === (metric.direction === 'lower-is-better')
}

/** Whether a change of a metric, in the values that the detector reads, is for the worse. */
export function changeVerdict(metric: Metric, direction: 'up' | 'down'): 'worse' | 'better' | 'changed' {
  if (metric.direction === 'neutral') return 'changed'
  return isWorse(metric, direction) ? 'worse' : 'better'
}
