import { accountEditsSchema } from '@/app/_server/accounts/schemas'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { clientOf, mutation } from '@/app/_server/http/route'
import { addAuditEntry } from '@/prisma/queries/accounts/audit'
import { updateAccount } from '@/prisma/queries/accounts/accounts'

export const PATCH = mutation<{ account: string }>('account.update', async (request, { account }, viewer) => {
  const edits = await readJson(request, accountEditsSchema)
  const { account: changed, handedOver } = await updateAccount(viewer, account, edits)
  const address = clientOf(request.headers)
  if (viewer.kind === 'member' || viewer.kind === 'token')
    for (const slug of handedOver)
      await addAuditEntry(viewer, {
        ...{ action: 'member.update', slug, address },
        subject: { account: viewer.accountId, role: 'admin' },
      })
  return respondJson(changed)
})
