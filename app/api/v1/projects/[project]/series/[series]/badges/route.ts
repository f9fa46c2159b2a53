import { badgeSchema, makeBadge } from '@/app/_server/sharing/make-badge'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation, route } from '@/app/_server/http/route'
import { listBadges } from '@/prisma/queries/badges'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string; series: string }

export const GET = route<Params>(async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson({ badges: await listBadges(viewer, project.id, params.series) })
})

export const POST = mutation<Params>('badge.create', async (request, params, viewer) => {
  const wanted = await readJson(request, badgeSchema)
  const project = await getProject(viewer, params.project)
  const where = { projectId: project.id, seriesId: params.series }
  return respondJson(await makeBadge(viewer, where, wanted, request.headers), 201)
})
