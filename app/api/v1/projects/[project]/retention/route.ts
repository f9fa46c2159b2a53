import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation, route } from '@/app/_server/http/route'
import { retentionSchema } from '@/app/_server/schemas'
import { getProject, getRetention, setRetention } from '@/prisma/queries/projects'

type Params = { project: string }

export const GET = route<Params>(async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson(await getRetention(viewer, project.id))
})

export const PUT = mutation<Params>('retention.set', async (request, params, viewer) => {
  const retention = await readJson(request, retentionSchema)
  const project = await getProject(viewer, params.project)
  await setRetention(viewer, project.id, retention)
  return respondJson(retention)
})
