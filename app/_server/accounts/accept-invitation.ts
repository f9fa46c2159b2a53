import type { z } from 'zod'
import { InvalidInputError, NotFoundError } from '@/lib/errors'
import { acceptInvitation, findInvitation } from '@/prisma/queries/accounts/invitations'
import { addAuditEntry } from '@/prisma/queries/accounts/audit'
import { takePoint } from '@/prisma/queries/accounts/rate-limits'
import { signedIn } from '../http/request-viewer'
import { clientOf } from '../http/route'
import { hashPassword } from './password'
import type { acceptSchema } from './schemas'
import { sha256Of } from '../credentials/secret-token'
import { beginSession } from './sign-in'

const perAddress = { name: 'invitation address', points: 32, seconds: 60 }

/** Where an accepted invitation leads, and the secret of the new session; null: the browser already had one. */
export interface Accepted {
  readonly path: string
  readonly secret: string | null
}

/**
 * Accepts an invitation: for the signed-in account, else for a new one made from the form. An invitation that gives the
 * account nothing new is not used up. Throws NotFoundError, InvalidInputError, ConflictError, TooManyRequestsError.
 */
export async function accept(input: z.infer<typeof acceptSchema>, headers: Headers): Promise<Accepted> {
  await takePoint(perAddress, clientOf(headers))
  const now = new Date()
  const tokenSha256 = sha256Of(input.token)
  const viewer = await signedIn(headers)
  const invitation = await findInvitation(tokenSha256, viewer?.accountId ?? null, now)
  if (invitation === null) throw new NotFoundError('Invitation')
  const path = invitation.project === null ? '/' : `/p/${invitation.project.slug}`
  if (viewer !== null) {
    // It stays open for its intended recipient.
    if (invitation.isHeld) return { path, secret: null }
    await acceptInvitation(tokenSha256, { kind: 'member', accountId: viewer.accountId }, now)
    await note(viewer, invitation.project?.slug ?? null, headers)
    return { path, secret: null }
  }
  const { name, password, email = invitation.email } = input
  if (!email) throw new InvalidInputError('An account needs an e-mail address.', { field: 'email' })
  if (!name) throw new InvalidInputError('An account needs a name.', { field: 'name' })
  if (!password) throw new InvalidInputError('An account needs a password.', { field: 'password' })
  const passwordHash = await hashPassword(password, email)
  const id = await acceptInvitation(tokenSha256, { kind: 'new', email, name, passwordHash, subject: null }, now)
  const secret = await beginSession({ id }, headers)
  await note(
    { kind: 'member', accountId: id, name, isOwner: false, sessionId: '' },
    invitation.project?.slug ?? null,
    headers,
  )
  return { path, secret }
}

const note = (viewer: Parameters<typeof addAuditEntry>[0], slug: string | null, headers: Headers) =>
  addAuditEntry(viewer, { action: 'invitation.accept', slug, subject: {}, address: clientOf(headers) })
