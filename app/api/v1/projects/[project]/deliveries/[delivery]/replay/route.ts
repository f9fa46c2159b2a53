import { currentViewer } from '@/app/_server/http/current-viewer'
import { respondJson, route } from '@/app/_server/http/respond'
import { replayDelivery } from '@/prisma/queries/deliveries'
import { getProject } from '@/prisma/queries/projects'

export const POST = route<{ project: string; delivery: string }>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson(await replayDelivery(viewer, project.id, params.delivery, new Date()))
})
