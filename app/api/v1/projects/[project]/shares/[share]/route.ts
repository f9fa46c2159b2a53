import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { sharePatchSchema } from '@/app/_server/sharing/make-share'
import { getProject } from '@/prisma/queries/projects'
import { revokeShare, setShareEmbeddable } from '@/prisma/queries/shares'

type Params = { project: string; share: string }

export const PATCH = mutation<Params>('share.update', async (request, params, viewer) => {
  const { embeddable } = await readJson(request, sharePatchSchema)
  const project = await getProject(viewer, params.project)
  return respondJson(await setShareEmbeddable(viewer, project.id, params.share, embeddable))
})

export const DELETE = mutation<Params>('share.revoke', async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson(await revokeShare(viewer, project.id, params.share, new Date()))
})
