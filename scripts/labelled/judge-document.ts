/** The format of labelled experiments and their judgements, as their scorer reads it. */
import * as z from 'zod'
import { judgeExperiment, judgeMetrics, type Experiment, type ExperimentVerdict } from '../../lib/judge/experiment'
import { requestedLoadOf, type RequestedLoad } from '../../lib/judge/requested-load'
import type { ImportedRun } from '../../lib/run/run'

/** An experiment of experiments.jsonl. */
export const experimentSchema = z.object({
  id: z.string(),
  metric: z.object({ direction: z.enum(['lower', 'higher']) }),
  smallest: z.number().default(0.02),
  alpha: z.number().default(0.05),
  history: z
    .object({ runs: z.number(), sdLog: z.number(), sdStep: z.number(), maxStep: z.number().nullable().default(null) })
    .nullable()
    .default(null),
  instrument: z.object({ aa: z.array(z.number()).nullable() }).optional(),
  plan: z.object({ rounds: z.number().nullable(), look: z.number() }).optional(),
  family: z.object({ id: z.string(), primary: z.boolean().default(false) }).optional(),
  resolution: z.number().optional(),
  runs: z.array(
    z.object({
      side: z.enum(['base', 'head']),
      value: z.number().nullable(),
      start: z.number().optional(),
      round: z.union([z.string(), z.number()]).optional(),
      load: z
        .object({
          connections: z.number().nullish(),
          ratePerS: z.number().nullish(),
          durationS: z.number().nullish(),
          requests: z.number().nullish(),
        })
        .optional(),
      invalid: z.array(z.string()).optional(),
    }),
  ),
})
export type GivenExperiment = z.infer<typeof experimentSchema>

const known = <T>(entries: Readonly<Record<string, T | undefined>>): Record<string, T> =>
  Object.fromEntries(Object.entries(entries).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))

function experimentOf({
  metric,
  smallest,
  alpha,
  history,
  plan,
  instrument,
  resolution,
  runs,
}: GivenExperiment): Experiment {
  return {
    direction: metric.direction === 'lower' ? 'lower-is-better' : 'higher-is-better',
    smallestRatio: smallest,
    alpha,
    history: history && { ...history, maxStepLog: history.maxStep },
    plan: plan ? { rounds: plan.rounds, evaluation: plan.look } : null,
    instrument: instrument ?? null,
    resolution: resolution ?? null,
    runs: runs.map(({ side, value, start, round, load = {}, invalid = [] }) => ({
      side,
      value,
      startS: start ?? null,
      round: round === undefined ? null : String(round),
      load: known({
        connections: load.connections,
        ratePerSecond: load.ratePerS,
        durationSeconds: load.durationS,
        requests: load.requests,
      }),
      isValid: invalid.length === 0,
    })),
  }
}

function printed(id: string, verdict: ExperimentVerdict) {
  const { effectRatio, lowRatio, highRatio, p, method, warnings, moreRounds } = verdict
  return {
    id,
    verdict: verdict.verdict,
    effect: effectRatio,
    low: lowRatio,
    high: highRatio,
    p,
    method,
    warnings,
    moreRounds,
  }
}

/** Judges experiments in the given order; those of one family are metrics of the same runs. */
export function printVerdicts(given: readonly GivenExperiment[]) {
  const families = new Map<string, GivenExperiment[]>()
  for (const one of given) if (one.family) families.set(one.family.id, [...(families.get(one.family.id) ?? []), one])
  const found = new Map<string, ExperimentVerdict>()
  for (const members of families.values()) {
    const [leading = null] = members.filter(({ family }) => family?.primary)
    const rest = members.filter((one) => one !== leading)
    const { primary, others } = judgeMetrics(leading && experimentOf(leading), rest.map(experimentOf))
    if (leading && primary) found.set(leading.id, primary)
    rest.forEach(({ id }, at) => {
      const verdict = others[at]
      if (verdict) found.set(id, verdict)
    })
  }
  return given.map((one) => printed(one.id, found.get(one.id) ?? judgeExperiment(experimentOf(one))))
}

/** The declared load of each tool output in the same folder, by file. */
export const declaredSchema = z.record(
  z.string(),
  z.object({
    ratePerS: z.number().nullish(),
    durationS: z.number().nullish(),
    requests: z.number().nullish(),
    connections: z.number().nullish(),
    contentLength: z.number().nullish(),
    expectCodes: z.array(z.number()).default([]),
    metric: z.enum(['p50', 'p90', 'p95', 'p99', 'p999', 'mean']).default('p50'),
  }),
)

const quantiles = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999, mean: 0.99 } as const

/** The load that the run's own output gives, overridden by what was declared, and the quantile to judge it by. */
export function declaredOf(
  run: ImportedRun,
  declared: z.infer<typeof declaredSchema>[string],
): { readonly asked: RequestedLoad; readonly q: number } {
  const own = requestedLoadOf(run)
  return {
    asked: {
      ratePerSecond: declared.ratePerS ?? own.ratePerSecond,
      durationMs: typeof declared.durationS === 'number' ? declared.durationS * 1_000 : own.durationMs,
      requests: declared.requests ?? own.requests,
      connections: declared.connections ?? own.connections,
      contentLengthBytes: declared.contentLength ?? own.contentLengthBytes,
      expectedCodes: declared.expectCodes,
    },
    q: quantiles[declared.metric],
  }
}
