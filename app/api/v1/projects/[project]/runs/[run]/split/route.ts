import { respondJson } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { getProject } from '@/prisma/queries/projects'
import { splitRun } from '@/prisma/queries/merge/merged-runs'

type Params = { project: string; run: string }

export const POST = mutation<Params>('run.split', async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson({ runs: await splitRun(viewer, project.id, params.run) })
})
