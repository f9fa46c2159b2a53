import { currentViewer } from '@/app/_server/http/current-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, route } from '@/app/_server/http/respond'
import { saveDraftSchema } from '@/app/_server/schemas'
import { getProject } from '@/prisma/queries/projects'
import { saveDraft } from '@/prisma/queries/uploads'

type Params = { project: string; upload: string }

export const POST = route<Params>(async (request, params) => {
  const { edits } = await readJson(request, saveDraftSchema)
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  const runs = await saveDraft(viewer, { projectId: project.id, uploadId: params.upload, edits })
  return respondJson({ runs: runs.map((run) => ({ id: run.id, url: `/p/${project.slug}/runs/${run.id}` })) }, 201)
})
