import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { moveRunSchema } from '@/app/_server/schemas'
import { getProject } from '@/prisma/queries/projects'
import { moveRun } from '@/prisma/queries/runs'

type Params = { project: string; run: string }

export const POST = mutation<Params>('run.move', async (request, params, viewer) => {
  const { project: toProjectSlug } = await readJson(request, moveRunSchema)
  const project = await getProject(viewer, params.project)
  await moveRun(viewer, { projectId: project.id, runId: params.run, toProjectSlug })
  return respondJson({ url: `/p/${toProjectSlug}/runs/${params.run}` })
})
