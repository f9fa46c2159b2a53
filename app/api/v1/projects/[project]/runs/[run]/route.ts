import { currentViewer } from '@/app/_server/http/current-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, respondNothing, route } from '@/app/_server/http/respond'
import { runEditsSchema } from '@/app/_server/schemas'
import { getProject } from '@/prisma/queries/projects'
import { deleteRun, getRun, updateRun } from '@/prisma/queries/runs'

type Params = { project: string; run: string }

export const GET = route<Params>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson(await getRun(viewer, project.id, params.run))
})

export const PATCH = route<Params>(async (request, params) => {
  const edits = await readJson(request, runEditsSchema.omit({ include: true }))
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson(await updateRun(viewer, project.id, params.run, edits))
})

export const DELETE = route<Params>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  await deleteRun(viewer, project.id, params.run)
  return respondNothing()
})
