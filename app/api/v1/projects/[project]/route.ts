import { currentViewer } from '@/app/_server/http/current-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, respondNothing, route } from '@/app/_server/http/respond'
import { renameProjectSchema } from '@/app/_server/schemas'
import { deleteProject, getProject, renameProject } from '@/prisma/queries/projects'

type Params = { project: string }

export const GET = route<Params>(async (_request, { project }) =>
  respondJson(await getProject(await currentViewer(), project)),
)

export const PATCH = route<Params>(async (request, { project }) => {
  const { name } = await readJson(request, renameProjectSchema)
  return respondJson(await renameProject(await currentViewer(), project, name))
})

export const DELETE = route<Params>(async (_request, { project }) => {
  await deleteProject(await currentViewer(), project)
  return respondNothing()
})
