import { z } from 'zod'
import type { UtcIso } from './run'
import { judgedStates } from './judged-states'
import { runGuardsSchema } from './guard'
import { judgedParts, type JudgedPart } from './steady-part'

/** Changes when another version says something else of the same runs; judgements of others are made again. */
export const judgementVersion = 'run-2'

const figure = z.number().nullable()

/** How what is said of one metric reads. */
export const metricJudgementSchema = z.object({
  metricId: z.string(),
  /** changed: the level of a metric that has no good side is shown to have moved. barred: a guard refuses the metric. */
  state: z.enum(['worse', 'better', 'changed', 'unusual', 'as-expected', 'no-history', 'barred']),
  /** Where a value that is unusual lies, or where its level moved to; null: neither. */
  side: z.enum(['worse', 'better', 'neutral']).nullable(),
  /** Of the run, or median of the runs that repeat each other; unit of the metric. */
  value: z.number(),
  /** What it is held against: the level of its series, by tool and load; of a changed level the one before. */
  level: figure,
  /** Values of that level lie between these: the acceptance region of the test that gives the state. */
  expectedLow: figure,
  expectedHigh: figure,
  /** Relative: 0.1 is 10 % above the level; with its 95 % interval, of the same estimator. Null for shares. */
  effectRatio: figure,
  effectLowRatio: figure,
  effectHighRatio: figure,
  /** Standard deviation of one run's logarithm. */
  noiseRatio: figure,
  /** Newest experiments in a row, this one included, that lie outside on that side; 0: it is inside. */
  outside: z.number(),
  /** Experiments of that level before it. */
  before: z.number(),
  /** The change of level that it belongs to; null: it is held against the current level. */
  change: z
    .object({ afterRunId: z.string(), since: z.string(), cause: z.string().nullable(), alertId: z.string().nullable() })
    .nullable(),
})
export type MetricJudgement = Readonly<z.infer<typeof metricJudgementSchema>>

/** How a stored judgement reads. */
export const runJudgementSchema = z.object({
  version: z.string(),
  state: z.enum(judgedStates),
  /** What the state is about; null: no metric, or no history. */
  metricId: z.string().nullable(),
  sentence: z.string(),
  /** Runs of one experiment, this one included: figures are their medians. */
  runs: z.number(),
  failedRatio: figure,
  failedCount: figure,
  guards: runGuardsSchema,
  /** What its figures are of. */
  judgedBy: z.enum(judgedParts).default('whole'),
  /** Each metric that is judged and that the run has, in reading order. */
  metrics: z.array(metricJudgementSchema).readonly(),
})
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
