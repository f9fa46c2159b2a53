import { respondJson } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { listMappings } from '@/prisma/queries/mappings/sample-mappings'
import { getProject } from '@/prisma/queries/projects'

export const GET = route<{ project: string }>(async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson({ mappings: await listMappings(viewer, project.id) })
})
