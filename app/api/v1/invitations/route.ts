import { invite } from '@/app/_server/accounts/invite'
import { invitationSchema } from '@/app/_server/accounts/schemas'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation, noteSubject, route } from '@/app/_server/http/route'
import { listInvitations } from '@/prisma/queries/accounts/invitations'

export const GET = route(async (_request, _params, viewer) =>
  respondJson({ invitations: await listInvitations(viewer, null, new Date()) }),
)

export const POST = mutation('invitation.create', async (request, _params, viewer) => {
  const { email, isOwner } = await readJson(request, invitationSchema)
  const made = await invite(viewer, { email, into: { isOwner } }, new Date())
  noteSubject(request, {
    invitation: made.id,
    role: isOwner ? 'owner' : 'account',
    ...(email === null ? {} : { email }),
  })
  return respondJson(made, 201)
})
