import { respondJson } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { listProjectTokens } from '@/prisma/queries/accounts/tokens'
import { getProject } from '@/prisma/queries/projects'

export const GET = route<{ project: string }>(async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson({ tokens: await listProjectTokens(viewer, project.id) })
})
