import { z } from 'zod'
import { sensitivities } from '../../lib/detect/sensitivity'
import type { RuleEvent } from '../../lib/rules/rule-events'
import { ruleDirections, type Rule, type RuleSettings } from '../../lib/rules/rules'
import type { Prisma } from '../generated/client'

const metricIds = z.array(z.string())
const direction = z.enum(ruleDirections)

/** The settings column of a rule. */
export const ruleSettingsSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('change-point'),
    metricIds,
    direction,
    leastEffectRatio: z.number().nullable(),
    confirmRuns: z.number(),
    sensitivity: z.enum(sensitivities),
  }),
  z.object({
    kind: z.literal('baseline'),
    metricIds,
    direction,
    leastEffectRatio: z.number(),
    confirmRuns: z.number(),
    runIds: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('limit'),
    metricId: z.string(),
    side: z.enum(['above', 'below']),
    limit: z.number(),
    confirmRuns: z.number(),
  }),
  z.object({ kind: z.literal('missing'), hours: z.number() }),
  z.object({ kind: z.literal('failed-import') }),
]) satisfies z.ZodType<RuleSettings>

const ofLine = { metricId: z.string(), seriesId: z.string(), profile: z.string(), count: z.number() }
const runs = { firstRunId: z.string(), lastRunId: z.string() }
const times = { since: z.string(), overSince: z.string().nullable() }

/** The events column of an alert. */
export const eventsSchema = z.array(
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.enum(['limit', 'baseline']),
      ...ofLine,
      ...runs,
      ...times,
      expected: z.number(),
      side: z.enum(['above', 'below']),
      value: z.number(),
      referenceRunIds: z.array(z.string()),
    }),
    z.object({
      kind: z.literal('drift'),
      ...ofLine,
      ...runs,
      ...times,
      before: z.number(),
      after: z.number(),
      effectRatio: z.number(),
      pRobust: z.number(),
      pRank: z.number(),
    }),
    z.object({ kind: z.literal('missing'), ...times, hours: z.number(), lastRunId: z.string() }),
    z.object({
      kind: z.literal('failed-import'),
      ...times,
      uploadId: z.string(),
      uploadName: z.string(),
      message: z.string(),
      count: z.number(),
    }),
  ]) satisfies z.ZodType<RuleEvent>,
)

/** The columns of a rule. */
export const ruleSelect = {
  id: true,
  scenario: true,
  seriesId: true,
  settings: true,
  isEnabled: true,
  mutedUntil: true,
  createdAt: true,
} as const satisfies Prisma.RuleSelect

/** A rule. Throws when its settings are not what this version knows. */
export function toRule(record: Prisma.RuleGetPayload<{ select: typeof ruleSelect }>): Rule {
  const { settings, mutedUntil, createdAt, ...columns } = record
  return {
    ...columns,
    settings: ruleSettingsSchema.parse(settings),
    mutedUntil: mutedUntil?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}
