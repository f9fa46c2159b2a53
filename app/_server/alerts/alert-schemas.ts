import { z } from 'zod'
import { alertMoves, alertStates } from '@/lib/rules/stored-alerts'

/** `account`: the new assignee; null: none. */
export const assignSchema = z.strictObject({ account: z.string().max(64).nullable() })
export const commentSchema = z.strictObject({ text: z.string().trim().min(1).max(2_000) })
export const alertMoveSchema = z.strictObject({
  to: z.enum(alertMoves),
  note: z.string().trim().max(2_000).optional(),
})
/** States of the alerts to list; none: all. */
export const alertStatesSchema = z.array(z.enum(alertStates))
