const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/**
 * Waits between the attempts of a delivery, in ms: the example schedule of Standard Webhooks
 * (github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md, "Deliverability and reliability"). Ten
 * attempts, the last 75 h 35 min 5 s after the first.
 */
export const retryDelaysMs: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]

/** A channel that failed for this long without a success is disabled. */
export const failingLifeMs = 120 * HOUR_MS

/**
 * How long to wait, in ms, after a delivery failed for the `attempts`-th time; null: that was the last attempt.
 * `random` in [0, 1) spreads it by ±10 %, so that a receiver that was down does not get everything at once. `scale`
 * shrinks it.
 */
export function retryDelayMs(attempts: number, random: number, scale = 1): number | null {
  const delay = retryDelaysMs[attempts - 1]
  return delay === undefined ? null : Math.round(delay * scale * (0.9 + 0.2 * random))
}
