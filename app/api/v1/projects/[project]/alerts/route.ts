import { z } from 'zod'
import { respondJson } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { alertStates } from '@/lib/rules/stored-alerts'
import { listAlerts } from '@/prisma/queries/alerts'
import { getProject } from '@/prisma/queries/projects'

const statesSchema = z.array(z.enum(alertStates))

export const GET = route<{ project: string }>(async (request, params, viewer) => {
  const asked = statesSchema.parse(new URL(request.url).searchParams.getAll('state'))
  const project = await getProject(viewer, params.project)
  return respondJson({ alerts: await listAlerts(viewer, project.id, asked.length > 0 ? asked : alertStates) })
})
