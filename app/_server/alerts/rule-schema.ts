import { z } from 'zod'
import { isStorableTimestamp } from '@/lib/run/timestamp'
import { sensitivities } from '@/lib/levels/sensitivity'
import { findMetric, metrics } from '@/lib/run/metrics'
import { ruleDirections, ruleKinds } from '@/lib/rules/rules'

// Whole sentences: the form shows them as they are.
const metricId = z.string('Name a metric by its id, like "p99".').refine((id) => findMetric(id) !== null, {
  error: ({ input }) => (input === '' ? 'Choose a metric.' : unknownMetric(String(input))),
})
const metricIds = z.array(metricId, 'Metrics must be a list of ids, like ["p99"].').max(20, 'At most 20 metrics.')
const direction = z.enum(ruleDirections, 'The direction must be worse, better or both.')
const confirmWords = 'The number of runs in a row must be a whole number from 1 to 10.'
const confirmRuns = z.number(confirmWords).int(confirmWords).min(1, confirmWords).max(10, confirmWords)
const minWords = 'The minimum change must be from 1 % to 1,000 % (0.01 to 10).'
const leastEffectRatio = z.number(minWords).min(0.01, minWords).max(10, minWords)
const idSchema = (what: string) =>
  z.string(`The ${what} must be named by its id.`).regex(/^[0-9a-v]{26}$/, {
    error: ({ input }) =>
      `“${shortened(input)}” is the id of no ${what}: it has 26 letters and digits, as in its address.`,
  })
const limitWords = 'The limit must be a number from 0 to 10^15.'
const mutedWords = 'Mute a rule until a UTC time such as 2026-11-21T03:01:26Z.'
const hoursWords = 'The hours must be a whole number from 1 to 8,760 (a year).'
const scenarioWords = 'The scenario must have 1 to 200 characters.'

function unknownMetric(id: string): string {
  return `There is no metric “${shortened(id)}”. There are: ${metrics.map((one) => one.id).join(', ')}.`
}

const shortened = (input: unknown): string => String(input).slice(0, 60)

const settingsSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('change-point'),
      metricIds,
      direction,
      leastEffectRatio: leastEffectRatio.nullable(),
      confirmRuns,
      sensitivity: z.enum(sensitivities, `The sensitivity must be ${sensitivities.join(', ')}.`),
    }),
    z.strictObject({
      kind: z.literal('baseline'),
      metricIds,
      direction,
      leastEffectRatio,
      confirmRuns,
      runIds: z.array(idSchema('run'), 'Runs must be a list of ids.').max(20, 'At most 20 runs.'),
    }),
    z.strictObject({
      kind: z.literal('limit'),
      metricId,
      side: z.enum(['above', 'below'], 'The side must be above or below.'),
      limit: z.number(limitWords).min(0, limitWords).max(1e15, limitWords),
      confirmRuns,
    }),
    z.strictObject({
      kind: z.literal('missing'),
      hours: z.number(hoursWords).int(hoursWords).min(1, hoursWords).max(8_760, hoursWords),
    }),
    z.strictObject({ kind: z.literal('failed-import') }),
  ],
  { error: ({ code }) => (code === 'invalid_union' ? `The kind must be ${ruleKinds.join(', ')}.` : undefined) },
)

/** A rule as the API and the form take it. Both `scenario` and `seriesId` null: the whole project. */
export const ruleSchema = z.strictObject({
  scenario: z.string(scenarioWords).trim().min(1, scenarioWords).max(200, scenarioWords).nullable().default(null),
  seriesId: idSchema('series').nullable().default(null),
  settings: settingsSchema,
  isEnabled: z.boolean('isEnabled must be true or false.').default(true),
  mutedUntil: z.iso
    .datetime({ offset: false, message: mutedWords })
    .refine((time) => isStorableTimestamp(Date.parse(time)), mutedWords)
    .nullable()
    .default(null),
})
