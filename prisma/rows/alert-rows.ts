import { z } from 'zod'
import { changeOrigins, type Change } from '../../lib/levels/change'
import { creepStates } from '../../lib/levels/creep-tracker'
import type { KnownCreep } from '../../lib/levels/trend'
import { sensitivities } from '../../lib/levels/sensitivity'
import type { Alert } from '../../lib/rules/alert-book'
import { causeOf } from '../../lib/rules/alert-words'
import type { AlertFinding, WatchedChange } from '../../lib/rules/evaluate-profile'
import type { RuleEvent } from '../../lib/rules/rule-events'
import { alertKinds, storedAlertStates, type AlertRow } from '../../lib/rules/stored-alerts'
import { utcIsoSchema } from '../../lib/run/timestamp'
import { schemaOf } from '../../lib/schema-of'
import type { Prisma } from '../generated/client'
import { jsonColumn } from './json-columns'
import { ruleSelect, toRule } from './rule-rows'

const ratio = z.number().describe('Relative: 0.1 is 10 %.')

const findingSchema = schemaOf<AlertFinding>()(
  z
    .object({
      metricId: z.string(),
      seriesId: z.string(),
      profile: z.string(),
      before: z.number().describe('The level before, in the unit of the metric.'),
      after: z.number(),
      effectRatio: ratio,
      effectLowRatio: ratio,
      effectHighRatio: ratio,
      pRobust: z.number(),
      pRank: z.number(),
      noise: z.number(),
      runsBefore: z.number(),
      runsAfter: z.number(),
      weight: z.number().describe('The effect over the smallest that matters.'),
      beforeRunId: z.string(),
      afterRunId: z.string(),
      // Findings from earlier versions lack these.
      beforeRunIds: z.array(z.string()).default([]),
      afterRunIds: z.array(z.string()).default([]),
      since: utcIsoSchema,
      cause: z.string().nullable().default(null),
      reach: z.number().default(3).describe('By how many experiments its place may be off.'),
      origin: z
        .enum(changeOrigins)
        .nullable()
        .default(null)
        .describe('The reason, if it may not be the commit. Null: nothing speaks against the commit.'),
    })
    .meta({ id: 'LevelChange', description: 'A change of the level of one metric; ratios with their 95 % interval.' }),
)

/** The findings column of an alert. */
export const findingsSchema = z.array(findingSchema)

const ofProfile = { metricId: z.string(), seriesId: z.string(), profile: z.string(), count: z.number() }
const runs = { firstRunId: z.string(), lastRunId: z.string() }
const times = { since: utcIsoSchema, overSince: utcIsoSchema.nullable().describe('Null: it lasts.') }

/** The events column of an alert. */
export const eventsSchema = z.array(
  schemaOf<RuleEvent>()(
    z
      .discriminatedUnion('kind', [
        z.object({
          kind: z.enum(['limit', 'baseline']),
          ...ofProfile,
          ...runs,
          ...times,
          expected: z.number().describe("The limit, or the baseline's median."),
          side: z.enum(['above', 'below']),
          value: z.number(),
          referenceRunIds: z.array(z.string()),
        }),
        z.object({
          kind: z.literal('drift'),
          ...ofProfile,
          ...runs,
          ...times,
          before: z.number(),
          after: z.number(),
          effectRatio: ratio,
          pRobust: z.number(),
          pRank: z.number(),
          newestAt: utcIsoSchema.nullable().default(null).describe('Time of its newest run.'),
        }),
        z.object({ kind: z.literal('missing'), ...times, hours: z.number(), lastRunId: z.string() }),
        z.object({
          kind: z.literal('environment'),
          ...times,
          environment: z.string(),
          factor: z.number().describe('2: everything takes twice as long since.'),
          leastFactor: z.number().describe('The smallest factor of the series that moved; `mostFactor`: the largest.'),
          mostFactor: z.number(),
          seriesIds: z.array(z.string()).describe('Those that moved.'),
          hasControl: z.boolean().describe('A control is among them.'),
        }),
        z.object({
          kind: z.literal('failed-import'),
          ...times,
          uploadId: z.string(),
          uploadName: z.string(),
          message: z.string(),
          count: z.number(),
        }),
      ])
      .meta({
        id: 'RuleEvent',
        description: 'What was found outside of the changes of one series; values in the unit of the metric.',
      }),
  ),
)

