import { channelEditsSchema } from '@/app/_server/alerts/make-channel'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, respondNothing } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { deleteChannel, updateChannel } from '@/prisma/queries/channels'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string; channel: string }

export const PATCH = mutation<Params>('channel.update', async (request, params, viewer) => {
  const edits = await readJson(request, channelEditsSchema)
  const project = await getProject(viewer, params.project)
  const place = { projectId: project.id, channelId: params.channel }
  return respondJson(await updateChannel(viewer, { ...place, ...edits }, new Date()))
})

export const DELETE = mutation<Params>('channel.delete', async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  await deleteChannel(viewer, project.id, params.channel)
  return respondNothing()
})
