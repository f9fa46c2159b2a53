import { z } from 'zod'
import { currentViewer } from '@/app/_server/http/current-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, route } from '@/app/_server/http/respond'
import { alertMoves } from '@/lib/rules/stored-alerts'
import { moveAlert } from '@/prisma/queries/alerts'
import { getProject } from '@/prisma/queries/projects'

const moveSchema = z.strictObject({ to: z.enum(alertMoves), note: z.string().trim().max(2_000).optional() })

export const POST = route<{ project: string; alert: string }>(async (request, params) => {
  const move = await readJson(request, moveSchema)
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  const { alert: alertId } = params
  return respondJson(await moveAlert(viewer, { projectId: project.id, alertId, ...move }, new Date()))
})
