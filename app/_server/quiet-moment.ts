import { setTimeout as sleep } from 'node:timers/promises'

const windowMs = 10

/**
 * Resolves as soon as nothing else wanted the event loop for 10 ms, at the latest after `longestMs`: work that can wait
 * lets requests go first, and does not wait where there are none.
 */
export async function quietMoment(longestMs: number): Promise<void> {
  for (const until = performance.now() + longestMs; performance.now() < until;) {
    const asleepAt = performance.now()
    await sleep(windowMs, undefined, { ref: false })
    if (performance.now() - asleepAt < 2 * windowMs) return
  }
}
