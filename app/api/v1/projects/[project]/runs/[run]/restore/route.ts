import { currentViewer } from '@/app/_server/http/current-viewer'
import { respondNothing, route } from '@/app/_server/http/respond'
import { getProject } from '@/prisma/queries/projects'
import { restoreRun } from '@/prisma/queries/runs'

type Params = { project: string; run: string }

export const POST = route<Params>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  await restoreRun(viewer, project.id, params.run)
  return respondNothing()
})
