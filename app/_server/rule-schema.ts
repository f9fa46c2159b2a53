import { z } from 'zod'
import { sensitivities } from '@/lib/alerts'
import { findMetric } from '@/lib/metrics'
import { ruleDirections } from '@/lib/rules'

const metricId = z.string().refine((id) => findMetric(id) !== null, 'is no metric')
const metricIds = z.array(metricId).max(20)
const direction = z.enum(ruleDirections)
const confirmRuns = z.number().int().min(1).max(10)
const leastEffectRatio = z.number().min(0.01, 'at least 0.01 (1 %)').max(10, 'at most 10 (1,000 %)')
const id = z.string().regex(/^[0-9a-v]{26}$/, 'is no id')

const settingsSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('change-point'),
    metricIds,
    direction,
    leastEffectRatio: leastEffectRatio.nullable(),
    confirmRuns,
    sensitivity: z.enum(sensitivities),
  }),
  z.strictObject({
    kind: z.literal('baseline'),
    metricIds,
    direction,
    leastEffectRatio,
    confirmRuns,
    runIds: z.array(id).max(20),
  }),
  z.strictObject({
    kind: z.literal('limit'),
    metricId,
    side: z.enum(['above', 'below']),
    limit: z.number().min(0).max(1e15),
    confirmRuns,
  }),
  z.strictObject({ kind: z.literal('missing'), hours: z.number().int().min(1).max(8_760, 'at most 8760 (a year)') }),
  z.strictObject({ kind: z.literal('failed-import') }),
])

/** A rule as the API and the form take it. Both `scenario` and `seriesId` null: the whole project. */
export const ruleSchema = z.strictObject({
  scenario: z.string().trim().min(1).max(200).nullable().default(null),
  seriesId: id.nullable().default(null),
  settings: settingsSchema,
  isEnabled: z.boolean().default(true),
  mutedUntil: z.iso.datetime({ offset: false, message: 'must be a UTC time' }).nullable().default(null),
})
