import { changePassword } from '@/app/_server/accounts/change-password'
import { passwordSchema } from '@/app/_server/accounts/schemas'
import { readJson } from '@/app/_server/http/read-json'
import { respondNothing } from '@/app/_server/http/respond'
import { clientOf, mutation } from '@/app/_server/http/route'
import { addAuditEntry } from '@/prisma/queries/accounts/audit'

export const PUT = mutation('account.set-password', async (request, _params, viewer) => {
  const { current, password, signOutElsewhere = true, revokeTokens = [] } = await readJson(request, passwordSchema)
  await changePassword(viewer, current, password, { signsOutElsewhere: signOutElsewhere, tokenIds: revokeTokens })
  for (const token of revokeTokens)
    await addAuditEntry(viewer, {
      ...{ action: 'token.revoke', slug: null, subject: { token } },
      address: clientOf(request.headers),
    })
  return respondNothing()
})
