import { respondNothing } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { getProject } from '@/prisma/queries/projects'
import { restoreRun } from '@/prisma/queries/runs'

type Params = { project: string; run: string }

export const POST = mutation<Params>('run.restore', async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  await restoreRun(viewer, project.id, params.run)
  return respondNothing()
})
