import * as accounts from '@/prisma/queries/accounts/accounts'
import { addAuditEntry } from '@/prisma/queries/accounts/audit'
import { accountEditsSchema } from '../../accounts/schemas'
import { accountAnswer } from '../../answers/account-answers'
import { clientOf } from '../../http/route'
import { conflict, json, list, nothing } from '../operation'
import { operation } from '../project-operation'

export const listAccounts = operation(
  {
    at: 'GET /api/v1/accounts',
    summary: 'All accounts',
    needs: 'owner',
    answers: { 200: list('Accounts of the installation.', 'accounts', accountAnswer) },
  },
  async ({ viewer }) => ({ accounts: await accounts.listAccounts(viewer) }),
)

export const updateAccount = operation(
  {
    at: 'PATCH /api/v1/accounts/[account]',
    summary: 'Enable or disable an account, or grant or remove ownership',
    needs: 'owner',
    audit: 'account.update',
    body: accountEditsSchema,
    answers: { 200: json('The account.', accountAnswer) },
    problems: conflict,
  },
  async ({ viewer, params, body, request }) => {
    const { account: changed, handedOver } = await accounts.updateAccount(viewer, params.account, body)
    const address = clientOf(request.headers)
    if (viewer.kind === 'member' || viewer.kind === 'token')
      for (const slug of handedOver)
        await addAuditEntry(viewer, {
          ...{ action: 'member.update', slug, address },
          subject: { account: viewer.accountId, role: 'admin' },
        })
    return changed
  },
)

export const unlinkAccount = operation(
  {
    at: 'DELETE /api/v1/accounts/[account]/oidc',
    summary: 'Unlink an account from its identity at the OpenID Connect provider; its sessions end',
    needs: 'owner',
    audit: 'account.unlink',
    answers: nothing,
  },
  ({ viewer, params }) => accounts.unlinkSubject(viewer, params.account),
)
