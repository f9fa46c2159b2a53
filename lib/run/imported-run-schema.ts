import * as z from 'zod'
import { schemaOf } from '../schema-of'
import { utcIsoSchema } from './timestamp'
import type {
  FieldSummary,
  ImportedRun,
  LambdaStats,
  Latency,
  LatencyBucket,
  LatencyHistogram,
  Load,
  RunWarmUp,
  SteadyPart,
  Target,
  Timeline,
  Warning,
} from './run'
import { isQuantileMethod, quantileMethods } from './quantile-method'
import type { SteadyState } from './steady-part'
import { toolIds, type Tool } from './tools'

// A canonical run as JSON, as defined in lib/run/run.ts. The types keep the two in step: a field added there fails to
// compile here until it is read too (with a default, for what was written before). Names and words (`meta`) are those
// of the API's description.

const text = z.string().nullable()
const number = z.number().nullable()
const counts = z.record(z.string(), z.number())
const strings = z.record(z.string(), z.string())

/** A tool's id. */
export const toolSchema: z.ZodType<Tool> = schemaOf<Tool>()(z.enum(toolIds).meta({ id: 'Tool' }))

/** How requests were offered. */
export const loadSchema: z.ZodType<Load> = schemaOf<Load>()(
  z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('open'), ratePerSecond: number }),
      z.object({ kind: z.literal('closed'), connections: number }),
      z.object({ kind: z.literal('observed') }),
      z.object({ kind: z.literal('unstated') }),
    ])
    .meta({
      id: 'Load',
      description: 'How requests were offered. Null: the loop is known, but not its rate or connections.',
    }),
)

const warningSchema = schemaOf<Warning>()(
  z.object({ code: z.string(), message: z.string(), line: number, numbers: counts.optional() }).meta({
    id: 'Warning',
    description: 'What readers of the figures must know. `numbers`: what it rests on, by name with unit.',
  }),
)
/** What readers of the figures must know. */
export const warningsSchema: z.ZodType<readonly Warning[]> = z.array(warningSchema)

/** Names and values: labels. */
export const stringsSchema: z.ZodType<Readonly<Record<string, string>>> = strings

const bucketSchema: z.ZodType<LatencyBucket> = schemaOf<LatencyBucket>()(
  z.object({ lowerMs: z.number(), upperMs: number.describe('Null: open end.'), count: z.number() }),
)

const bucketsSchema = z.object({
  kind: z.literal('buckets'),
  inclusive: z.enum(['lower', 'upper']),
  buckets: z.array(bucketSchema),
})

/** Printed buckets. */
export const histogramBucketsSchema: z.ZodType<Extract<LatencyHistogram, { kind: 'buckets' }>> = bucketsSchema

/** Unit of a stored payload. */
export const hdrUnitSchema = z.enum(['ns', 'us', 'ms'])

const histogramSchema: z.ZodType<LatencyHistogram> = schemaOf<LatencyHistogram>()(
  z.discriminatedUnion('kind', [
    bucketsSchema,
    z.object({
      kind: z.literal('hdr'),
      v2Base64: z.string().describe('HdrHistogram V2, compressed.'),
      lessV2Base64: z.string().describe('Counts to take off those of `v2Base64`.').exactOptional(),
      unit: hdrUnitSchema,
    }),
  ]),
)

const latencySchema: z.ZodType<Latency> = schemaOf<Latency>()(
  z
    .object({
      of: z.enum(['all', 'success', 'failure', 'recorded', 'uncorrected']),
      count: number,
      minMs: number,
      meanMs: number,
      stdDevMs: number,
      maxMs: number,
      withinOneStdDevRatio: number,
      quantiles: z.array(z.object({ q: z.number(), ms: z.number() })).describe('Rising. `q` is 0 to 1: p99 is 0.99.'),
      histogram: histogramSchema.nullable(),
      origin: z.enum(['samples', 'buckets', 'summary']),
      method: z
        .enum(Object.keys(quantileMethods).filter(isQuantileMethod))
        .describe('How the quantiles were computed.'),
    })
    .meta({
      id: 'Latency',
      description: 'One distribution. `of`: of which requests; `recorded` and `uncorrected` are those of wrk2.',
    }),
)

const fieldSummarySchema = schemaOf<FieldSummary>()(
  z
    .object({
      count: z.number(),
      sum: z.number(),
      min: z.number(),
      mean: z.number(),
      max: z.number(),
      quantiles: z.array(z.object({ q: z.number(), value: z.number() })),
    })
    .meta({ id: 'FieldSummary', description: 'A field over invocations, in the unit that its name ends with.' }),
).nullable()

const lambdaSchema: z.ZodType<LambdaStats> = schemaOf<LambdaStats>()(
  z
    .object({
      functionName: text,
      invocations: number,
      billedMs: fieldSummarySchema,
      initMs: fieldSummarySchema,
      restoreMs: fieldSummarySchema,
      billedRestoreMs: fieldSummarySchema,
      maxMemoryUsedMb: fieldSummarySchema,
      coldMs: fieldSummarySchema.default(null),
      warmMs: fieldSummarySchema.default(null),
      memorySizeMb: counts.describe('Configured memory in MB → invocations.'),
      coldStarts: number,
      statuses: counts,
      errorTypes: counts,
      logStreams: number,
    })
    .meta({ id: 'LambdaStats', description: 'REPORT lines of AWS Lambda. Null: the field never occurred.' }),
)

