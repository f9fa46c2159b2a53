import * as members from '@/prisma/queries/accounts/members'
import { memberSchema } from '../../accounts/schemas'
import { memberAnswer } from '../../answers/account-answers'
import { conflict, list, nothing, p } from '../operation'
import { projectOperation } from '../project-operation'

export const listMembers = projectOperation(
  {
    at: `GET ${p}/members`,
    summary: 'Members of a project',
    needs: 'read',
    answers: { 200: list('Members with their roles.', 'members', memberAnswer) },
  },
  async ({ project }) => ({ members: await members.listMembers(project) }),
)

export const setMemberRole = projectOperation(
  {
    at: `PATCH ${p}/members/[account]`,
    summary: 'Change the role of a member',
    needs: 'administer',
    audit: 'member.update',
    body: memberSchema,
    answers: nothing,
    problems: conflict,
  },
  async ({ project, params, body: { role }, note }) => {
    await members.setMemberRole(project, params.account, role)
    note({ role })
  },
)

export const removeMember = projectOperation(
  {
    at: `DELETE ${p}/members/[account]`,
    summary: 'Remove a member',
    needs: 'administer',
    audit: 'member.remove',
    answers: nothing,
    problems: conflict,
  },
  ({ project, params }) => members.removeMember(project, params.account),
)
