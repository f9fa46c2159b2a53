import { respondJson } from '@/app/_server/http/respond'
import { route } from '@/app/_server/http/route'
import { listSessions } from '@/prisma/queries/accounts/sessions'

export const GET = route(async (_request, _params, viewer) =>
  respondJson({ sessions: await listSessions(viewer, new Date()) }),
)
