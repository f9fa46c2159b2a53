import type { z } from 'zod'
import type { TokenRow } from '@/lib/account/account'
import type { Viewer } from '@/lib/viewer'
import { createToken } from '@/prisma/queries/accounts/tokens'
import { getOwnAccount } from '@/prisma/queries/accounts/accounts'
import { takePoint } from '@/prisma/queries/accounts/rate-limits'
import { getProject } from '@/prisma/queries/projects/projects'
import type { tokenSchema } from './schemas'
import { hintOf, makeApiToken, sha256Of } from '../credentials/secret-token'

const perAccount = { name: 'token', points: 10, seconds: 3_600 }
const dayMs = 24 * 3_600_000

/** Makes a token of the viewer's account. Its secret is in this response only. Throws as `createToken`. */
export async function makeToken(
  viewer: Viewer,
  { name, scope, project: slug, days }: z.infer<typeof tokenSchema>,
  now: Date,
): Promise<TokenRow & { readonly token: string }> {
  const account = await getOwnAccount(viewer)
  const projectId = slug === null ? null : (await getProject(viewer, slug)).id
  await takePoint(perAccount, account.id)
  const token = makeApiToken()
  const expiresAt = days === null ? null : new Date(now.getTime() + days * dayMs)
  const made = { name, scope, projectId, tokenSha256: sha256Of(token), hint: hintOf(token), expiresAt }
  return { ...(await createToken(viewer, made, now)), token }
}
