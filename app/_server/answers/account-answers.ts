import { z } from 'zod'
import type { Account, InvitationRow, Member, SessionRow, TokenRow } from '@/lib/account/account'
import { auditActionSchema, type AuditRow } from '@/lib/account/audit'
import { utcIsoSchema } from '@/lib/run/timestamp'
import { schemaOf } from '@/lib/schema-of'
import { roles, tokenScopes } from '@/lib/viewer'

const inProject = z.object({ slug: z.string(), name: z.string() })

export const accountAnswer = schemaOf<Account>()(
  z
    .object({
      id: z.string(),
      email: z.string(),
      name: z.string(),
      isOwner: z.boolean().describe('Of the installation.'),
      hasPassword: z.boolean(),
      hasOidc: z.boolean().describe('Linked with the OpenID Connect provider.'),
      createdAt: utcIsoSchema,
      disabledAt: utcIsoSchema.nullable().describe('Null: may sign in.'),
    })
    .meta({ id: 'Account', description: 'A person who may sign in.' }),
)

export const sessionAnswer = schemaOf<SessionRow>()(
  z
    .object({
      id: z.string(),
      userAgent: z.string(),
      address: z.string(),
      createdAt: utcIsoSchema,
      lastSeenAt: utcIsoSchema.describe('To within five minutes.'),
      expiresAt: utcIsoSchema,
      isOwn: z.boolean().describe('The session of this request.'),
    })
    .meta({ id: 'Session', description: 'A signed-in browser.' }),
)

export const tokenAnswer = schemaOf<TokenRow>()(
  z
    .object({
      id: z.string(),
      name: z.string(),
      scope: z.enum(tokenScopes),
      hint: z.string().describe('Its first characters.'),
      project: inProject.nullable().describe('Null: all projects of its account.'),
      parent: z
        .object({ id: z.string(), name: z.string() })
        .nullable()
        .describe('The token that created it; revoking that token revokes this one too. Null: created by a person.'),
      accountName: z.string(),
      createdAt: utcIsoSchema,
      expiresAt: utcIsoSchema.nullable().describe('Null: it never expires.'),
      lastUsedAt: utcIsoSchema.nullable().describe('To within five minutes. Null: never.'),
    })
    .meta({ id: 'Token', description: 'An API token, without its secret.' }),
)

/** With the secret, which is in no later answer. */
export const madeTokenAnswer = tokenAnswer.extend({ token: z.string().describe('The secret.') })

export const memberAnswer = schemaOf<Member>()(
  z
    .object({
      accountId: z.string(),
      name: z.string(),
      email: z.string(),
      role: z.enum(roles),
      since: utcIsoSchema,
    })
    .meta({ id: 'Member', description: 'A member of a project.' }),
)

export const invitationAnswer = schemaOf<InvitationRow>()(
  z
    .object({
      id: z.string(),
      email: z.string().nullable().describe('Null: anyone with the link.'),
      role: z.enum(roles).nullable().describe('Null: no project.'),
      isOwner: z.boolean().describe('Of the installation.'),
      createdAt: utcIsoSchema,
      expiresAt: utcIsoSchema,
    })
    .meta({ id: 'Invitation', description: 'An unused invitation link.' }),
)

/** With the link, which is in no later answer. */
export const madeInvitationAnswer = invitationAnswer.extend({ url: z.string() })

const auditEntryAnswer = schemaOf<AuditRow>()(
  z
    .object({
      id: z.string(),
      at: utcIsoSchema,
      who: z.string(),
      isToken: z.boolean().describe('Whether a token did it.'),
      action: auditActionSchema,
      subject: z.record(z.string(), z.string()).describe('Ids and names by kind.'),
      about: z.string().nullable().describe('The name of the affected account. Null: none, or it no longer exists.'),
      address: z.string(),
      project: inProject.nullable().describe('Null: the installation.'),
    })
    .meta({ id: 'AuditEntry', description: 'An entry in the audit log.' }),
)

export const auditAnswer = z.object({
  entries: z.array(auditEntryAnswer),
  next: z.string().nullable().describe('Value for `before`. Null: this is the last page.'),
})
