import { z } from 'zod'
import { maxPasswordLength } from '@/lib/account/account'
import { roles, tokenScopes } from '@/lib/viewer'

const email = z.email({ error: 'not an e-mail address' }).max(254)
const password = z
  .string()
  .min(1, 'empty')
  .max(maxPasswordLength * 4)
const name = z.string().trim().min(1, 'empty').max(200)
const next = z.string().max(2_000).optional()

export const signInSchema = z.object({ email: z.string().trim().max(254), password, next })
/** `token`: the secret of the link. */
export const acceptSchema = z.object({
  token: z.string().max(100),
  email: z.string().trim().pipe(email).optional(),
  name: name.optional(),
  password: password.optional(),
})
export const accountNameSchema = z.strictObject({ name })
export const passwordSchema = z.strictObject({
  current: password.nullable(),
  password,
  /** Absent: every other session of the account ends. */
  signOutElsewhere: z.boolean().optional(),
  /** Ids of own tokens; absent: none. */
  revokeTokens: z.array(z.string().max(40)).max(100).optional(),
})
export const accountEditsSchema = z.strictObject({
  isOwner: z.boolean().optional(),
  isDisabled: z.boolean().optional(),
})
export const tokenSchema = z.strictObject({
  name,
  scope: z.enum(tokenScopes),
  /** Address of the project; null: all projects of the account. */
  project: z.string().max(64).nullable(),
  /** Null: it does not expire. */
  days: z.number().int().min(1).max(3_650).nullable(),
})
export const memberSchema = z.strictObject({ role: z.enum(roles) })
const invited = z.string().trim().pipe(email).nullable()
export const projectInvitationSchema = z.strictObject({ email: invited, role: z.enum(roles) })
export const invitationSchema = z.strictObject({ email: invited, isOwner: z.boolean() })
