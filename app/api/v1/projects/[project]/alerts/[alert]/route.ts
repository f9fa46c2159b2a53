import { respondJson } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { getAlert } from '@/prisma/queries/alerts'
import { getProject } from '@/prisma/queries/projects'

export const GET = route<{ project: string; alert: string }>(async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson(await getAlert(viewer, project.id, params.alert))
})
