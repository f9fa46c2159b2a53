import { invite } from '@/app/_server/accounts/invite'
import { projectInvitationSchema } from '@/app/_server/accounts/schemas'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation, noteSubject, route } from '@/app/_server/http/route'
import { listInvitations } from '@/prisma/queries/accounts/invitations'
import { getProject } from '@/prisma/queries/projects'

type Params = { project: string }

export const GET = route<Params>(async (_request, params, viewer) => {
  const project = await getProject(viewer, params.project)
  return respondJson({ invitations: await listInvitations(viewer, project.id, new Date()) })
})

export const POST = mutation<Params>('invitation.create', async (request, params, viewer) => {
  const { email, role } = await readJson(request, projectInvitationSchema)
  const project = await getProject(viewer, params.project)
  const made = await invite(viewer, { email, into: { projectId: project.id, role } }, new Date())
  noteSubject(request, { invitation: made.id, role, ...(email === null ? {} : { email }) })
  return respondJson(made, 201)
})
