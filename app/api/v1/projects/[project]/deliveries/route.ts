import { respondJson } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { listDeliveries } from '@/prisma/queries/deliveries'
import { getProject } from '@/prisma/queries/projects'

export const GET = route<{ project: string }>(async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson({ deliveries: await listDeliveries(viewer, project.id) })
})
