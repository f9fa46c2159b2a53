/** The form of labelled experiments and of what is said of them, as their scorer reads it. */
import { z } from 'zod'
import { judgeExperiment, judgeMetrics, type Experiment, type ExperimentVerdict } from '../lib/judge/experiment'

/** An experiment of experiments.jsonl. */
export const experimentSchema = z.object({
  id: z.string(),
  metric: z.object({ direction: z.enum(['lower', 'higher']) }),
  smallest: z.number().default(0.02),
  alpha: z.number().default(0.05),
  history: z.object({ runs: z.number(), sdLog: z.number(), sdStep: z.number() }).nullable().default(null),
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
          connections: z.number().optional(),
          ratePerS: z.number().optional(),
          durationS: z.number().optional(),
          requests: z.number().optional(),
        })
        .optional(),
      invalid: z.array(z.string()).optional(),
    }),
  ),
})
export type GivenExperiment = z.infer<typeof experimentSchema>

const known = <T>(entries: Readonly<Record<string, T | undefined>>): Record<string, T> =>
  Object.fromEntries(Object.entries(entries).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))

function experimentOf({ metric, smallest, alpha, history, plan, resolution, runs }: GivenExperiment): Experiment {
  return {
    direction: metric.direction === 'lower' ? 'lower-is-better' : 'higher-is-better',
    smallestRatio: smallest,
    alpha,
    history,
    plan: plan ? { rounds: plan.rounds, evaluation: plan.look } : null,
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

/** Judges experiments in the order given; those of one family are metrics of the same runs. */
export function printVerdicts(given: readonly GivenExperiment[]) {
  const families = new Map<string, GivenExperiment[]>()
  for (const one of given) {
    if (one.family && !one.family.primary) families.set(one.family.id, [...(families.get(one.family.id) ?? []), one])
  }
  const corrected = new Map<string, ExperimentVerdict>()
  for (const members of families.values()) {
    const { others } = judgeMetrics(null, members.map(experimentOf))
    members.forEach(({ id }, at) => {
      const verdict = others[at]
      if (verdict) corrected.set(id, verdict)
    })
  }
  return given.map((one) => printed(one.id, corrected.get(one.id) ?? judgeExperiment(experimentOf(one))))
}
