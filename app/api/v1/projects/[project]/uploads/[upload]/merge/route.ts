import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { mergeDraftSchema } from '@/app/_server/schemas'
import { describePlan, planDraftMerge } from '@/app/_server/uploads/merge-runs'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string; upload: string }

export const POST = route<Params>(async (request, params, viewer) => {
  const draft = await readJson(request, mergeDraftSchema)
  const project = await getProject(viewer, params.project)
  const outcome = await planDraftMerge(viewer, { projectId: project.id, uploadId: params.upload, ...draft })
  return respondJson(describePlan(outcome))
})
