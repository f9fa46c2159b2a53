import { findChangePoints, type ChangePoint, type DetectorSettings } from '../detect/change-points'

/** A change seen in a series and followed as runs are added. */
export interface TrackedChange {
  readonly change: ChangePoint
  readonly direction: 'up' | 'down'
  /** How far (in runs) a later evaluation may place the same change. */
  readonly reach: number
  /** Position of the newest run when it was first seen. */
  readonly seenAt: number
  /** Evaluations in a row that did not find it. */
  readonly missed: number
}

/** State after one evaluation of a series. */
export interface Tracking {
  /** All changes known after this evaluation, including those not found this time. */
  readonly tracked: readonly TrackedChange[]
  /** Those seen for the first time, for which alerts are raised. */
  readonly fresh: readonly TrackedChange[]
}

/** A weak change moves more between evaluations: 8/(signal to noise)², 3…15 runs. */
function reachOf(change: ChangePoint): number {
  return Math.min(15, Math.max(3, Math.ceil(8 / Math.max(change.signalToNoise, 1e-3) ** 2)))
}

/**
 * Evaluates a series again, its newest run last, and matches what the detector finds with known changes: a change
 * within 3 runs of a known one, or within reach and of the same direction, is that one, moved; it raises nothing again.
 */
export function trackChanges(
  series: ArrayLike<number>,
  known: readonly TrackedChange[],
  settings: DetectorSettings,
): Tracking {
  const tracked: TrackedChange[] = [...known]
  const taken = new Set<number>()
  const fresh: TrackedChange[] = []
  for (const change of findChangePoints(series, settings)) {
    const reach = reachOf(change)
    const direction = change.effectRatio > 0 ? 'up' : 'down'
    const match = nearest(known, taken, change.index, direction, reach)
    if (match === null) {
      fresh.push({ change, direction, reach, seenAt: series.length - 1, missed: 0 })
    } else {
      const before = known[match]
      taken.add(match)
      if (before) tracked[match] = { ...before, change, reach, missed: 0 }
    }
  }
  known.forEach((one, at) => {
    if (!taken.has(at)) tracked[at] = { ...one, missed: one.missed + 1 }
  })
  return { tracked: [...tracked, ...fresh], fresh }
}

function nearest(
  known: readonly TrackedChange[],
  taken: ReadonlySet<number>,
  index: number,
  direction: TrackedChange['direction'],
  reach: number,
): number | null {
  let best: number | null = null
  let bestGap = Infinity
  known.forEach((one, at) => {
    const gap = Math.abs(one.change.index - index)
    const same = gap <= 3 || (one.direction === direction && gap <= Math.max(reach, one.reach))
    if (taken.has(at) || !same || gap >= bestGap) return
    best = at
    bestGap = gap
  })
  return best
}
