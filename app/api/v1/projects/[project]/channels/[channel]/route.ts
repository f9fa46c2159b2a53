import { z } from 'zod'
import { currentViewer } from '@/app/_server/http/current-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson, respondNothing, route } from '@/app/_server/http/respond'
import { deleteChannel, updateChannel } from '@/prisma/queries/channels'
import { getProject } from '@/prisma/queries/projects'

const editsSchema = z.strictObject({
  name: z.string().trim().min(1).max(200).optional(),
  isEnabled: z.boolean().optional(),
})

type Params = { project: string; channel: string }

export const PATCH = route<Params>(async (request, params) => {
  const edits = await readJson(request, editsSchema)
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  const place = { projectId: project.id, channelId: params.channel }
  return respondJson(await updateChannel(viewer, { ...place, ...edits }, new Date()))
})

export const DELETE = route<Params>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  await deleteChannel(viewer, project.id, params.channel)
  return respondNothing()
})
