import { respondJson } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { replayDelivery } from '@/prisma/queries/deliveries'
import { getProject } from '@/prisma/queries/projects'

export const POST = mutation<{ project: string; delivery: string }>(
  'delivery.replay',
  async (_request, params, viewer) => {
    const project = await getProject(viewer, params.project)
    return respondJson(await replayDelivery(viewer, project.id, params.delivery, new Date()))
  },
)
