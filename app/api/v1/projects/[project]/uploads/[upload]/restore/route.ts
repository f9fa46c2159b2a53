import { currentViewer } from '@/app/_server/http/current-viewer'
import { respondNothing, route } from '@/app/_server/http/respond'
import { getProject } from '@/prisma/queries/projects'
import { restoreUpload } from '@/prisma/queries/uploads'

type Params = { project: string; upload: string }

export const POST = route<Params>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  await restoreUpload(viewer, project.id, params.upload)
  return respondNothing()
})
