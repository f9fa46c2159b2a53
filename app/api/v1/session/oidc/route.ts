import { beginOidc, oidcRefusalOf } from '@/app/_server/accounts/oidc'
import { respondSeeOther, safeNext } from '@/app/_server/http/read-form'
import { openRoute } from '@/app/_server/http/route'
import { settings } from '@/app/_server/settings'
import { NotFoundError } from '@/lib/errors'

/** Redirects to the provider's sign-in. */
export const GET = openRoute(async (request) => {
  const { hasAccounts, oidc } = settings()
  if (!hasAccounts || oidc === null) throw new NotFoundError('Page')
  const { searchParams } = new URL(request.url)
  const invitation = searchParams.get('invitation')?.slice(0, 100) ?? null
  const next = safeNext(searchParams.get('next'))
  try {
    const { location, cookie } = await beginOidc(oidc, { next, invitation })
    return respondSeeOther(location, { 'set-cookie': cookie })
  } catch (error) {
    return respondSeeOther(`/sign-in?${new URLSearchParams({ error: oidcRefusalOf(error).code, next })}`)
  }
})
