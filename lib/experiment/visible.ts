import { cachedStudentQuantile } from '../stats/student-quantile'

/** Probability with which a change of this size is shown. */
const power = 0.8

/**
 * The smallest relative change that so many rounds show with 80 % power at a two-sided `alpha`, evaluated once.
 * `deviation`: of one round's difference on the log scale.
 */
export function smallestVisible(deviation: number, rounds: number, alpha: number): number {
  const df = Math.max(1, rounds - 2)
  const reach = cachedStudentQuantile(alpha / 2, df) + cachedStudentQuantile(1 - power, df)
  return toRatio((reach * deviation) / Math.sqrt(rounds))
}

/** A log difference as a relative change: 0.05 is +5 %. */
export const toRatio = (log: number): number => Math.expm1(Math.min(log, 20))
