import { z } from 'zod'
import { capacityKinds } from '@/lib/capacity/answer'

const perS = z.number().nullable()
const estimate = (name: string) => ({
  ...{ [name]: z.number().nullable(), [`${name}Low`]: z.number().nullable(), [`${name}High`]: z.number().nullable() },
})

const groupAnswer = z
  .object({
    sentence: z.string().describe('In words, without a full stop.'),
    notes: z.array(z.string()).describe('The next run, the target, what to know of it.'),
    runs: z.array(z.string()).describe('Ids. They differ in nothing but the load.'),
    kind: z.enum(capacityKinds).describe('Which ends of the bracket are known.'),
    reason: z.string().nullable().describe('Why it is refused.'),
    capacityPerS: perS.describe('The most likely place within the bracket.'),
    lowPerS: perS.describe('The highest load that is surely inside of all objectives.'),
    highPerS: perS.describe('The lowest load that is surely outside of one.'),
    lowConnections: z.number().nullable().describe('The bracket of a closed loop.'),
    highConnections: z.number().nullable(),
    limitedBy: z.string().nullable().describe('The objective that is left first.'),
    next: z
      .object({ ratePerS: z.number().optional(), connections: z.number().optional(), runs: z.number() })
      .nullable()
      .describe('The load to run next, and how often.'),
    usl: z
      .object({
        ...{ ...estimate('perS'), ...estimate('sigma'), ...estimate('kappa'), ...estimate('peak') },
        dashedFrom: z.number().nullable(),
      })
      .nullable()
      .describe('The Universal Scalability Law of a closed loop with four levels or more.'),
    warnings: z.array(z.enum(['no-repeats', 'served-not-offered', 'coordinated-omission'])).readonly(),
    forTarget: z
      .object({
        targetPerS: z.number(),
        headroom: z.number().nullable(),
        instances: z.number().nullable(),
        instancesMost: z.number().nullable(),
        instancesLeast: z.number().nullable(),
      })
      .optional(),
  })
  .meta({ id: 'Capacity', description: 'How much a system holds within objectives. Rates per second.' })

export const capacityAnswer = z.object({
  objectives: z.array(z.string()).describe('`p99 ≤ 100 ms`.'),
  groups: z.array(groupAnswer),
  runs: z.array(
    z.object({
      id: z.string(),
      objectives: z.array(
        z.object({
          metric: z.string(),
          met: z.boolean().nullable(),
          by: z.number().nullable().describe('How far beyond (above 0) or within, in ms or as a ratio.'),
        }),
      ),
    }),
  ),
})
