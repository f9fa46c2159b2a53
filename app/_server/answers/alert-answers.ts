import { z } from 'zod'
import { sensitivities } from '@/lib/levels/sensitivity'
import type { Rule } from '@/lib/rules/rules'
import { storedAlertStates, type AlertRow, type StoredAlert } from '@/lib/rules/stored-alerts'
import {
  channelKinds,
  deliveryStatuses,
  disabledReasons,
  messageKinds,
  type ChannelRow,
  type DeliveryRow,
} from '@/lib/rules/stored-channels'
import { utcIsoSchema } from '@/lib/run/timestamp'
import type { SeriesSummary } from '@/lib/history/stored-series'
import { schemaOf, type Described } from '@/lib/schema-of'
import type { DeliveryOutcome } from '@/prisma/queries/alerts/deliveries'
import { eventsSchema, findingsSchema } from '@/prisma/rows/alert-rows'
import { ruleSettingsSchema } from '@/prisma/rows/rule-rows'

const text = z.string().nullable()
const time = utcIsoSchema.nullable()

export const ruleAnswer = schemaOf<Rule>()(
  z
    .object({
      id: z.string().describe('For the built-in rule, the id of the project.'),
      scenario: text,
      seriesId: text,
      settings: ruleSettingsSchema,
      isEnabled: z.boolean(),
      mutedUntil: time.describe('Null: not muted.'),
      createdAt: utcIsoSchema,
    })
    .meta({
      id: 'Rule',
      description: 'What to watch. Without a scenario or series: everything in the project.',
    }),
)

const seriesAnswer = schemaOf<SeriesSummary>()(
  z
    .object({
      id: z.string(),
      projectId: z.string(),
      projectSlug: z.string(),
      scenario: z.string(),
      variant: text,
      environment: text,
    })
    .meta({ id: 'Series', description: 'The runs of one scenario, variant and environment.' }),
)

const alertFields = z.object({
  id: z.string(),
  projectId: z.string(),
  projectSlug: z.string(),
  state: z.enum(storedAlertStates),
  series: seriesAnswer.nullable().describe('The series for which it was first raised. Null: it no longer exists.'),
  findings: findingsSchema.describe('Largest first; empty if only events raised it.'),
  events: eventsSchema,
  rule: ruleAnswer.nullable().describe('The rule that raised it. Null: unknown.'),
  sensitivity: z.enum(sensitivities),
  detectorVersion: z.string(),
  cause: text.describe(
    'Commit or upload of the first run of the new level. Null: unknown, or the level crept, which no single run caused.',
  ),
  raisedRunId: text.describe('The newest run at the time it was raised.'),
  assignee: z.object({ id: z.string(), name: z.string() }).nullable().describe('Null: not assigned.'),
  openedAt: utcIsoSchema,
  updatedAt: utcIsoSchema,
  closedAt: time,
})

/** As in lists. */
export const alertRowAnswer = schemaOf<AlertRow>()(
  alertFields.meta({ id: 'AlertRow', description: 'One regression, with all metrics and series that it touched.' }),
)

export const alertAnswer = schemaOf<StoredAlert>()(
  alertFields
    .extend({
      steps: z.array(z.object({ what: z.string(), who: z.string(), note: z.string(), at: utcIsoSchema })),
      seriesOf: z.record(z.string(), seriesAnswer).describe('The series of its findings, by id.'),
    })
    .meta({ id: 'Alert', description: 'An alert with its history.' }),
)

export const channelAnswer = schemaOf<ChannelRow>()(
  z
    .object({
      id: z.string(),
      projectId: z.string(),
      kind: z.enum(channelKinds),
      name: z.string(),
      targetShown: z.string().describe('The host of the URL, or the e-mail address.'),
      isEnabled: z.boolean(),
      disabledAt: time,
      disabledReason: z.enum(disabledReasons).nullable(),
      failingSince: time.describe('The first failure since the last success.'),
      createdAt: utcIsoSchema,
    })
    .meta({ id: 'Channel', description: 'A destination for alerts, without its secrets.' }),
)

export const madeChannelAnswer = z.object({
  channel: channelAnswer,
  secret: text.describe('`whsec_…`, shown only in this response. Null: this kind has no secret.'),
})
/** A new channel; the secret of a webhook is shown here and never again. */
export type MadeChannel = Described<typeof madeChannelAnswer>

export const deliveryAnswer = schemaOf<DeliveryRow>()(
  z
    .object({
      id: z.string(),
      channelId: z.string(),
      channelName: z.string(),
      alertId: text.describe('Null: a test, or a message about a channel.'),
      what: z.enum(messageKinds),
      messageId: z.string(),
      title: text.describe('Null: not attempted yet.'),
      status: z.enum(deliveryStatuses),
      attempts: z.number(),
      nextTryAt: time,
      lastStatusCode: z.number().nullable().describe('HTTP or SMTP status. Null: no response, or not attempted.'),
      lastError: text,
      lastTriedAt: time,
      deliveredAt: time,
      createdAt: utcIsoSchema,
    })
    .meta({ id: 'Delivery', description: 'One message to one channel.' }),
)

const statusCode = z.number().nullable().describe('HTTP or SMTP status. Null: no response.')

export const deliveryOutcomeAnswer = schemaOf<DeliveryOutcome>()(
  z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('delivered'), statusCode }),
      z.object({
        kind: z.literal('failed'),
        statusCode,
        error: z.string(),
        isGone: z.boolean().describe('The receiver responded with 410: the channel is disabled.'),
      }),
    ])
    .meta({ id: 'DeliveryOutcome', description: 'The outcome of one attempt.' }),
)
