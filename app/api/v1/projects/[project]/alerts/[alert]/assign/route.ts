import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation, noteSubject, requireAccounts } from '@/app/_server/http/route'
import { assignSchema } from '@/app/_server/alerts/alert-schemas'
import { assignAlert } from '@/prisma/queries/alerts'
import { getProject } from '@/prisma/queries/projects'

export const POST = mutation<{ project: string; alert: string }>('alert.assign', async (request, params, viewer) => {
  requireAccounts()
  const { account: accountId } = await readJson(request, assignSchema)
  const project = await getProject(viewer, params.project)
  const alert = await assignAlert(viewer, { projectId: project.id, alertId: params.alert, accountId }, new Date())
  if (accountId !== null) noteSubject(request, { account: accountId })
  return respondJson(alert)
})
