import { alertStatesSchema } from '@/app/_server/alerts/alert-schemas'
import { respondJson } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { alertStates } from '@/lib/rules/stored-alerts'
import { listAlerts } from '@/prisma/queries/alerts'
import { getProject } from '@/prisma/queries/projects'

export const GET = route<{ project: string }>(async (request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  const asked = alertStatesSchema.parse(new URL(request.url).searchParams.getAll('state'))
  return respondJson({ alerts: await listAlerts(viewer, project.id, asked.length > 0 ? asked : alertStates) })
})
