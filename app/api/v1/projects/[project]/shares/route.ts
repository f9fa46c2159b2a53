import { makeShare, shareSchema } from '@/app/_server/sharing/make-share'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation, route } from '@/app/_server/http/route'
import { getProject } from '@/prisma/queries/projects'
import { listShares } from '@/prisma/queries/shares'

type Params = { project: string }

export const GET = route<Params>(async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson({ shares: await listShares(viewer, project.id) })
})

export const POST = mutation<Params>('share.create', async (request, params, viewer) => {
  const wanted = await readJson(request, shareSchema)
  const project = await getProject(viewer, params.project, 'edit')
  return respondJson(await makeShare(viewer, project.id, wanted, request.headers), 201)
})
