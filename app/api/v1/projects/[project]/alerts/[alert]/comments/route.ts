import { z } from 'zod'
import { currentViewer } from '@/app/_server/http/current-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, route } from '@/app/_server/http/respond'
import { commentAlert } from '@/prisma/queries/alerts'
import { getProject } from '@/prisma/queries/projects'

const commentSchema = z.strictObject({ text: z.string().trim().min(1).max(2_000) })

export const POST = route<{ project: string; alert: string }>(async (request, params) => {
  const { text } = await readJson(request, commentSchema)
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson(await commentAlert(viewer, { projectId: project.id, alertId: params.alert, text }, new Date()))
})
