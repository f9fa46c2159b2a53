import { respondJson } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { listAuditEntries } from '@/prisma/queries/accounts/audit'

export const GET = route(async (request, _params, viewer) =>
  respondJson(await listAuditEntries(viewer, null, new URL(request.url).searchParams.get('before'))),
)
