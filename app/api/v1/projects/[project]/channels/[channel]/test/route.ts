import { deliverTest } from '@/app/_server/alerts/deliver'
import { respondJson } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { getProject } from '@/prisma/queries/projects'

export const POST = mutation<{ project: string; channel: string }>('channel.test', async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson(await deliverTest(viewer, project.id, params.channel))
})
