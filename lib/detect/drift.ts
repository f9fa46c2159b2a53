import { creeps, lineResiduals } from './change-location'
import { judge, sharesPass, type DetectorSettings } from './change-points'
import { smallestPossibleP } from '../stats/rank-test'
import { madAroundZero, median } from '../stats/robust'
import { noiseFloor, pooledAutocorrelation } from './series-noise'

/** A level that crept without a step that could be distinguished from noise. Figures as of a change point. */
export interface Drift {
  /** Robust levels of the first and the newest values, in their unit. */
  readonly levelBefore: number
  readonly levelAfter: number
  /** From one level to the other: 0.1 is +10 %. */
  readonly effectRatio: number
  readonly pRobust: number
  readonly pRank: number
}

/** Experiments from which a drift is computed. */
export const driftRuns = { first: 20, newest: 10 } as const

const minRuns = 40
const truncation = 3
/** Autocorrelation of creeping levels is at least this. */
const minAutocorrelation = 0.25

/**
 * Has the level crept since the last change? The first 20 positive values of a stretch without steps against its newest
 * 10, by the two tests of a change point, with the autocorrelation about a straight line, which must explain the
 * stretch at least as well as a step anywhere: a step in doubt is no drift. Null: no, or fewer than 40 values.
 */
export function findDrift(values: readonly number[], settings: DetectorSettings): Drift | null {
  if (values.length < minRuns || values.some((value) => value <= 0)) return null
  const all = Float64Array.from(values, Math.log)
  const parts = [all.subarray(0, driftRuns.first), all.subarray(-driftRuns.newest)]
  const residuals = parts.flatMap((part) => {
    const centre = median(part)
    return Array.from(part, (value) => value - centre)
  })
  const noise = Math.max(madAroundZero(residuals), noiseFloor)
  const rankBound = Math.max(settings.rankAlpha, 1.01 * smallestPossibleP(driftRuns.first, driftRuns.newest))
  const judgedAt = (autocorrelation: number) => {
    const judged = judge(parts, 0, noise, autocorrelation)
    const effectRatio = Math.expm1(judged.delta)
    const effect = Math.max(Math.abs(effectRatio), Math.abs(Math.expm1(-judged.delta)))
    if (effect < settings.minEffect || judged.p > settings.alpha || judged.pRank > rankBound) return null
    if (!sharesPass(judged, settings)) return null
    const levelBefore = Math.exp(judged.locationBefore)
    const levelAfter = levelBefore * (1 + effectRatio)
    return { levelBefore, levelAfter, effectRatio, pRobust: judged.p, pRank: judged.pRank }
  }
  // Most stretches are no drift whatever the line, which is slower to compute, would show.
  if (judgedAt(minAutocorrelation) === null) return null
  const aboutLine = lineResiduals(all, noise, truncation)
  if (!creeps(all, aboutLine, noise, truncation)) return null
  const seen = pooledAutocorrelation([aboutLine], noise)
  // Residuals of a line are less autocorrelated than the values it was fitted to, by about this much.
  return judgedAt(Math.max(minAutocorrelation, seen + (1 + 3 * seen) / all.length))
}
