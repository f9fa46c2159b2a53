import { channelSchema, makeChannel } from '@/app/_server/alerts/make-channel'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation, route } from '@/app/_server/http/route'
import { listChannels } from '@/prisma/queries/channels'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string }

export const GET = route<Params>(async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson({ channels: await listChannels(viewer, project.id) })
})

export const POST = mutation<Params>('channel.create', async (request, params, viewer) => {
  const wanted = await readJson(request, channelSchema)
  const project = await getProject(viewer, params.project, 'administer')
  return respondJson(await makeChannel(viewer, project.id, wanted), 201)
})
