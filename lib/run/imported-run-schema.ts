import { z } from 'zod'
import type {
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

// A canonical run as JSON, as lib/run/run.ts defines it. The types keep the two in step: a field that is added there fails
// here until it is read too (with a default, for what was written before).

const text = z.string().nullable()
const number = z.number().nullable()
const counts = z.record(z.string(), z.number())
const strings = z.record(z.string(), z.string())

/** A tool's id. */
export const toolSchema: z.ZodType<Tool> = z.enum(toolIds)

/** How requests were offered. */
export const loadSchema: z.ZodType<Load> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open'), ratePerSecond: number }),
  z.object({ kind: z.literal('closed'), connections: number }),
  z.object({ kind: z.literal('observed') }),
  z.object({ kind: z.literal('unstated') }),
])

/** What readers of the figures must know. */
export const warningsSchema: z.ZodType<readonly Warning[]> = z.array(
  z.object({ code: z.string(), message: z.string(), line: number, numbers: counts.optional() }),
)

/** Names and values: labels. */
export const stringsSchema: z.ZodType<Readonly<Record<string, string>>> = strings

const bucketSchema: z.ZodType<LatencyBucket> = z.object({ lowerMs: z.number(), upperMs: number, count: z.number() })

const bucketsSchema = z.object({
  kind: z.literal('buckets'),
  inclusive: z.enum(['lower', 'upper']),
  buckets: z.array(bucketSchema),
})

/** Printed buckets. */
export const histogramBucketsSchema: z.ZodType<Extract<LatencyHistogram, { kind: 'buckets' }>> = bucketsSchema

/** Unit of a stored payload. */
export const hdrUnitSchema = z.enum(['ns', 'us', 'ms'])

const histogramSchema: z.ZodType<LatencyHistogram> = z.discriminatedUnion('kind', [
  bucketsSchema,
  z.object({ kind: z.literal('hdr'), v2Base64: z.string(), unit: hdrUnitSchema }),
])

const latencySchema: z.ZodType<Latency> = z.object({
  of: z.enum(['all', 'success', 'failure', 'recorded', 'uncorrected']),
  count: number,
  minMs: number,
  meanMs: number,
  stdDevMs: number,
  maxMs: number,
  withinOneStdDevRatio: number,
  quantiles: z.array(z.object({ q: z.number(), ms: z.number() })),
  histogram: histogramSchema.nullable(),
  origin: z.enum(['samples', 'buckets', 'summary']),
  method: z.enum(Object.keys(quantileMethods).filter(isQuantileMethod)),
})

const fieldSummarySchema = z
  .object({
    count: z.number(),
    sum: z.number(),
    min: z.number(),
    mean: z.number(),
    max: z.number(),
    quantiles: z.array(z.object({ q: z.number(), value: z.number() })),
  })
  .nullable()

const lambdaSchema: z.ZodType<LambdaStats> = z.object({
  functionName: text,
  invocations: number,
  billedMs: fieldSummarySchema,
  initMs: fieldSummarySchema,
  restoreMs: fieldSummarySchema,
  billedRestoreMs: fieldSummarySchema,
  maxMemoryUsedMb: fieldSummarySchema,
  coldMs: fieldSummarySchema.default(null),
  warmMs: fieldSummarySchema.default(null),
  memorySizeMb: counts,
  coldStarts: number,
  statuses: counts,
  errorTypes: counts,
  logStreams: number,
})

const column = z.array(number)

const steadyPartSchema: z.ZodType<SteadyPart> = z.object({
  fromMs: z.number(),
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

const warmUpSchema: z.ZodType<RunWarmUp> = z.object({
  endMs: number,
  isSteady: z.boolean(),
  steady: steadyPartSchema.nullable(),
})

/** How a run's steady state is stored beside it. */
export const steadyStateSchema: z.ZodType<SteadyState> = z.object({ part: steadyPartSchema.nullable() })

const timelineSchema: z.ZodType<Timeline> = z.object({
  startedAt: text,
  binMs: z.number(),
  requests: z.array(z.number()),
  errors: z.array(z.number()),
  p50Ms: column,
  p90Ms: column,
  p95Ms: column,
  p99Ms: column,
  maxMs: column,
  heat: z.object({ binMs: z.number(), lowerMs: z.array(z.number()), counts: z.array(z.array(z.number())) }),
  warmUp: warmUpSchema.nullable().default(null),
})

const targetSchema: z.ZodType<Target> = z.object({
  method: text,
  url: text,
  count: z.number(),
  errors: z.number(),
  bytesIn: z.number(),
  meanMs: z.number(),
  p50Ms: z.number(),
  p95Ms: z.number(),
  p99Ms: z.number(),
  maxMs: z.number(),
})

/** A run as an importer read it. */
export const importedRunSchema: z.ZodType<ImportedRun> = z.object({
  tool: toolSchema,
  form: z.string(),
  toolVersion: text,
  command: text,
  url: text,
  method: text,
  startedAt: text,
  durationMs: number,
  attackMs: number,
  waitMs: number,
  load: loadSchema,
  requests: number,
  successes: number,
  successRatio: number,
  requestsPerSecond: number,
  throughputPerSecond: number,
  bytesIn: number,
  bytesOut: number,
  statusCodes: counts,
  errors: z.array(z.object({ message: z.string(), count: number })),
  latencies: z.array(latencySchema),
  phases: z.array(z.object({ name: z.string(), meanMs: number, minMs: number, maxMs: number })),
  timeline: timelineSchema.nullable(),
  lambda: lambdaSchema.nullable(),
  targets: z.array(targetSchema).nullable(),
  measures: z.array(z.object({ name: z.string(), value: z.number(), unit: text, line: number })),
  complete: z.boolean(),
  printed: strings,
  context: z.object({
    headings: z.array(z.string()),
    lines: z.tuple([z.number(), z.number()]),
    file: z.string().optional(),
    facts: z.array(
      z.object({
        kind: z.enum(['environment', 'label', 'measure']),
        key: z.string(),
        value: z.string(),
        line: z.number(),
      }),
    ),
    notes: z.array(z.object({ text: z.string(), line: z.number() })),
  }),
  proposal: z.object({
    scenario: text,
    variant: text,
    environment: text,
    environmentAttributes: strings,
    labels: strings,
    sources: strings,
  }),
  warnings: warningsSchema,
})
