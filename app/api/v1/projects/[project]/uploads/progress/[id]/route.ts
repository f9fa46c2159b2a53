import { respondNothing } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { cancelUpload, progressIdSchema } from '@/app/_server/uploads/upload-progress'
import { NotFoundError } from '@/lib/errors'
import { findUploadTarget } from '@/prisma/queries/projects/projects'
import { discardDraft } from '@/prisma/queries/uploads/uploads'

type Params = { project: string; id: string }

export { getProgress as GET } from '@/app/_server/operations/runs/uploads'

/** Cancels an upload: nothing of it remains, even when all its bytes are here, or its draft was just made. */
export const DELETE = mutation<Params>('upload.cancel', async (_request, params, viewer) => {
  const project = await findUploadTarget(viewer, params.project, 'upload')
  if (project === null) throw new NotFoundError('Project')
  const draftId = await cancelUpload(project, progressIdSchema.parse(params.id))
  if (draftId !== null) await discardDraft(project, draftId)
  return respondNothing()
})
