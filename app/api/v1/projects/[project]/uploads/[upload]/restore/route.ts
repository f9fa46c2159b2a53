import { respondNothing } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { getProject } from '@/prisma/queries/projects'
import { restoreUpload } from '@/prisma/queries/uploads'

type Params = { project: string; upload: string }

export const POST = mutation<Params>('upload.restore', async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  await restoreUpload(viewer, project.id, params.upload)
  return respondNothing()
})
