import { currentViewer } from '@/app/_server/http/current-viewer'
import { badgeSchema, makeBadge } from '@/app/_server/sharing/make-badge'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, route } from '@/app/_server/http/respond'
import { listBadges } from '@/prisma/queries/badges'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string; series: string }

export const GET = route<Params>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson({ badges: await listBadges(viewer, project.id, params.series) })
})

export const POST = route<Params>(async (request, params) => {
  const wanted = await readJson(request, badgeSchema)
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  const where = { projectId: project.id, seriesId: params.series }
  return respondJson(await makeBadge(viewer, where, wanted, request.headers), 201)
})
