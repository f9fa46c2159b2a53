import { currentViewer } from '@/app/_server/http/current-viewer'
import { channelSchema, makeChannel } from '@/app/_server/alerts/make-channel'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, route } from '@/app/_server/http/respond'
import { listChannels } from '@/prisma/queries/channels'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string }

export const GET = route<Params>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson({ channels: await listChannels(viewer, project.id) })
})

export const POST = route<Params>(async (request, params) => {
  const wanted = await readJson(request, channelSchema)
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  return respondJson(await makeChannel(viewer, project.id, wanted), 201)
})
