import { accountEditsSchema } from '@/app/_server/accounts/schemas'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { updateAccount } from '@/prisma/queries/accounts/accounts'

export const PATCH = mutation<{ account: string }>('account.update', async (request, { account }, viewer) => {
  const edits = await readJson(request, accountEditsSchema)
  return respondJson(await updateAccount(viewer, account, edits))
})
