import { judge, type DetectorSettings } from './change-points'
import { smallestPossibleP } from './rank-test'
import { madAroundZero, median } from './robust'

/** A level that crept without a step that could be told from noise. Figures as of a change point. */
export interface Drift {
  /** Relative: 0.1 is +10 %. */
  readonly effectRatio: number
  readonly pRobust: number
  readonly pRank: number
}

/** Experiments that a drift is read from. */
export const driftRuns = { first: 20, newest: 10 } as const

const leastRuns = 40
const noiseFloor = 0.005
/** Creeping levels follow each other: taken for granted instead of measured on two short stretches. */
const autocorrelation = 0.25

/**
 * Has the level crept since the last change? The first 20 positive values of a stretch without steps against its newest
 * 10, by the two tests of a change point. Null:
 * no, or fewer than 40 values.
 */
export function findDrift(values: readonly number[], settings: DetectorSettings): Drift | null {
  if (values.length < leastRuns || values.some((value) => value <= 0)) return null
  const first = Float64Array.from(values.slice(0, driftRuns.first), Math.log)
  const newest = Float64Array.from(values.slice(-driftRuns.newest), Math.log)
  const residuals = [first, newest].flatMap((part) => {
    const centre = median(part)
    return Array.from(part, (value) => value - centre)
  })
  const judged = judge([first, newest], 0, Math.max(madAroundZero(residuals), noiseFloor), autocorrelation)
  const effectRatio = Math.expm1(judged.delta)
  const effect = Math.max(Math.abs(effectRatio), Math.abs(Math.expm1(-judged.delta)))
  const rankBound = Math.max(settings.rankAlpha, 1.01 * smallestPossibleP(driftRuns.first, driftRuns.newest))
  if (effect < settings.leastEffect || judged.p > settings.alpha || judged.pRank > rankBound) return null
  return { effectRatio, pRobust: judged.p, pRank: judged.pRank }
}
