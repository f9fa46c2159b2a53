import { currentViewer } from '@/app/_server/http/current-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, route } from '@/app/_server/http/respond'
import { sharePatchSchema } from '@/app/_server/sharing/make-share'
import { getProject } from '@/prisma/queries/projects'
import { revokeShare, setShareEmbeddable } from '@/prisma/queries/shares'

type Params = { project: string; share: string }

export const PATCH = route<Params>(async (request, params) => {
  const { embeddable } = await readJson(request, sharePatchSchema)
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson(await setShareEmbeddable(viewer, project.id, params.share, embeddable))
})

export const DELETE = route<Params>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson(await revokeShare(viewer, project.id, params.share, new Date()))
})
