import * as invitations from '@/prisma/queries/accounts/invitations'
import { invite } from '../../accounts/invite'
import { invitationSchema, projectInvitationSchema } from '../../accounts/schemas'
import { invitationAnswer, madeInvitationAnswer } from '../../answers/account-answers'
import { conflict, json, list, nothing, p } from '../operation'
import { operation, projectOperation } from '../project-operation'

const listed = { 200: list('Invitations.', 'invitations', invitationAnswer) }
const invited = {
  201: json('The invitation. Only this response has its link, in `url`.', madeInvitationAnswer),
}

export const listInvitations = operation(
  {
    at: 'GET /api/v1/invitations',
    summary: 'Open invitations to the installation',
    needs: 'owner',
    answers: listed,
  },
  async ({ viewer }) => ({ invitations: await invitations.listInvitations(viewer, null, new Date()) }),
)

export const createInvitation = operation(
  {
    at: 'POST /api/v1/invitations',
    summary: 'Invite someone to the installation',
    needs: 'owner',
    audit: 'invitation.create',
    body: invitationSchema,
    answers: invited,
    problems: conflict,
  },
  async ({ viewer, body: { email, isOwner }, note }) => {
    const made = await invite(viewer, { email, into: { isOwner } }, new Date())
    note({ invitation: made.id, role: isOwner ? 'owner' : 'account', ...(email === null ? {} : { email }) })
    return made
  },
)

export const revokeInvitation = operation(
  {
    at: 'DELETE /api/v1/invitations/[invitation]',
    summary: 'Revoke an invitation',
    needs: 'owner',
    audit: 'invitation.revoke',
    answers: nothing,
  },
  ({ viewer, params }) => invitations.revokeInvitation(viewer, null, params.invitation),
)

export const listProjectInvitations = projectOperation(
  { at: `GET ${p}/invitations`, summary: 'Open invitations to a project', needs: 'administer', answers: listed },
  async ({ project }) => ({
    invitations: await invitations.listInvitations(project.viewer, project.id, new Date()),
  }),
)

export const createProjectInvitation = projectOperation(
  {
    at: `POST ${p}/invitations`,
    summary: 'Invite someone to a project',
    needs: 'administer',
    audit: 'invitation.create',
    body: projectInvitationSchema,
    answers: invited,
    problems: conflict,
  },
  async ({ project, body: { email, role }, note }) => {
    const made = await invite(project.viewer, { email, into: { projectId: project.id, role } }, new Date())
    note({ invitation: made.id, role, ...(email === null ? {} : { email }) })
    return made
  },
)

export const revokeProjectInvitation = projectOperation(
  {
    at: `DELETE ${p}/invitations/[invitation]`,
    summary: 'Revoke an invitation to a project',
    needs: 'administer',
    audit: 'invitation.revoke',
    answers: nothing,
  },
  ({ project, params }) => invitations.revokeInvitation(project.viewer, project.id, params.invitation),
)
