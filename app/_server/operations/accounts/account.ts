import * as accounts from '@/prisma/queries/accounts/accounts'
import * as sessions from '@/prisma/queries/accounts/sessions'
import { addAuditEntry } from '@/prisma/queries/accounts/audit'
import { changePassword } from '../../accounts/change-password'
import { accountNameSchema, passwordSchema } from '../../accounts/schemas'
import { accountAnswer, sessionAnswer } from '../../answers/account-answers'
import { clientOf } from '../../http/route'
import { json, list, nothing } from '../operation'
import { operation } from '../project-operation'

export const getAccount = operation(
  {
    at: 'GET /api/v1/account',
    summary: 'Own account',
    needs: 'account',
    answers: { 200: json('The account.', accountAnswer) },
  },
  ({ viewer }) => accounts.getOwnAccount(viewer),
)

export const renameAccount = operation(
  {
    at: 'PATCH /api/v1/account',
    summary: 'Rename your own account',
    needs: 'account',
    audit: 'account.update',
    body: accountNameSchema,
    answers: { 200: json('The account.', accountAnswer) },
  },
  ({ viewer, body }) => accounts.renameOwnAccount(viewer, body.name),
)

export const setPassword = operation(
  {
    at: 'PUT /api/v1/account/password',
    summary:
      'Change your own password; ends other sessions unless `signOutElsewhere` is false, and revokes the tokens in `revokeTokens`',
    needs: 'account',
    audit: 'account.set-password',
    body: passwordSchema,
    answers: nothing,
  },
  async ({ viewer, body, request }) => {
    const { current, password, signOutElsewhere = true, revokeTokens = [] } = body
    await changePassword(viewer, current, password, { signsOutElsewhere: signOutElsewhere, tokenIds: revokeTokens })
    for (const token of revokeTokens)
      await addAuditEntry(viewer, {
        ...{ action: 'token.revoke', slug: null, subject: { token } },
        address: clientOf(request.headers),
      })
  },
)

export const listSessions = operation(
  {
    at: 'GET /api/v1/account/sessions',
    summary: 'Own sessions',
    needs: 'account',
    answers: { 200: list('Sessions that have not ended.', 'sessions', sessionAnswer) },
  },
  async ({ viewer }) => ({ sessions: await sessions.listSessions(viewer, new Date()) }),
)

export const endSession = operation(
  {
    at: 'DELETE /api/v1/account/sessions/[session]',
    summary: 'End a session',
    needs: 'account',
    audit: 'session.revoke',
    answers: nothing,
  },
  ({ viewer, params }) => sessions.revokeSession(viewer, params.session),
)
