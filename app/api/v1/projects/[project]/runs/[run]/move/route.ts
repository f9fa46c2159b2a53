import { currentViewer } from '@/app/_server/http/current-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, route } from '@/app/_server/http/respond'
import { moveRunSchema } from '@/app/_server/schemas'
import { getProject } from '@/prisma/queries/projects'
import { moveRun } from '@/prisma/queries/runs'

type Params = { project: string; run: string }

export const POST = route<Params>(async (request, params) => {
  const { project: toProjectSlug } = await readJson(request, moveRunSchema)
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  await moveRun(viewer, { projectId: project.id, runId: params.run, toProjectSlug })
  return respondJson({ url: `/p/${toProjectSlug}/runs/${params.run}` })
})
