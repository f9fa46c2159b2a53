import { accountNameSchema } from '@/app/_server/accounts/schemas'
import { readJson } from '@/app/_server/http/read-json'
import { respondJson } from '@/app/_server/http/respond'
import { mutation, route } from '@/app/_server/http/route'
import { getOwnAccount, renameOwnAccount } from '@/prisma/queries/accounts/accounts'

export const GET = route(async (_request, _params, viewer) => respondJson(await getOwnAccount(viewer)))

export const PATCH = mutation('account.update', async (request, _params, viewer) => {
  const { name } = await readJson(request, accountNameSchema)
  return respondJson(await renameOwnAccount(viewer, name))
})
