import { currentViewer } from '@/app/_server/http/current-viewer'
import { respondJson, route } from '@/app/_server/http/respond'
import { getAlert } from '@/prisma/queries/alerts'
import { getProject } from '@/prisma/queries/projects'

export const GET = route<{ project: string; alert: string }>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson(await getAlert(viewer, project.id, params.alert))
})
