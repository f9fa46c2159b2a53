import { z } from 'zod'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { commentAlert } from '@/prisma/queries/alerts'
import { getProject } from '@/prisma/queries/projects'

const commentSchema = z.strictObject({ text: z.string().trim().min(1).max(2_000) })

export const POST = mutation<{ project: string; alert: string }>('alert.comment', async (request, params, viewer) => {
  const { text } = await readJson(request, commentSchema)
  const project = await getProject(viewer, params.project)
  return respondJson(await commentAlert(viewer, { projectId: project.id, alertId: params.alert, text }, new Date()))
})
