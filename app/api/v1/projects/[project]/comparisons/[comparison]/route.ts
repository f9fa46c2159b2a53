import { currentViewer } from '@/app/_server/http/current-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, respondNothing, route } from '@/app/_server/http/respond'
import { comparisonEditsSchema } from '@/app/_server/schemas'
import { deleteComparison, getComparison, updateComparison } from '@/prisma/queries/comparisons'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string; comparison: string }

export const GET = route<Params>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson(await getComparison(viewer, project.id, params.comparison))
})

export const PATCH = route<Params>(async (request, params) => {
  const edits = await readJson(request, comparisonEditsSchema)
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson(await updateComparison(viewer, project.id, params.comparison, edits))
})

export const DELETE = route<Params>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  await deleteComparison(viewer, project.id, params.comparison)
  return respondNothing()
})
