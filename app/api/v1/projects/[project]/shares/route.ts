import { currentViewer } from '@/app/_server/http/current-viewer'
import { makeShare, shareSchema } from '@/app/_server/sharing/make-share'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, route } from '@/app/_server/http/respond'
import { getProject } from '@/prisma/queries/projects'
import { listShares } from '@/prisma/queries/shares'

type Params = { project: string }

export const GET = route<Params>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson({ shares: await listShares(viewer, project.id) })
})

export const POST = route<Params>(async (request, params) => {
  const wanted = await readJson(request, shareSchema)
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson(await makeShare(viewer, project.id, wanted, request.headers), 201)
})
