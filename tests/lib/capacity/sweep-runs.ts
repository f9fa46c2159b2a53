import type { CapacityRun } from '@/lib/capacity/capacity-run'

let count = 0

/** A run of an open loop at a rate that it made, with 10,000 requests, none of them bad. */
export function openRun(ratePerSecond: number, p99: number, more: Partial<CapacityRun> = {}): CapacityRun {
  count += 1
  return {
    ...{ id: `r${count}`, tool: 'vegeta', loop: 'open', ratePerSecond, connections: null },
    ...{ madePerSecond: ratePerSecond, servedPerSecond: ratePerSecond, durationMs: 30_000 },
    ...{ requests: 10_000, failed: 0, missing: 0, latencyMs: { p99 } },
    ...{ system: null, machine: null, payload: null, instances: null },
    ...more,
  }
}

/** A run of a closed loop. */
export const closedRun = (connections: number, servedPerSecond: number, p99: number): CapacityRun =>
  openRun(1, p99, {
    ...{ tool: 'wrk', loop: 'closed', ratePerSecond: null, connections },
    ...{ madePerSecond: servedPerSecond, servedPerSecond },
  })
