import { z } from 'zod'
import type { CapacityRun } from '../../lib/capacity/capacity-run'
import type { Objective } from '../../lib/capacity/objective'

const latency = z.enum(['p50', 'p90', 'p95', 'p99', 'p99.9', 'mean'])
const objective = z.union([
  z.object({ metric: latency, relation: z.enum(['<', '<=']), value: z.number().positive() }),
  z.object({ metric: z.literal('success'), relation: z.enum(['>', '>=']), value: z.number().positive() }),
]) satisfies z.ZodType<Objective>
const number = z
  .number()
  .nullish()
  .transform((value) => value ?? null)
const ms = z
  .number()
  .nullish()
  .transform((value) => value ?? undefined)
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null)

const simulated = z
  .object({
    ...{ id: z.string(), tool: z.string(), loop: z.enum(['open', 'closed']) },
    ...{ ratePerS: number, connections: number, madePerS: number, servedPerS: number, durationS: number },
    ...{ requests: number, failed: z.number().default(0), missing: z.number().default(0) },
    ...{ p50Ms: ms, p90Ms: ms, p95Ms: ms, p99Ms: ms, meanMs: ms, machine: text, payload: text, instances: number },
  })
  .transform(
    ({ ratePerS, madePerS, servedPerS, durationS, p50Ms, p90Ms, p95Ms, p99Ms, meanMs, ...run }): CapacityRun => {
      const known = Object.entries({ p50: p50Ms, p90: p90Ms, p95: p95Ms, p99: p99Ms, mean: meanMs })
      return {
        ...run,
        system: null,
        ...{ ratePerSecond: ratePerS, madePerSecond: madePerS, servedPerSecond: servedPerS },
        durationMs: durationS === null ? null : durationS * 1_000,
        latencyMs: Object.fromEntries(known.filter(([, value]) => value !== undefined)),
      }
    },
  )
/** A line of sweeps.jsonl (`runs`) or of real.jsonl (`files`, outputs of tools). */
export const sweepSchema = z.object({
  ...{ id: z.string(), objectives: z.array(objective), target: number },
  runs: z.array(simulated).optional(),
  files: z
    .array(
      z.object({
        file: z.string(),
        ...{ ratePerS: z.number().optional(), connections: z.number().optional(), durationS: z.number().optional() },
      }),
    )
    .optional(),
})
export type SweepFiles = NonNullable<z.infer<typeof sweepSchema>['files']>
