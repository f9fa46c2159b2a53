import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { commentSchema } from '@/app/_server/alerts/alert-schemas'
import { commentAlert } from '@/prisma/queries/alerts'
import { getProject } from '@/prisma/queries/projects'

export const POST = mutation<{ project: string; alert: string }>('alert.comment', async (request, params, viewer) => {
  const { text } = await readJson(request, commentSchema)
  const project = await getProject(viewer, params.project)
  return respondJson(await commentAlert(viewer, { projectId: project.id, alertId: params.alert, text }, new Date()))
})
