import { respondJson } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { listAuditEntries } from '@/prisma/queries/accounts/audit'
import { getProject } from '@/prisma/queries/projects'

export const GET = route<{ project: string }>(async (request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson(await listAuditEntries(viewer, project.id, new URL(request.url).searchParams.get('before')))
})
