import { noteSubject, mutation, route } from '@/app/_server/http/route'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mergePlanSchema, mergeRunsSchema } from '@/app/_server/schemas'
import { describePlan, mergeStoredRuns, planMerge } from '@/app/_server/uploads/merge-runs'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string }

export const GET = route<Params>(async (request, params, viewer) => {
  const runs = new URL(request.url).searchParams.getAll('run')
  const project = await getProject(viewer, params.project)
  return respondJson(describePlan(await planMerge(viewer, project.id, mergePlanSchema.parse(runs))))
})

export const POST = mutation<Params>('runs.merge', async (request, params, viewer) => {
  const project = await getProject(viewer, params.project, 'edit')
  const { runs } = await readJson(request, mergeRunsSchema)
  const run = await mergeStoredRuns(viewer, project.id, runs)
  noteSubject(request, { run: run.id })
  return respondJson(run, 201)
})
