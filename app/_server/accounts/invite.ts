import type { InvitationRow } from '@/lib/account/account'
import type { Viewer } from '@/lib/viewer'
import { createInvitation, createOwnerInvitation, type NewInvitation } from '@/prisma/queries/accounts/invitations'
import { hasOwner } from '@/prisma/queries/accounts/accounts'
import { settings } from '../settings'
import { makeSecret, sha256Of } from '../credentials/secret-token'

const linkOf = (secret: string): string => `${settings().appUrl}/invitations/${secret}`

/** Makes an invitation; its link is in this response only. Throws as `createInvitation`. */
export async function invite(
  viewer: Viewer,
  invitation: Omit<NewInvitation, 'tokenSha256'>,
  now: Date,
): Promise<InvitationRow & { readonly url: string }> {
  const secret = makeSecret()
  const row = await createInvitation(viewer, { ...invitation, tokenSha256: sha256Of(secret) }, now)
  return { ...row, url: linkOf(secret) }
}

/**
 * A new link that makes an owner, while the installation has no administrator or when one is requested at start; links
 * of earlier starts stop working. Null: none is needed.
 */
export async function ownerLink(now: Date): Promise<string | null> {
  const { hasAccounts, printsOwnerLink } = settings()
  if (!hasAccounts || (!printsOwnerLink && (await hasOwner()))) return null
  const secret = makeSecret()
  await createOwnerInvitation(sha256Of(secret), now)
  return linkOf(secret)
}
