import { respondJson } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { readRunQuery } from '@/app/_server/http/run-query'
import { getProject } from '@/prisma/queries/projects'
import { listRuns } from '@/prisma/queries/runs'

type Params = { project: string }

export const GET = route<Params>(async (request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  const { filter, page } = readRunQuery(new URL(request.url).searchParams)
  return respondJson(await listRuns(viewer, project.id, filter, page))
})
