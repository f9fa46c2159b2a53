import { z } from 'zod'
import { sensitivities } from '../../lib/levels/sensitivity'
import { ruleDirections, type Rule, type RuleSettings } from '../../lib/rules/rules'
import { schemaOf } from '../../lib/schema-of'
import type { Prisma } from '../generated/client'

const metricIds = z.array(z.string())
const direction = z.enum(ruleDirections)

/** The settings column of a rule. */
export const ruleSettingsSchema = schemaOf<RuleSettings>()(
  z
    .discriminatedUnion('kind', [
      z.object({
        kind: z.literal('change-point'),
        metricIds,
        direction,
        leastEffectRatio: z.number().nullable().describe("Null: each metric's own."),
        confirmRuns: z.number(),
        sensitivity: z.enum(sensitivities),
      }),
      z.object({
        kind: z.literal('baseline'),
        metricIds,
        direction,
        leastEffectRatio: z.number(),
        confirmRuns: z.number(),
        runIds: z.array(z.string()).describe('Empty: the run that is marked as the baseline.'),
      }),
      z.object({
        kind: z.literal('limit'),
        metricId: z.string(),
        side: z.enum(['above', 'below']),
        limit: z.number().describe('In the unit of the metric; shares 0 to 1.'),
        confirmRuns: z.number(),
      }),
      z.object({ kind: z.literal('missing'), hours: z.number() }),
      z.object({ kind: z.literal('failed-import') }),
    ])
    .meta({
      id: 'RuleSettings',
      description: 'What a rule requires of runs. `metricIds` empty: all that alert by default.',
    }),
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

/** A rule. Throws when its settings are unknown to this version. */
export function toRule(record: Prisma.RuleGetPayload<{ select: typeof ruleSelect }>): Rule {
  const { settings, mutedUntil, createdAt, ...columns } = record
  return {
    ...columns,
    settings: ruleSettingsSchema.parse(settings),
    mutedUntil: mutedUntil?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}
