import { respondNothing } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { revokeBadge } from '@/prisma/queries/badges'
import { getProject } from '@/prisma/queries/projects'

export const DELETE = mutation<{ project: string; badge: string }>('badge.revoke', async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  await revokeBadge(viewer, project.id, params.badge, new Date())
  return respondNothing()
})
