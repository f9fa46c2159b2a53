import { respondNothing } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { revokeProjectToken } from '@/prisma/queries/accounts/tokens'
import { getProject } from '@/prisma/queries/projects'

export const DELETE = mutation<{ project: string; token: string }>('token.revoke', async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  await revokeProjectToken(viewer, project.id, params.token, new Date())
  return respondNothing()
})
