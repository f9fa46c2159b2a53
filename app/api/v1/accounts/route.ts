import { respondJson } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { listAccounts } from '@/prisma/queries/accounts/accounts'

export const GET = route(async (_request, _params, viewer) => respondJson({ accounts: await listAccounts(viewer) }))
