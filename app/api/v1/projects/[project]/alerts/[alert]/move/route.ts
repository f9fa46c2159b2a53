import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { alertMoveSchema } from '@/app/_server/alerts/alert-schemas'
import { moveAlert } from '@/prisma/queries/alerts'
import { getProject } from '@/prisma/queries/projects'

export const POST = mutation<{ project: string; alert: string }>('alert.move', async (request, params, viewer) => {
  const move = await readJson(request, alertMoveSchema)
  const project = await getProject(viewer, params.project)
  const { alert: alertId } = params
  return respondJson(await moveAlert(viewer, { projectId: project.id, alertId, ...move }, new Date()))
})
