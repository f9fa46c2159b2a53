import { respondJson, respondNothing } from '@/app/_server/http/respond'
import { mutation, route } from '@/app/_server/http/route'
import { putUpload } from '@/app/_server/uploads/put-upload'
import { lastSegment } from '@/app/_server/uploads/upload-request'
import { uploadSlots } from '@/app/_server/uploads/upload-slots'
import { getProject } from '@/prisma/queries/projects'
import { deleteUpload, discardDraft, getUpload } from '@/prisma/queries/uploads'

type Params = { project: string; upload: string }

export const GET = route<Params>(async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson(await getUpload(viewer, project.id, params.upload))
})

/** The address ends in the file's name, as `curl -T out.txt …/uploads/` makes it. */
export const PUT = mutation<Params>(
  'upload.create',
  (request, { project }, viewer) => putUpload(viewer, request, project, lastSegment(request.url)),
  { text: true, slots: uploadSlots },
)

export const DELETE = mutation<Params>('upload.delete', async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project, 'edit')
  const upload = await getUpload(viewer, project.id, params.upload)
  if (upload.state === 'draft') await discardDraft(viewer, project.id, upload.id)
  else await deleteUpload(viewer, project.id, upload.id)
  return respondNothing()
})
