import { findWarmUp } from '@/lib/judge/warm-up'
import type { Timeline } from '@/lib/run/run'
import { steadyNumbers } from './samples'

/** A server that answers in 1 to 2 ms, called on a schedule, and that stops once for a while. All times in ms. */
export const pause = { everyMs: 10, lengthMs: 100_000, pauseFromMs: 45_000, pauseMs: 10_000 } as const

/**
 * Latencies of that server in ms: `fromSchedule`, of every request from the time it was due; `whileWaiting`, of the
 * requests of a tool that skips its turns while it awaits a response, from the time it sent them.
 */
export function pausedServer(): { readonly fromSchedule: readonly number[]; readonly whileWaiting: readonly number[] } {
  const fromSchedule: number[] = []
  const whileWaiting: number[] = []
  const { everyMs, lengthMs, pauseFromMs, pauseMs } = pause
  const answeredAt = (startMs: number, serviceMs: number) =>
    (startMs >= pauseFromMs && startMs < pauseFromMs + pauseMs ? pauseFromMs + pauseMs : startMs) + serviceMs
  const random = steadyNumbers(1)
  let serverFreeAtMs = 0
  let toolFreeAtMs = 0
  for (let dueMs = 0; dueMs < lengthMs; dueMs += everyMs) {
    const serviceMs = 1 + random()
    serverFreeAtMs = answeredAt(Math.max(serverFreeAtMs, dueMs), serviceMs)
    fromSchedule.push(serverFreeAtMs - dueMs)
    if (dueMs < toolFreeAtMs) continue
    toolFreeAtMs = answeredAt(dueMs, serviceMs)
    whileWaiting.push(toolFreeAtMs - dueMs)
  }
  return { fromSchedule, whileWaiting }
}

/** The queue of the loop example: one worker, answers that take 10 ms on average (exponentially distributed). */
export const queue = { meanServiceMs: 10, requests: 20_000, users: 4, rateRatio: 0.95 } as const

/** One loop's latencies in ms and the rate that it reached. */
export interface LoopResult {
  readonly valuesMs: readonly number[]
  readonly requestsPerSecond: number
}

const exponential = (random: () => number, mean: number) => -mean * Math.log(1 - random())

/** Users who each wait for their answer, then send the next request at once. */
export function closedLoop(): LoopResult {
  const random = steadyNumbers(2)
  const askedAtMs = Array.from({ length: queue.users }, () => 0)
  const valuesMs: number[] = []
  let freeAtMs = 0
  for (let at = 0; at < queue.requests; at += 1) {
    const user = at % queue.users // First come, first served, and all wait: they take turns.
    const asked = askedAtMs[user] ?? 0
    freeAtMs = Math.max(freeAtMs, asked) + exponential(random, queue.meanServiceMs)
    valuesMs.push(freeAtMs - asked)
    askedAtMs[user] = freeAtMs
  }
  return { valuesMs, requestsPerSecond: (queue.requests / freeAtMs) * 1000 }
}

/** Requests that arrive independently of each other at a mean rate, whatever the server does. */
export function openLoop(ratePerSecond: number): LoopResult {
  const random = steadyNumbers(3)
  const valuesMs: number[] = []
  let dueMs = 0
  let freeAtMs = 0
  for (let at = 0; at < queue.requests; at += 1) {
    dueMs += exponential(random, 1000 / ratePerSecond)
    freeAtMs = Math.max(freeAtMs, dueMs) + exponential(random, queue.meanServiceMs)
    valuesMs.push(freeAtMs - dueMs)
  }
  return { valuesMs, requestsPerSecond: (queue.requests / freeAtMs) * 1000 }
}

/** Runs of one unchanging system: latencies in ms, log-normal around 20 ms, `requests` values each. */
export const repeated = { runs: 6, requests: 1_000, medianMs: 20, spread: 0.5 } as const

/** As many runs as `repeated` specifies. */
export function repeatedRuns(): readonly (readonly number[])[] {
  const random = steadyNumbers(4)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Array.from({ length: repeated.runs }, () =>
    Array.from({ length: repeated.requests }, () => repeated.medianMs * Math.exp(repeated.spread * normal())),
  )
}

/** A server whose answers take 25 ms at its start and settle at 10 ms, called 2 000 times a second for a minute. */
export const warming = { startMs: 25, levelMs: 10, settlesBySeconds: 4, seconds: 60, perSecond: 2_000 } as const

/** That server's timeline, its warm-up found by the rule for real runs. */
export function warmingTimeline(): Timeline {
  const { startMs, levelMs, settlesBySeconds, seconds, perSecond } = warming
  const random = steadyNumbers(4)
  const p50Ms = Array.from({ length: seconds }, (_, second) => {
    const excessMs = (startMs - levelMs) * Math.exp(-(second + 0.5) / settlesBySeconds)
    return (levelMs + excessMs) * (0.96 + 0.08 * random())
  })
  const times = (factor: number) => p50Ms.map((ms) => ms * factor)
  const found = findWarmUp(p50Ms)
  const endMs = found?.kind === 'ends' ? found.endBins * 1_000 : null
  return {
    startedAt: null,
    binMs: 1_000,
    requests: p50Ms.map(() => perSecond),
    errors: p50Ms.map(() => 0),
    p50Ms,
    p90Ms: times(1.5),
    p95Ms: times(1.8),
    p99Ms: times(2.6),
    maxMs: times(5),
    heat: { binMs: 1_000, lowerMs: [], counts: [] },
    warmUp: { endMs, isSteady: endMs !== null, steady: null },
  }
}
