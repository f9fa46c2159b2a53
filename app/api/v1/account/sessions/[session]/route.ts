import { respondNothing } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { revokeSession } from '@/prisma/queries/accounts/sessions'

export const DELETE = mutation<{ session: string }>('session.revoke', async (_request, { session }, viewer) => {
  await revokeSession(viewer, session)
  return respondNothing()
})
