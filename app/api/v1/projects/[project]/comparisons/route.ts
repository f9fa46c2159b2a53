import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation, noteSubject, route } from '@/app/_server/http/route'
import { comparisonSchema } from '@/app/_server/schemas'
import { createComparison, listComparisons } from '@/prisma/queries/comparisons'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string }

export const GET = route<Params>(async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson(await listComparisons(viewer, project.id))
})

export const POST = mutation<Params>('comparison.create', async (request, params, viewer) => {
  const input = await readJson(request, comparisonSchema)
  const project = await getProject(viewer, params.project)
  const saved = await createComparison(viewer, project.id, input)
  noteSubject(request, { comparison: saved.id, name: saved.name })
  return respondJson(saved, 201)
})
