import { currentViewer } from '@/app/_server/http/current-viewer'
import { reimportUpload } from '@/app/_server/uploads/reimport-upload'
import { respondJson, route } from '@/app/_server/http/respond'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string; upload: string }

export const POST = route<Params>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  const runs = await reimportUpload(viewer, project.id, params.upload)
  return respondJson({ runs: runs.map((run) => ({ id: run.id, url: `/p/${project.slug}/runs/${run.id}` })) })
})
