import { readJson } from '@/app/_server/http/read-json'
import { respondJson, respondNothing } from '@/app/_server/http/respond'
import { mutation, route } from '@/app/_server/http/route'
import { runEditsSchema } from '@/app/_server/schemas'
import { mergedForm } from '@/lib/merge/merge-runs'
import { listParts } from '@/prisma/queries/merge/merged-runs'
import { getProject } from '@/prisma/queries/projects'
import { deleteRun, getRun, updateRun } from '@/prisma/queries/runs'

type Params = { project: string; run: string }

export const GET = route<Params>(async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  const run = await getRun(viewer, project.id, params.run)
  if (run.form !== mergedForm) return respondJson(run)
  return respondJson({ ...run, parts: await listParts(viewer, project.id, run.id) })
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
