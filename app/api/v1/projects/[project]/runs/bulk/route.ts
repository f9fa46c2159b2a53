import { readJson } from '@/app/_server/http/read-json'
import { respondNothing } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { bulkSchema } from '@/app/_server/schemas'
import { getProject } from '@/prisma/queries/projects'
import { deleteRuns, updateRuns } from '@/prisma/queries/trash'

type Params = { project: string }

export const POST = mutation<Params>('runs.change', async (request, params, viewer) => {
  const { runs, ...change } = await readJson(request, bulkSchema)
  const project = await getProject(viewer, params.project)
  if (change.action === 'delete') await deleteRuns(viewer, project.id, runs)
  else await updateRuns(viewer, project.id, runs, change)
  return respondNothing()
})
