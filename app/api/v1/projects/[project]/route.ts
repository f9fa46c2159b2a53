import { currentViewer } from '@/app/_server/http/current-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, respondNothing, route } from '@/app/_server/http/respond'
import { projectEditsSchema } from '@/app/_server/schemas'
import { deleteProject, editProject, getProject } from '@/prisma/queries/projects'

type Params = { project: string }

export const GET = route<Params>(async (_request, { project }) =>
  respondJson(await getProject(await currentViewer(), project)),
)

export const PATCH = route<Params>(async (request, { project }) => {
  const edits = await readJson(request, projectEditsSchema)
  return respondJson(await editProject(await currentViewer(), project, edits))
})

export const DELETE = route<Params>(async (_request, { project }) => {
  await deleteProject(await currentViewer(), project)
  return respondNothing()
})
