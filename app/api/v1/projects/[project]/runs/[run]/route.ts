import { readJson } from '@/app/_server/http/read-json'
import { respondJson, respondNothing } from '@/app/_server/http/respond'
import { mutation, route } from '@/app/_server/http/route'
import { runEditsSchema } from '@/app/_server/schemas'
import { getProject } from '@/prisma/queries/projects'
import { deleteRun, getRun, updateRun } from '@/prisma/queries/runs'

type Params = { project: string; run: string }

export const GET = route<Params>(async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson(await getRun(viewer, project.id, params.run))
})

export const PATCH = mutation<Params>('run.update', async (request, params, viewer) => {
  const edits = await readJson(request, runEditsSchema.omit({ include: true }))
  const project = await getProject(viewer, params.project)
  return respondJson(await updateRun(viewer, project.id, params.run, edits))
})

export const DELETE = mutation<Params>('run.delete', async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  await deleteRun(viewer, project.id, params.run)
  return respondNothing()
})
