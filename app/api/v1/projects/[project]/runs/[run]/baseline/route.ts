import { currentViewer } from '@/app/_server/http/current-viewer'
import { respondNothing, route } from '@/app/_server/http/respond'
import { clearBaselineRun, setBaselineRun } from '@/prisma/queries/baselines'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string; run: string }

export const PUT = route<Params>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  await setBaselineRun(viewer, project.id, params.run)
  return respondNothing()
})

export const DELETE = route<Params>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  await clearBaselineRun(viewer, project.id, params.run)
  return respondNothing()
})
