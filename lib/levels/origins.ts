import { findMetric, type Metric } from '../run/metrics'
import type { LoadProfile } from '../history/series'
import { isWorse, type Change, type ChangeOrigin } from './change'
import { trendPoints } from './points'

/** A metric that evaluations follow: its changes, oldest first, and the creep that lasts. */
export interface FollowedMetric {
  readonly changes: readonly Placed[]
  readonly creep?: Pick<Change, 'before' | 'after' | 'afterRunId' | 'since'> | null | undefined
}

type Placed = Pick<Change, 'afterRunId' | 'since' | 'effectRatio' | 'origin'>

/** Experiments by which two metrics may disagree about the place of one change. */
const samePlace = 5

/**
 * What brought the changes of a metric that no evaluation follows: what brought that of a followed metric of the same
 * profile at the same place, towards the same side of worse or better. By metric id.
 */
export function originsFrom(
  profile: LoadProfile,
  metric: Metric,
  followed: Readonly<Record<string, FollowedMetric>>,
): (change: Placed) => ChangeOrigin | null {
  const points = trendPoints(profile, metric)
  const places = new Map(points.flatMap(({ runIds }, at) => runIds.map((id) => [id, at] as const)))
  const placeOf = ({ afterRunId, since }: Pick<Placed, 'afterRunId' | 'since'>) => {
    const later = () => points.findIndex(({ orderedAt }) => orderedAt >= since)
    return places.get(afterRunId) ?? later()
  }
  const stretches = Object.entries(followed).flatMap(([id, one]) => {
    const other = findMetric(id)
    return other === null ? [] : stretchesOf(other, one, placeOf)
  })
  const isOfControl = profile.points.at(-1)?.isOfControl === true
  return (change) => {
    const at = placeOf(change)
    const side = sideOf(metric, change.effectRatio)
    const isThere = (one: Stretch) =>
      at >= one.from - samePlace && at <= one.to + samePlace && (side === 0 || one.side === 0 || one.side === side)
    const origins = stretches.filter(isThere).map(({ origin }) => origin)
    if (origins.includes('environment')) return 'environment'
    return isOfControl ? 'control' : (origins[0] ?? null)
  }
}

/** Places at which one thing brings changes towards one side: 1 worse, -1 better, 0 neither. */
interface Stretch {
  readonly from: number
  readonly to: number
  readonly side: number
  readonly origin: ChangeOrigin
}

function stretchesOf(
  metric: Metric,
  { changes, creep = null }: FollowedMetric,
  placeOf: (one: Pick<Placed, 'afterRunId' | 'since'>) => number,
): readonly Stretch[] {
  const found = changes.flatMap((one, at): readonly Stretch[] => {
    const { origin, effectRatio } = one
    if (origin === null) return []
    const from = placeOf(one)
    const next = changes[at + 1]
    // Between two parts of a drift, it went on.
    const to = origin === 'drift' && next?.origin === 'drift' ? placeOf(next) : from
    return [{ from, to, side: sideOf(metric, effectRatio), origin }]
  })
  if (creep === null) return found
  const side = sideOf(metric, creep.after - creep.before)
  return [...found, { from: placeOf(creep), to: Infinity, side, origin: 'drift' }]
}

function sideOf(metric: Metric, effect: number): number {
  if (metric.direction === 'neutral' || effect === 0) return 0
  return isWorse(metric, effect > 0 ? 'up' : 'down') ? 1 : -1
}
