import { respondNothing } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { revokeOwnToken } from '@/prisma/queries/accounts/tokens'

export const DELETE = mutation<{ token: string }>('token.revoke', async (_request, { token }, viewer) => {
  await revokeOwnToken(viewer, token, new Date())
  return respondNothing()
})
