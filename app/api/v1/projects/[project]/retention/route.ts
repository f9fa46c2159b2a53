import { currentViewer } from '@/app/_server/http/current-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, route } from '@/app/_server/http/respond'
import { retentionSchema } from '@/app/_server/schemas'
import { getProject, getRetention, setRetention } from '@/prisma/queries/projects'

type Params = { project: string }

export const GET = route<Params>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson(await getRetention(viewer, project.id))
})

export const PUT = route<Params>(async (request, params) => {
  const retention = await readJson(request, retentionSchema)
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  await setRetention(viewer, project.id, retention)
  return respondJson(retention)
})
