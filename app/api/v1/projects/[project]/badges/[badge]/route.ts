import { currentViewer } from '@/app/_server/http/current-viewer'
import { respondNothing, route } from '@/app/_server/http/respond'
import { revokeBadge } from '@/prisma/queries/badges'
import { getProject } from '@/prisma/queries/projects'

export const DELETE = route<{ project: string; badge: string }>(async (_request, params) => {
  const viewer = await currentViewer()
  const project = await getProject(viewer, params.project)
  await revokeBadge(viewer, project.id, params.badge, new Date())
  return respondNothing()
})
