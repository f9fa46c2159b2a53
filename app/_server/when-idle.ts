import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

const windowMs = 10

/**
 * Resolves as soon as the event loop has been idle for half of 10 ms, at the latest after `longestMs`: work that can
 * wait lets requests go first, and does not wait when there are none, however busy the machine is otherwise.
 */
export async function whenIdle(longestMs: number): Promise<void> {
  for (const until = performance.now() + longestMs; performance.now() < until;) {
    const before = performance.eventLoopUtilization()
    await sleep(windowMs)
    if (performance.eventLoopUtilization(before).utilization < 0.5) return
  }
}
