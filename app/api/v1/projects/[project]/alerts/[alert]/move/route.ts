import { z } from 'zod'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { alertMoves } from '@/lib/rules/stored-alerts'
import { moveAlert } from '@/prisma/queries/alerts'
import { getProject } from '@/prisma/queries/projects'

const moveSchema = z.strictObject({ to: z.enum(alertMoves), note: z.string().trim().max(2_000).optional() })

export const POST = mutation<{ project: string; alert: string }>('alert.move', async (request, params, viewer) => {
  const move = await readJson(request, moveSchema)
  const project = await getProject(viewer, params.project)
  const { alert: alertId } = params
  return respondJson(await moveAlert(viewer, { projectId: project.id, alertId, ...move }, new Date()))
})