/** The watched column of a profile. */
export const watchedSchema = z.array(
  z.object({
    metricId: z.string(),
    direction: z.enum(['up', 'down']),
    reach: z.number(),
    missed: z.number(),
    afterRunId: z.string(),
    since: z.string(),
    seenAtRunId: z.string(),
    alertId: z.string().nullable(),
    // Changes from earlier versions lack it.
    origin: z.enum(changeOrigins).nullable().default(null),
    creep: z.enum(creepStates).nullable().default(null),
  }) satisfies z.ZodType<WatchedChange>,
)

const parametersSchema = z.object({ sensitivity: z.enum(sensitivities), detectorVersion: z.string() })

/** The columns of an alert that its lifecycle depends on. */
export const alertRecordSelect = {
  id: true,
  kind: true,
  state: true,
  ruleId: true,
  seriesId: true,
  cause: true,
  findings: true,
  events: true,
  isOngoing: true,
  parameters: true,
  raisedRunId: true,
  openedAt: true,
  updatedAt: true,
  closedAt: true,
  mergedIntoId: true,
  assigneeId: true,
} as const satisfies Prisma.AlertSelect

type AlertRecord = Prisma.AlertGetPayload<{ select: typeof alertRecordSelect }>

/**
 * An alert without the start of the run that raised it. Throws when a column holds something unknown to this version.
 */
export function toAlert(record: AlertRecord): Omit<Alert, 'raisedRunAt'> {
  const { kind, state, findings, events, parameters, openedAt, updatedAt, closedAt, ...columns } = record
  return {
    ...columns,
    ...parametersSchema.parse(parameters),
    kind: z.enum(alertKinds).parse(kind),
    state: z.enum(storedAlertStates).parse(state),
    findings: findingsSchema.parse(findings),
    events: eventsSchema.parse(events),
    openedAt: openedAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
  }
}

/** The columns of an alert that its lifecycle changes. */
export function toAlertColumns(alert: Alert) {
  const { kind, state, cause, findings, events, isOngoing, updatedAt, closedAt, mergedIntoId, assigneeId } = alert
  const lists = { findings: jsonColumn(findings), events: jsonColumn(events) }
  return {
    ...lists,
    kind,
    state,
    cause,
    isOngoing,
    updatedAt,
    closedAt,
    mergedIntoId,
    assigneeId,
  } satisfies Prisma.AlertUncheckedUpdateInput
}

/** The columns of a row of the list of alerts. */
export const alertSelect = {
  id: true,
  projectId: true,
  state: true,
  cause: true,
  findings: true,
  events: true,
  rule: { select: ruleSelect },
  parameters: true,
  raisedRunId: true,
  openedAt: true,
  updatedAt: true,
  closedAt: true,
  series: { select: { id: true, projectId: true, scenario: true, variant: true, environment: true } },
  project: { select: { slug: true } },
  assignee: { select: { id: true, name: true } },
  mergedIntoId: true,
} as const satisfies Prisma.AlertSelect

/** A row of the list of alerts. Throws when a JSON column holds something unknown to this version. */
export function toAlertRow(record: Prisma.AlertGetPayload<{ select: typeof alertSelect }>): AlertRow {
  const { project, series, openedAt, updatedAt, closedAt, findings, events, rule, parameters, state, ...others } =
    record
  const { mergedIntoId: _mergedIntoId, ...columns } = others
  const found = { findings: findingsSchema.parse(findings), events: eventsSchema.parse(events) }
  return {
    ...columns,
    ...found,
    cause: causeOf({ ...found, cause: columns.cause }),
    ...parametersSchema.parse(parameters),
    projectSlug: project.slug,
    state: z.enum(storedAlertStates).parse(state),
    series: series && { ...series, projectSlug: project.slug },
    rule: rule && toRule(rule),
    openedAt: openedAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
  }
}

const changeSchema = schemaOf<Change>()(
  z.object({
    kind: z.enum(['step', 'drift']),
    verdict: z.enum(['worse', 'better', 'changed']).nullable(),
    before: z.number(),
    after: z.number(),
    effectRatio: z.number(),
    effectLowRatio: z.number(),
    effectHighRatio: z.number(),
    afterRunId: z.string(),
    since: z.string(),
    // Changes from earlier versions lack it.
    origin: z.enum(changeOrigins).nullable().default(null),
  }),
)

const creepSchema = z.object({
  afterRunId: z.string(),
  since: z.string(),
  before: z.number(),
  after: z.number(),
  count: z.number(),
}) satisfies z.ZodType<KnownCreep>

/** The changes column of a series' watch. */
export const changesSchema = z.record(
  z.string(),
  z.object({
    sensitivity: z.enum(sensitivities),
    minEffect: z.number(),
    changes: z.array(changeSchema),
    creep: creepSchema.nullish(),
  }),
)