const column = z.array(number)

const steadyPartSchema: z.ZodType<SteadyPart> = schemaOf<SteadyPart>()(
  z
    .object({
      fromMs: z.number().describe('From the first request on.'),
      requests: z.number(),
      errors: z.number(),
      servedPerSecond: z.number(),
      meanMs: z.number(),
      p50Ms: number,
      p90Ms: number,
      p95Ms: number,
      p99Ms: number,
      maxMs: z.number(),
    })
    .meta({ id: 'SteadyPart', description: 'The run after its warm-up. Null: too few requests to reach it.' }),
)

const warmUpSchema: z.ZodType<RunWarmUp> = schemaOf<RunWarmUp>()(
  z.object({
    endMs: number.describe('Since the first request. Null: still changing at the end.'),
    isSteady: z.boolean(),
    steady: steadyPartSchema.nullable(),
  }),
)

/** How a run's steady state is stored with it. */
export const steadyStateSchema: z.ZodType<SteadyState> = schemaOf<SteadyState>()(
  z.object({ part: steadyPartSchema.nullable() }),
)

const timelineSchema: z.ZodType<Timeline> = schemaOf<Timeline>()(
  z
    .object({
      startedAt: utcIsoSchema.nullable(),
      binMs: z.number(),
      requests: z.array(z.number()),
      errors: z.array(z.number()),
      p50Ms: column,
      p90Ms: column,
      p95Ms: column,
      p99Ms: column,
      maxMs: column,
      heat: z
        .object({ binMs: z.number(), lowerMs: z.array(z.number()), counts: z.array(z.array(z.number())) })
        .describe('Requests by latency (rows, from `lowerMs` on) and time (columns of `binMs`).'),
      warmUp: warmUpSchema.nullable().default(null),
    })
    .meta({
      id: 'Timeline',
      description:
        'A run over time: columns with an entry for each `binMs`, in order, without holes. Null: no request.',
    }),
)

const targetSchema: z.ZodType<Target> = schemaOf<Target>()(
  z
    .object({
      method: text,
      url: text,
      count: z.number(),
      errors: z.number(),
      bytesIn: number.describe('Null: not stated.'),
      meanMs: z.number(),
      p50Ms: z.number(),
      p95Ms: z.number(),
      p99Ms: z.number(),
      maxMs: z.number(),
    })
    .meta({ id: 'Target', description: 'Requests to one address. `url` null: all further addresses together.' }),
)

/** A run as an importer read it. */
export const importedRunSchema: z.ZodType<ImportedRun> = schemaOf<ImportedRun>()(
  z
    .object({
      tool: toolSchema,
      form: z.string().describe('The form of the output.'),
      toolVersion: text,
      command: text,
      url: text,
      method: text,
      startedAt: utcIsoSchema.nullable(),
      durationMs: number,
      attackMs: number,
      waitMs: number,
      load: loadSchema,
      requests: number,
      successes: number,
      successRatio: number,
      requestsPerSecond: number,
      throughputPerSecond: number.describe('Successful requests a second.'),
      bytesIn: number,
      bytesOut: number,
      statusCodes: counts,
      errors: z
        .array(z.object({ message: z.string(), count: number }))
        .describe('`count` null: listed without a count.'),
      latencies: z.array(latencySchema),
      phases: z.array(
        z.object({
          name: z.string(),
          meanMs: number,
          minMs: number,
          maxMs: number,
          count: z.number().optional().describe('Values that these rest on.'),
          p50Ms: number.optional(),
          p99Ms: number.optional(),
        }),
      ),
      timeline: timelineSchema.nullable().describe('Null: a printed report has none.'),
      lambda: lambdaSchema.nullable(),
      targets: z.array(targetSchema).nullable(),
      measures: z
        .array(z.object({ name: z.string(), value: z.number(), unit: text, line: number }))
        .describe('Figures that belong to no other field.'),
      complete: z.boolean().describe('False: the output was truncated.'),
      printed: strings.describe('Field → text as the tool printed it.'),
      context: z
        .object({
          headings: z.array(z.string()),
          lines: z.tuple([z.number(), z.number()]).describe('First and last, from 1.'),
          file: z.string().optional().describe('The entry of an archive.'),
          facts: z.array(
            z.object({
              kind: z.enum(['environment', 'label', 'measure']),
              key: z.string(),
              value: z.string(),
              line: z.number(),
            }),
          ),
          notes: z.array(z.object({ text: z.string(), line: z.number() })),
        })
        .describe('Where in its document the output is, and what was written beside it.'),
      proposal: z
        .object({
          scenario: text,
          variant: text,
          environment: text,
          environmentAttributes: strings,
          labels: strings,
          sources: strings.describe('Field → where it came from.'),
        })
        .describe('Names that the document suggests.'),
      warnings: warningsSchema,
    })
    .meta({
      id: 'ImportedRun',
      description: 'A run as read from its file. Null: neither printed by the tool nor computable from samples.',
    }),
)
