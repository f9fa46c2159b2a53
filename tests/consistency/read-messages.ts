import { z } from 'zod'
import { changeMark } from '@/lib/rules/alert-words'
import { factKey } from '@/lib/run/fact'
import type { Received } from '../server/receiver'
import { said, type Seen } from './rules/seen'

const messageSchema = z.object({
  data: z.object({
    changes: z.array(
      z.object({
        metric: z.string(),
        scenario: z.string().nullable(),
        before: z.number(),
        after: z.number(),
        effectRatio: z.number(),
        effectLowRatio: z.number(),
        effectHighRatio: z.number(),
      }),
    ),
  }),
})

/** What webhooks said about changes: each is a snapshot, and must be consistent in itself. */
export function factsOfMessages(received: readonly Received[]): readonly Seen[] {
  return received.flatMap(({ body }, at) =>
    messageSchema.parse(JSON.parse(body)).data.changes.map((one, place) => {
      const { state } = changeMark(one.metric, one.effectRatio > 0)
      return said('webhook', {
        key: factKey('change-then', `message ${at}`, `change ${place}`, one.metric),
        value: {
          before: one.before,
          after: one.after,
          effect: one.effectRatio,
          low: one.effectLowRatio,
          high: one.effectHighRatio,
          verdict: state === 'unusual' ? 'changed' : state,
        },
      })
    }),
  )
}
