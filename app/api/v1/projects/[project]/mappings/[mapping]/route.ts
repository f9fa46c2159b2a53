import { readJson } from '@/app/_server/http/read-json'
import { respondJson, respondNothing } from '@/app/_server/http/respond'
import { mutation, route } from '@/app/_server/http/route'
import { columnMappingSchema } from '@/lib/run/column-mapping'
import { deleteMapping, getMapping, setMapping } from '@/prisma/queries/mappings/sample-mappings'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string; mapping: string }

export const GET = route<Params>(async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson(await getMapping(viewer, project.id, params.mapping))
})

export const PUT = mutation<Params>('mapping.set', async (request, params, viewer) => {
  const mapping = await readJson(request, columnMappingSchema)
  const project = await getProject(viewer, params.project)
  return respondJson(await setMapping(viewer, project.id, { name: params.mapping, mapping }, new Date()))
})

export const DELETE = mutation<Params>('mapping.delete', async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  await deleteMapping(viewer, project.id, params.mapping)
  return respondNothing()
})
