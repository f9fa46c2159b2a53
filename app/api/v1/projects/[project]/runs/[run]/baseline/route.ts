import { respondNothing } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { clearBaselineRun, setBaselineRun } from '@/prisma/queries/baselines'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string; run: string }

export const PUT = mutation<Params>('baseline.set', async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  await setBaselineRun(viewer, project.id, params.run)
  return respondNothing()
})

export const DELETE = mutation<Params>('baseline.clear', async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  await clearBaselineRun(viewer, project.id, params.run)
  return respondNothing()
})
