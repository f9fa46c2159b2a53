import { noSessionCookie } from '@/app/_server/credentials/session-cookie'
import { isForm, respondSeeOther } from '@/app/_server/http/read-form'
import { mutation } from '@/app/_server/http/route'
import { revokeSession } from '@/prisma/queries/accounts/sessions'

/** Signs this browser out. */
export const POST = mutation('session.revoke', async (request, _params, viewer) => {
  await revokeSession(viewer, viewer.kind === 'member' ? viewer.sessionId : '')
  // The browser's stored pages go with the session; its preferences (theme, columns) stay.
  const headers = { 'set-cookie': noSessionCookie, 'clear-site-data': '"cache"' }
  if (isForm(request)) return respondSeeOther('/sign-in', headers)
  return new Response(null, { status: 204, headers })
})
