import { readJson } from '@/app/_server/http/read-json'
import { respondJson, respondNothing } from '@/app/_server/http/respond'
import { mutation, route } from '@/app/_server/http/route'
import { projectEditsSchema } from '@/app/_server/schemas'
import { deleteProject, editProject, getProject } from '@/prisma/queries/projects'

type Params = { project: string }

export const GET = route<Params>(async (_request, { project }, viewer) =>
  respondJson(await getProject(viewer, project)),
)

export const PATCH = mutation<Params>('project.update', async (request, { project }, viewer) => {
  const edits = await readJson(request, projectEditsSchema)
  return respondJson(await editProject(viewer, project, edits))
})

export const DELETE = mutation<Params>('project.delete', async (_request, { project }, viewer) => {
  await deleteProject(viewer, project)
  return respondNothing()
})
