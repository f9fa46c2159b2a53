import { currentViewer } from '@/app/_server/http/current-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { respondNothing, route } from '@/app/_server/http/respond'
import { bulkSchema } from '@/app/_server/schemas'
import { getProject } from '@/prisma/queries/projects'
import { deleteRuns, updateRuns } from '@/prisma/queries/trash'

type Params = { project: string }

export const POST = route<Params>(async (request, params) => {
  const { runs, ...change } = await readJson(request, bulkSchema)
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  if (change.action === 'delete') await deleteRuns(viewer, project.id, runs)
  else await updateRuns(viewer, project.id, runs, change)
  return respondNothing()
})
