import { fileOfRun } from '@/app/_server/uploads/run-file'
import { route } from '@/app/_server/http/route'
import { getProject } from '@/prisma/queries/projects'
import { getRun } from '@/prisma/queries/runs'

type Params = { project: string; run: string; file: string }

export const GET = route<Params>(async (request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  const run = await getRun(viewer, project.id, params.run)
  return fileOfRun(run.imported, params.file, new URL(request.url).searchParams, params.run)
})
