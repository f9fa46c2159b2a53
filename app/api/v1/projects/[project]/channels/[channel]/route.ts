import { z } from 'zod'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, respondNothing } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { deleteChannel, updateChannel } from '@/prisma/queries/channels'
import { getProject } from '@/prisma/queries/projects'

const editsSchema = z.strictObject({
  name: z.string().trim().min(1).max(200).optional(),
  isEnabled: z.boolean().optional(),
})

type Params = { project: string; channel: string }

export const PATCH = mutation<Params>('channel.update', async (request, params, viewer) => {
  const edits = await readJson(request, editsSchema)
  const project = await getProject(viewer, params.project)
  const place = { projectId: project.id, channelId: params.channel }
  return respondJson(await updateChannel(viewer, { ...place, ...edits }, new Date()))
})

export const DELETE = mutation<Params>('channel.delete', async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  await deleteChannel(viewer, project.id, params.channel)
  return respondNothing()
})
