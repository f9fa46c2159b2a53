import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { mapDraftSchema } from '@/app/_server/schemas'
import { mapDraft } from '@/app/_server/uploads/reimport-upload'
import { uploadSlots } from '@/app/_server/uploads/upload-slots'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string; upload: string }

export const POST = mutation<Params>(
  'upload.map',
  async (request, params, viewer) => {
    const { mapping } = await readJson(request, mapDraftSchema)
    const project = await getProject(viewer, params.project, 'edit')
    return respondJson({ upload: await mapDraft(viewer, project.id, params.upload, mapping) })
  },
  { slots: uploadSlots },
)
