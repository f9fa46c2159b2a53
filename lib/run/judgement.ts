import { z } from 'zod'
import type { UtcIso } from './run'
import { judgedStates } from './judged-states'
import { runGuardsSchema } from './guard'
import { utcIsoSchema } from './moment'
import { judgedParts, type JudgedPart } from './steady-part'

/** Changes when another version says something else of the same runs; judgements of others are made again. */
export const judgementVersion = 'run-2'

const figure = z.number().nullable()

/** How what is said of one metric reads. */
export const metricJudgementSchema = z
  .object({
    metricId: z.string(),
    state: z
      .enum(['worse', 'better', 'changed', 'unusual', 'as-expected', 'no-history', 'barred'])
      .describe('changed: a metric that has no good side moved. barred: a guard refuses the metric.'),
    side: z
      .enum(['worse', 'better', 'neutral'])
      .nullable()
      .describe('Where a value that is unusual lies, or where its level moved to. Null: neither.'),
    value: z.number().describe('Of the run, or median of its repeats; in the unit of the metric.'),
    level: figure.describe('Of its series, by tool and load; of a changed level the one before.'),
    expectedLow: figure.describe('Values of that level lie from here to `expectedHigh`: what the test accepts.'),
    expectedHigh: figure,
    effectRatio: figure.describe('0.1 is 10 % above the level; the next two are its 95 % interval. Null for shares.'),
    effectLowRatio: figure,
    effectHighRatio: figure,
    noiseRatio: figure.describe("Standard deviation of one run's logarithm."),
    outside: z.number().describe('Newest experiments in a row, this one included, outside on that side.'),
    before: z.number().describe('Experiments of that level before it.'),
    change: z
      .object({
        afterRunId: z.string(),
        since: utcIsoSchema,
        cause: z.string().nullable(),
        alertId: z.string().nullable(),
      })
      .nullable()
      .describe('The change of level that it belongs to. Null: it is held against the current level.'),
  })
  .meta({ id: 'MetricJudgement', description: 'What is said of one metric of a run against its series.' })
export type MetricJudgement = Readonly<z.infer<typeof metricJudgementSchema>>

/** How a stored judgement reads. */
export const runJudgementSchema = z
  .object({
    version: z.string(),
    state: z.enum(judgedStates),
    metricId: z.string().nullable().describe('What the state is about. Null: no metric, or no history.'),
    sentence: z.string(),
    runs: z.number().describe('Of one experiment, this one included: figures are their medians.'),
    failedRatio: figure,
    failedCount: figure,
    guards: runGuardsSchema,
    judgedBy: z.enum(judgedParts).default('whole').describe('What its figures are of.'),
    metrics: z.array(metricJudgementSchema).readonly().describe('Those that are judged, in reading order.'),
  })
  .meta({ id: 'Judgement', description: 'What is said of a run against the runs of its series before it.' })
export type RunJudgement = Readonly<z.infer<typeof runJudgementSchema>>

/** A judgement with what it rests on (lib/judge/judgement-basis.ts): the version of the rules first. */
export interface StoredJudgement {
  readonly judgement: RunJudgement
  readonly basis: string
}

/** How a basis begins: the version of the rules, and whether the project asks for steady parts. */
export const versionOf = (judgedBy: JudgedPart = 'whole'): string =>
  judgedBy === 'whole' ? judgementVersion : `${judgementVersion}+steady`

/** Whether a judgement was made by the rules of today, of what the project asks for now. */
export function isOfThisVersion(basis: string | null, judgedBy?: JudgedPart): boolean {
  const version = versionOf(judgedBy)
  return basis === version || (basis?.startsWith(`${version} `) ?? false)
}

/** A limit of a rule that runs break since a time. */
export interface BrokenLimit {
  readonly metricId: string
  readonly expected: number
  readonly side: 'above' | 'below'
  readonly since: UtcIso
}
