import type { LatencyMetric, Objective } from './objective'

/** A run as its capacity is read from. Null: not known. */
export interface CapacityRun {
  readonly id: string
  readonly tool: string
  /** open: a rate was wanted; closed: connections wait for replies. Null: it is not known, so neither is its level. */
  readonly loop: 'open' | 'closed' | null
  /** The rate that was wanted, per second; null in a closed loop. */
  readonly ratePerSecond: number | null
  /** Connections of a closed loop. */
  readonly connections: number | null
  /** Requests that were sent, and that were answered well, per second. */
  readonly madePerSecond: number | null
  readonly servedPerSecond: number | null
  readonly durationMs: number | null
  /** All that were asked for; `failed` and `missing` (sent, never answered) are among them, each once. */
  readonly requests: number | null
  readonly failed: number
  readonly missing: number
  /** Milliseconds; a metric that was not printed is absent. */
  readonly latencyMs: Readonly<Partial<Record<LatencyMetric, number>>>
  /** What was tested: scenario and variant. Null: it is not said, so all such runs are of one system. */
  readonly system: string | null
  readonly machine: string | null
  readonly payload: string | null
  readonly instances: number | null
}

export const badCount = ({ failed, missing }: CapacityRun): number => failed + missing

/** Failed and missing ones of what was asked for, 0…1; null: not known. */
export const badRatio = (run: CapacityRun): number | null =>
  run.requests === null || run.requests <= 0 ? null : Math.min(1, badCount(run) / run.requests)

/** What a run shows of an objective's metric; null: nothing. */
export function valueOf(run: CapacityRun, { metric }: Objective): number | null {
  if (metric !== 'success') return positive(run.latencyMs[metric])
  const bad = badRatio(run)
  return bad === null ? null : 1 - bad
}

const positive = (value: number | undefined): number | null => (value !== undefined && value > 0 ? value : null)
