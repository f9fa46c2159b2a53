import { readJson } from '@/app/_server/http/read-json'
import { respondJson, respondNothing } from '@/app/_server/http/respond'
import { mutation, route } from '@/app/_server/http/route'
import { comparisonEditsSchema } from '@/app/_server/schemas'
import { deleteComparison, getComparison, updateComparison } from '@/prisma/queries/comparisons'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string; comparison: string }

export const GET = route<Params>(async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson(await getComparison(viewer, project.id, params.comparison))
})

export const PATCH = mutation<Params>('comparison.update', async (request, params, viewer) => {
  const edits = await readJson(request, comparisonEditsSchema)
  const project = await getProject(viewer, params.project)
  return respondJson(await updateComparison(viewer, project.id, params.comparison, edits))
})

export const DELETE = mutation<Params>('comparison.delete', async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  await deleteComparison(viewer, project.id, params.comparison)
  return respondNothing()
})
