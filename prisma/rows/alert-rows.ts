import { z } from 'zod'
import { type AlertFinding, type WatchedChange } from '../../lib/rules/alerts'
import { sensitivities } from '../../lib/detect/sensitivity'
import { alertStates, type AlertRow } from '../../lib/rules/stored-alerts'
import type { Prisma } from '../generated/client'
import { eventsSchema, ruleSelect, toRule } from './rule-rows'

const findingSchema = z.object({
  metricId: z.string(),
  seriesId: z.string(),
  profile: z.string(),
  before: z.number(),
  after: z.number(),
  effectRatio: z.number(),
  effectLowRatio: z.number(),
  effectHighRatio: z.number(),
  pRobust: z.number(),
  pRank: z.number(),
  noise: z.number(),
  runsBefore: z.number(),
  runsAfter: z.number(),
  weight: z.number(),
  beforeRunId: z.string(),
  afterRunId: z.string(),
  since: z.string(),
}) satisfies z.ZodType<AlertFinding>

/** The findings column of an alert. */
export const findingsSchema = z.array(findingSchema)

/** The watched column of a line. */
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
  }) satisfies z.ZodType<WatchedChange>,
)

const parametersSchema = z.object({ sensitivity: z.enum(sensitivities), detectorVersion: z.string() })

/** The names of a series. */
export const seriesSelect = { id: true, projectId: true, scenario: true, variant: true, environment: true } as const

/** The columns of a line of the list of alerts. */
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
  series: { select: seriesSelect },
  project: { select: { slug: true } },
} as const satisfies Prisma.AlertSelect

/** A line of the list of alerts. Throws when a JSON column does not hold what this version knows. */
export function toAlertRow(record: Prisma.AlertGetPayload<{ select: typeof alertSelect }>): AlertRow {
  const { project, series, openedAt, updatedAt, closedAt, findings, events, rule, parameters, state, ...columns } =
    record
  return {
    ...columns,
    ...parametersSchema.parse(parameters),
    projectSlug: project.slug,
    state: z.enum(alertStates).parse(state),
    series: series && { ...series, projectSlug: project.slug },
    findings: findingsSchema.parse(findings),
    events: eventsSchema.parse(events),
    rule: rule && toRule(rule),
    openedAt: openedAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
  }
}
