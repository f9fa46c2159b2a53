import { currentViewer } from '@/app/_server/http/current-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, route } from '@/app/_server/http/respond'
import { comparisonSchema } from '@/app/_server/schemas'
import { createComparison, listComparisons } from '@/prisma/queries/comparisons'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string }

export const GET = route<Params>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson(await listComparisons(viewer, project.id))
})

export const POST = route<Params>(async (request, params) => {
  const input = await readJson(request, comparisonSchema)
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson(await createComparison(viewer, project.id, input), 201)
})
