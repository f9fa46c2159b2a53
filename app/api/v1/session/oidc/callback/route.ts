import { endOidc, noOidcCookie, oidcRefusalOf } from '@/app/_server/accounts/oidc'
import { beginSession, noteRefusal } from '@/app/_server/accounts/sign-in'
import { sessionCookie } from '@/app/_server/credentials/session-cookie'
import { respondSeeOther } from '@/app/_server/http/read-form'
import { openRoute } from '@/app/_server/http/route'
import { settings } from '@/app/_server/settings'
import { NotFoundError } from '@/lib/errors'

/** Where the provider redirects to. */
export const GET = openRoute(async (request) => {
  const { hasAccounts, oidc } = settings()
  if (!hasAccounts || oidc === null) throw new NotFoundError('Page')
  try {
    const end = await endOidc(oidc, request)
    if (end.kind === 'refused') {
      await noteRefusal(end.subject, request.headers)
      return respondSeeOther(`/sign-in?error=${end.code}`, { 'set-cookie': noOidcCookie })
    }
    const response = respondSeeOther(end.next)
    response.headers.append('set-cookie', noOidcCookie)
    response.headers.append('set-cookie', sessionCookie(await beginSession(end.account, request.headers)))
    return response
  } catch (error) {
    const { code, reason } = oidcRefusalOf(error)
    if (reason !== null) await noteRefusal({ reason }, request.headers)
    return respondSeeOther(`/sign-in?error=${code}`, { 'set-cookie': noOidcCookie })
  }
})
