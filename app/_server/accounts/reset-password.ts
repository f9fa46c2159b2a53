import { localViewer } from '@/lib/viewer'
import { resetPasswordHash } from '@/prisma/queries/accounts/accounts'
import { addAuditEntry } from '@/prisma/queries/accounts/audit'
import { makeSecret } from '../credentials/secret-token'
import { hashPassword } from './password'

/**
 * Gives an account a new, random password and ends its sessions, on behalf of whoever controls the database; the
 * password, which is stored nowhere. Null: no enabled account has this e-mail address.
 */
export async function resetPassword(email: string): Promise<string | null> {
  const password = makeSecret()
  const account = await resetPasswordHash(email, await hashPassword(password, email))
  if (account === null) return null
  await addAuditEntry(localViewer, { action: 'account.reset-password', slug: null, subject: { account }, address: '' })
  return password
}
