import { respondJson } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { listMembers } from '@/prisma/queries/accounts/members'
import { getProject } from '@/prisma/queries/projects'

export const GET = route<{ project: string }>(async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson({ members: await listMembers(viewer, project.id) })
})
