import type { Metric } from '../run/metrics'
import type { LoadProfile } from '../history/series'
import { median } from '../stats/robust'
import type { LevelCheck } from './level-check'

/** A share of requests must move by this much, in absolute terms, to matter: half a percentage point. */
const minShareStep = 0.005

/**
 * The values as a detector reads them: positive. Shares near 0 or 1 are judged by the failures behind them, plus half
 * an event: 0 of 100 is not 0 of a million.
 */
export function judgedValues(profile: LoadProfile, metric: Metric, values: readonly number[]): readonly number[] {
  if (metric.unit !== 'ratio') return values
  const { toJudged } = shareScale(profile, metric)
  return values.map(toJudged)
}

/** Converts shares of a profile to what the detector reads, and back. */
function shareScale(profile: LoadProfile, metric: Metric) {
  const typical = median(profile.points.map((point) => point.figures.requests ?? 0)) || 1_000
  // A power of two, so that one more run with a few more requests does not move the scale of all others.
  const requests = 2 ** Math.round(Math.log2(typical))
  const isOfSuccess = metric.direction === 'higher-is-better'
  const failures = (share: number) => (isOfSuccess ? 1 - share : share)
  return {
    toJudged: (share: number) => failures(share) + 0.5 / requests,
    // Twelve decimals: a rounding residue of the logarithm is no failure.
    toShown: (judged: number) => failures(Math.max(0, Number((judged - 0.5 / requests).toFixed(12)))),
  }
}

/** A check of judged values, converted to the shown metric; a share must also move by half a percentage point. */
export function checkAsShown(
  profile: LoadProfile,
  metric: Metric,
  check: LevelCheck,
): Omit<LevelCheck, 'shifted' | 'p'> {
  if (metric.unit !== 'ratio') return check
  const { toShown } = shareScale(profile, metric)
  if (check.level === null || check.expectedLow === null || check.expectedHigh === null)
    return { ...check, level: check.level === null ? null : toShown(check.level) }
  const level = toShown(check.level)
  const bounds = [toShown(check.expectedLow), toShown(check.expectedHigh), level - minShareStep, level + minShareStep]
  return {
    ...check,
    level,
    expectedLow: Math.max(0, Math.min(...bounds)),
    expectedHigh: Math.min(1, Math.max(...bounds)),
  }
}

/** Metrics other than shares have their floor in the detector. */
export function matters(metric: Metric, before: number, after: number): boolean {
  return metric.unit !== 'ratio' || Math.abs(after - before) >= minShareStep
}
