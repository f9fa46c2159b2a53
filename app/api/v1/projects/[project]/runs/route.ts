import { respondJson } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { readRunQuery } from '@/app/_server/http/run-query'
import { getProject } from '@/prisma/queries/projects'
import { listRuns } from '@/prisma/queries/runs'

type Params = { project: string }

export const GET = route<Params>(async (request, params, viewer) => {
  const { filter, page } = readRunQuery(new URL(request.url).searchParams)
  const project = await getProject(viewer, params.project)
  return respondJson(await listRuns(viewer, project.id, filter, page))
})
