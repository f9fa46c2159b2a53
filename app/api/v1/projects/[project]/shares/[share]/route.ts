import { currentViewer } from '@/app/_server/http/current-viewer'
import { respondJson, route } from '@/app/_server/http/respond'
import { getProject } from '@/prisma/queries/projects'
import { revokeShare } from '@/prisma/queries/shares'

type Params = { project: string; share: string }

export const DELETE = route<Params>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson(await revokeShare(viewer, project.id, params.share, new Date()))
})
