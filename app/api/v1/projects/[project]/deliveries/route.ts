import { currentViewer } from '@/app/_server/http/current-viewer'
import { respondJson, route } from '@/app/_server/http/respond'
import { listDeliveries } from '@/prisma/queries/deliveries'
import { getProject } from '@/prisma/queries/projects'

export const GET = route<{ project: string }>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson({ deliveries: await listDeliveries(viewer, project.id) })
})
