import { signInSchema } from '@/app/_server/accounts/schemas'
import { sessionCookie } from '@/app/_server/credentials/session-cookie'
import { signIn } from '@/app/_server/accounts/sign-in'
import { isForm, readForm, respondSeeOther, safeNext } from '@/app/_server/http/read-form'
import { openRoute, requireAccounts } from '@/app/_server/http/route'
import { TooManyRequestsError, UnauthenticatedError } from '@/lib/errors'

/** Signs in. A form is redirected to the page it asked for, or back with the reason. */
export const POST = openRoute(async (request) => {
  requireAccounts()
  const { email, password, next } = await readForm(request, signInSchema)
  try {
    const cookie = { 'set-cookie': sessionCookie(await signIn(email, password, request.headers)) }
    if (isForm(request)) return respondSeeOther(safeNext(next), cookie)
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store', ...cookie } })
  } catch (error) {
    const reason = error instanceof TooManyRequestsError ? 'often' : 'wrong'
    if (!isForm(request) || !(error instanceof UnauthenticatedError || reason === 'often')) throw error
    return respondSeeOther(`/sign-in?${new URLSearchParams({ error: reason, next: safeNext(next) })}`)
  }
})
