import { z } from 'zod'
import type { Attribute } from '@/lib/environment/attributes'
import type { ProjectEnvironment, ReportedShift } from '@/lib/rules/project-environments'
import { utcIsoSchema } from '@/lib/run/timestamp'
import { schemaOf } from '@/lib/schema-of'
import { instrumentAnswer } from './instrument-answer'

const factor = z.number().describe('2: everything takes twice as long.')
const name = z.string().describe('As runs name it.')

const shiftAnswer = schemaOf<ReportedShift>()(
  z
    .object({
      kind: z.literal('environment'),
      environment: name,
      factor,
      leastFactor: z.number().describe('The smallest factor of the series that moved; `mostFactor`: the largest.'),
      mostFactor: z.number(),
      seriesIds: z.array(z.string()).describe('Those that moved.'),
      hasControl: z.boolean().describe('A control is among them.'),
      since: utcIsoSchema,
      overSince: utcIsoSchema.nullable().describe('Null: it lasts.'),
      alertId: z.string().nullable().describe('Null: it became faster, which raises no alert.'),
      isOpen: z.boolean().describe('It lasts, and its alert is open.'),
      factors: z.record(z.string(), z.number()).describe('Of each series, by id.'),
    })
    .meta({ id: 'EnvironmentShift', description: 'A time at which an environment itself became slower or faster.' }),
)

const seriesAnswer = z.object({
  id: z.string(),
  scenario: z.string(),
  variant: z.string().nullable(),
  isControl: z.boolean().describe('Its code never changes: it measures the environment.'),
})

export const environmentAnswer = schemaOf<ProjectEnvironment>()(
  z
    .object({
      name,
      shifts: z.array(shiftAnswer).describe('Newest first.'),
      series: z.array(seriesAnswer).describe('Those that ran on it last, controls first.'),
    })
    .meta({ id: 'Environment', description: 'Where runs ran, with what is known of its speed.' }),
)

const nightAnswer = z.object({
  at: utcIsoSchema.describe('Start of its first run.'),
  factor,
  low: z.number().describe('With `high`: 95 % interval.'),
  high: z.number(),
  series: z.number().describe('Series that ran.'),
  control: z.number().nullable().describe('The factor of the controls alone. Null: none ran.'),
})

const ratio = (what: string) =>
  z
    .object({ middle: z.number(), least: z.number(), most: z.number() })
    .describe(`${what}, of its middle series, with the smallest and the largest. Relative: 0.1 is 10 %.`)

const visibleAnswer = z.object({
  metric: z.string(),
  noiseRatio: ratio('Standard deviation of a run'),
  visibleRatio: ratio('Smallest change that five runs show in four of five cases'),
})

const attributeAnswer = schemaOf<Attribute>()(
  z.object({
    key: z.string(),
    value: z.string(),
    change: z
      .object({ at: utcIsoSchema, from: z.string() })
      .nullable()
      .describe('When it last changed. Null: it never did.'),
  }),
)

export const environmentHistoryAnswer = z
  .object({
    ...environmentAnswer.shape,
    sentence: z.string().describe('What is known of it: that it moved, that it is back, or that it never moved.'),
    metric: z.string().nullable().describe('The metric that its factor is estimated from. Null: no series has one.'),
    nights: z.array(nightAnswer).describe('Its factor over time, oldest first; runs of six hours are one night.'),
    visible: z.array(visibleAnswer).describe('What it can show, by metric.'),
    instrument: instrumentAnswer,
    attributes: z.array(attributeAnswer).describe('What its runs record of the machine.'),
  })
  .meta({ id: 'EnvironmentHistory', description: 'An environment over time.' })
