import { respondNothing } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { revokeInvitation } from '@/prisma/queries/accounts/invitations'

export const DELETE = mutation<{ invitation: string }>('invitation.revoke', async (_request, params, viewer) => {
  await revokeInvitation(viewer, null, params.invitation)
  return respondNothing()
})
