import * as z from 'zod'
import { experimentWarnings, type ExperimentMethod } from '../judge/experiment'
import type { Difference } from '../judge/comparability'
import type { Delta, Verdict } from '../judge/delta'
import type { Finding } from '../judge/findings'
import { runFiguresSchema } from '../run/figures-schema'
import { loadSchema, stringsSchema, toolSchema } from '../run/imported-run-schema'
import type { MetricUnit } from '../run/metrics'
import { utcIsoSchema } from '../run/timestamp'
import { schemaOf, type Described } from '../schema-of'

const text = z.string().nullable()
const number = z.number().nullable()
const ratio = number.describe('Relative: 0.1 is +10 %.')

/** The unit of a metric. */
export const unitSchema = schemaOf<MetricUnit>()(z.enum(['ms', 'per-second', 'ratio', 'count', 'bytes', 'mb']))

const verdict = schemaOf<Verdict>()(z.enum(['better', 'worse', 'same', 'undecided', 'neutral', 'unknown'])).describe(
  'same: shown to lie within the margin. undecided: neither is shown. neutral: the metric has no good side. unknown: a value is missing.',
)
const word = z
  .string()
  .describe(
    'The verdict as pages word it. Of one run a side: `n = 1`, `may be noise` or `equal`, never better or worse.',
  )
const method = schemaOf<ExperimentMethod>()(
  z.enum([
    ...['sign-flip', 't-pairs', 't-pairs+history', 'history', 'blocks+history', 'blocks+default'],
    ...['level-change', 'none'],
  ] as const),
)

/** What both files state of a side beside its base. */
const judged = {
  value: number.describe(
    'Base × (1 + `changeRatio`) where repeats were judged, else the median over the runs; of a share of requests, that of all runs together.',
  ),
  absolute: number.describe('Side − base, in the unit of the metric.'),
  changeRatio: ratio,
  lowRatio: number.describe(
    'The interval of `changeRatio` up to `highRatio`. Null: there is none, or that end is open.',
  ),
  highRatio: number,
  marginRatio: number.describe('The largest change that counts as the same.'),
  method,
  p: number.describe('Two-sided.'),
  warnings: z.array(z.enum(experimentWarnings)),
  orderBoundRatio: number.describe(
    'Identical code may differ by as much in the order of these runs, which was not drawn. Null: it was, or the bound is unknown.',
  ),
  rounds: z.number().describe('That were judged.'),
  moreRounds: number.describe('Further rounds that would decide. Null: decided, nothing was judged, or more than 200.'),
  verdict,
  reason: text.describe('Why there can be no verdict, whatever the figures.'),
}

/** A candidate's value beside the base's. */
export const deltaSchema = schemaOf<Delta>()(
  z
    .object({
      ...judged,
      spreadRatio: number.describe('± of its runs. Null: one run.'),
      counts: z.tuple([z.number(), z.number()]).describe('Runs of base and side that have the metric.'),
      factor: number.describe('1 + `changeRatio`.'),
      pilot: z
        .object({ deviation: z.number(), df: z.number(), alpha: z.number() })
        .nullable()
        .describe('What rounds are planned by.'),
      leaning: z.enum(['better', 'worse']).nullable().describe('Which way the figures lean while undecided.'),
    })
    .meta({ id: 'Delta', description: 'A value compared with that of the base.' }),
)

/** What both files contain of a run. */
export const exportedRun = {
  id: z.string(),
  scenario: z.string(),
  variant: text,
  environment: text,
  labels: stringsSchema,
  tool: toolSchema,
  load: loadSchema,
  startedAt: utcIsoSchema.nullable(),
  figures: runFiguresSchema,
}

/** A comparison as `data.json`. */
export const comparisonDataSchema = z
  .object({
    sentence: z.string(),
    caution: z.string(),
    runs: z.array(
      z.object({
        ...exportedRun,
        name: z.string(),
        command: text,
        findings: z.array(
          schemaOf<Pick<Finding, 'id' | 'severity' | 'sentence'>>()(
            z.object({
              id: z.string(),
              severity: z.enum(['inconsistent', 'caution', 'explain', 'note']),
              sentence: z.string(),
            }),
          ),
        ),
      }),
    ),
    sides: z.array(z.object({ name: z.string(), runIds: z.array(z.string()) })).describe('The base first.'),
    rows: z.array(
      z.object({
        metric: z.string(),
        unit: unitSchema,
        baseValue: number.describe("Median over the base's runs; of a share of requests, that of all of them."),
        deltas: z.array(z.object({ ...judged, word })).describe('One for each other side.'),
      }),
    ),
    differences: z
      .array(schemaOf<Difference>()(z.object({ field: z.string(), values: z.array(text), why: z.string() })))
      .describe('What else differs; a value for each run.'),
    sloMs: number,
    cost: z
      .object({
        sides: z.array(z.string()),
        rows: z.array(z.object({ label: z.string(), cells: z.array(z.string()) })),
        prices: z.string(),
      })
      .nullable(),
  })
  .meta({ id: 'Comparison', description: 'A comparison of sides, each a run or repeats.' })
export type ComparisonData = Described<typeof comparisonDataSchema>
