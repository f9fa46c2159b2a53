import { currentViewer } from '@/app/_server/http/current-viewer'
import { deliverTest } from '@/app/_server/alerts/deliver'
import { respondJson, route } from '@/app/_server/http/respond'
import { getProject } from '@/prisma/queries/projects'

export const POST = route<{ project: string; channel: string }>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson(await deliverTest(viewer, project.id, params.channel))
})
