import { reimportUpload } from '@/app/_server/uploads/reimport-upload'
import { respondJson } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { uploadSlots } from '@/app/_server/uploads/upload-slots'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string; upload: string }

export const POST = mutation<Params>(
  'upload.reimport',
  async (_request, params, viewer) => {
    const project = await getProject(viewer, params.project, 'edit')
    const runs = await reimportUpload(viewer, project.id, params.upload)
    return respondJson({ runs: runs.map((run) => ({ id: run.id, url: `/p/${project.slug}/runs/${run.id}` })) })
  },
  { slots: uploadSlots },
)
