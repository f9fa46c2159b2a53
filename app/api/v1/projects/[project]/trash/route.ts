import { readJson } from '@/app/_server/http/read-json'
import { respondJson, respondNothing } from '@/app/_server/http/respond'
import { mutation, route } from '@/app/_server/http/route'
import { trashSchema } from '@/app/_server/schemas'
import { getProject } from '@/prisma/queries/projects'
import { destroyTrash, listTrash, restoreFromTrash } from '@/prisma/queries/trash'

type Params = { project: string }

export const GET = route<Params>(async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson(await listTrash(viewer, project.id))
})

export const POST = mutation<Params>('trash.change', async (request, params, viewer) => {
  const { action, runs: runIds, uploads: uploadIds } = await readJson(request, trashSchema)
  const project = await getProject(viewer, params.project)
  const act = action === 'restore' ? restoreFromTrash : destroyTrash
  await act(viewer, project.id, { runIds, uploadIds })
  return respondNothing()
})
