import * as z from 'zod'
import { findMetric, isLatency } from './metrics'

/**
 * Checks that find a run is not a valid measurement. The first group contradicts its command, or the clock: the run
 * takes no part in any judgement. The second may be caused by the server: its latency is not judged, but failures and
 * served requests are. The third binds one metric.
 */
export const guardKinds = {
  'cut-short': 'invalid',
  'requests-off': 'invalid',
  'clock-jump': 'invalid',
  'too-short': 'invalid',
  'zero-success': 'no-latency',
  errors: 'no-latency',
  'timeout-truncated': 'no-latency',
  'rate-missed': 'no-latency',
  'client-saturated': 'no-latency',
  'payload-changed': 'no-latency',
  'few-for-tail': 'one-metric',
  'sample-cap': 'one-metric',
} as const
export type GuardCode = keyof typeof guardKinds

/** A guard that refuses a run, with the figures it rests on, named with their unit. */
export interface Guard {
  readonly code: GuardCode
  readonly numbers: Readonly<Record<string, number>>
}

const codes = Object.keys(guardKinds).filter((code): code is GuardCode => code in guardKinds)

/**
 * How guards are stored with a run: those of all its metrics, and the metrics that one binds; null: defined by its
 * kind.
 */
export const runGuardSchema = z
  .object({
    code: z.enum(codes),
    numbers: z.record(z.string(), z.number()).readonly().describe('Named with their unit.'),
    metricIds: z.array(z.string()).readonly().nullable(),
  })
  .meta({
    id: 'Guard',
    description: 'A check that refuses a run, or these metrics of it; `metricIds` null: see `code`.',
  })
export type RunGuard = Readonly<z.infer<typeof runGuardSchema>>
export const runGuardsSchema = z.array(runGuardSchema).readonly()

/** Whether a guard takes a run out of history, comparisons and gate, unless a person counts it anyway. */
export const isInvalidated = (guards: readonly Pick<RunGuard, 'code'>[]): boolean =>
  guards.some(({ code }) => guardKinds[code] === 'invalid')

/** Without those that make a run invalid, if a person counts it anyway. */
export const guardsThatHold = (guards: readonly RunGuard[], counted: boolean | null): readonly RunGuard[] =>
  counted === true ? guards.filter((guard) => !isInvalidated([guard])) : guards

/** The guard that leads a run's judgement because it refuses more than one metric; null: none does. */
export const leadingGuard = (guards: readonly RunGuard[]): RunGuard | null =>
  guards.find(({ code, metricIds }) => metricIds === null && guardKinds[code] !== 'one-metric') ?? null

/** Whether guards refuse a verdict on a metric: failures are judged whatever the latency is. */
export const isBarred = (guards: readonly RunGuard[], metricId: string): boolean =>
  guards.some((guard) => isBarredBy(guard, metricId))

/** Whether a guard refuses a verdict on a metric. An invalid run measures nothing. */
export function isBarredBy({ code, metricIds }: RunGuard, metricId: string): boolean {
  if (metricIds !== null) return metricIds.includes(metricId)
  if (guardKinds[code] === 'invalid') return true
  // A speed of requests that fail at once is meaningless; those served are judged.
  if ((code === 'errors' || code === 'zero-success') && metricId === 'requests-per-second') return true
  const metric = findMetric(metricId)
  return metric !== null && isLatency(metric)
}
