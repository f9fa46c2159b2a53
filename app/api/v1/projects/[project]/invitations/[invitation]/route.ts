import { respondNothing } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { revokeInvitation } from '@/prisma/queries/accounts/invitations'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string; invitation: string }

export const DELETE = mutation<Params>('invitation.revoke', async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  await revokeInvitation(viewer, project.id, params.invitation)
  return respondNothing()
})
