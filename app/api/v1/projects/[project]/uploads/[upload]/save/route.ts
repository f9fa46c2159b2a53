import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { saveDraftSchema } from '@/app/_server/schemas'
import { getProject } from '@/prisma/queries/projects'
import { saveDraft } from '@/prisma/queries/uploads'

type Params = { project: string; upload: string }

export const POST = mutation<Params>('upload.save', async (request, params, viewer) => {
  const { edits } = await readJson(request, saveDraftSchema)
  const project = await getProject(viewer, params.project)
  const runs = await saveDraft(viewer, { projectId: project.id, uploadId: params.upload, edits })
  return respondJson({ runs: runs.map((run) => ({ id: run.id, url: `/p/${project.slug}/runs/${run.id}` })) }, 201)
})
