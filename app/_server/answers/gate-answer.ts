import { z } from 'zod'
import { metricJudgementSchema } from '@/lib/run/judgement'
import type { MetricUnit } from '@/lib/run/metrics'
import type { RefusedThreshold } from '@/lib/gate/refused-threshold'
import type { GateExcuse, GateVerdict, GateVerdictWord, RefusedRun } from '@/lib/gate/gate'
import { ruleKinds } from '@/lib/rules/rules'
import { schemaOf, type Described } from '@/lib/schema-of'

const text = z.string().nullable()
const link = z.object({ name: z.string(), url: z.string() })

const askedBy = z.object({ id: z.string(), kind: z.enum(ruleKinds), words: z.string() })
const excuse = schemaOf<GateExcuse>()(
  z.enum(['muted', 'not-asked', 'unconfirmed', 'reported', 'environment', 'instrument']),
)
  .nullable()
  .describe('Why it does not fail the build. Null: it counts.')

const about = {
  seriesId: z.string(),
  scenario: z.string(),
  variant: text,
  environment: text,
  profile: z.string().describe('Tool and load.'),
  metric: z.string(),
  unit: schemaOf<MetricUnit>()(z.enum(['ms', 'per-second', 'ratio', 'count', 'bytes', 'mb'])).describe(
    'The unit of values, levels and limits.',
  ),
  verdict: schemaOf<GateVerdictWord>()(
    z.enum(['worse', 'better', 'changed', 'unusual', 'as-expected', 'no-history', 'barred', 'within']),
  ),
  excuse,
  fails: z.boolean(),
  runs: z.number().describe('The runs whose median is the value.'),
  rule: askedBy,
}
const ofLevel = {
  ...about,
  value: z.number(),
  side: z.enum(['above', 'below']).describe('The side on which values break the rule.'),
  broken: z.number().describe('Number of experiments in a row that broke it, including this one.'),
  confirmRuns: z.number().describe('How many must.'),
}

const verdictRow = z
  .discriminatedUnion('kind', [
    z.object({
      ...about,
      kind: z.literal('change-point'),
      reason: text.describe('Why the metric is not judged.'),
      ...metricJudgementSchema.shape,
    }),
    z.object({
      ...ofLevel,
      kind: z.literal('limit'),
      limit: z.number().nullable(),
      missedBy: z.number().nullable().describe('How far the value is beyond the limit. Null: it meets it.'),
    }),
    z.object({
      ...ofLevel,
      kind: z.literal('baseline'),
      baseline: z.number().nullable().describe('Null: it has no run under this load.'),
      refused: schemaOf<RefusedThreshold>()(
        z.object({
          environment: z.string(),
          askedRatio: z.number().describe('The threshold of the rule: 0.02 is 2 %.'),
          heldRatio: z.number().describe('The smallest change that these runs show, which is held instead.'),
          runs: z.number(),
        }),
      )
        .nullable()
        .describe('The threshold, if the environment does not show it. Null: it does, or it is not certified.'),
    }),
  ])
  .meta({ id: 'VerdictRow', description: 'The result of one rule for one metric of one load profile.' })
export type VerdictRow = Described<typeof verdictRow>

/** The verdict on an upload, for a build. */
export const verdictAnswer = z
  .object({
    result: schemaOf<GateVerdict['result']>()(
      z.enum(['passed', 'failed', 'not-judged', 'waiting', 'repeat', 'pending']),
    ).describe('repeat: run the same commit again, `missing` times, and upload each as this one.'),
    sentence: z.string(),
    missing: z.number().describe('Number of runs still awaited, or to be repeated.'),
    rows: z.array(verdictRow),
    refused: z
      .array(
        schemaOf<RefusedRun>()(
          z.object({ runId: z.string(), state: z.enum(['invalid', 'failing']), sentence: z.string() }),
        ),
      )
      .readonly(),
    failedImport: z
      .object({ rule: askedBy, message: z.string(), excuse })
      .nullable()
      .describe('What could not be read, if a rule checks for that.'),
    openAlerts: z.array(link),
    warnings: z.array(z.string()).readonly(),
    runs: z.array(link),
    url: z.string().describe('The address that returns the verdict again.'),
  })
  .meta({ id: 'Verdict', description: 'The verdict on an upload, for a build.' })
export type Verdict = Described<typeof verdictAnswer>
