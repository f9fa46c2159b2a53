import { signInSchema } from '@/app/_server/accounts/schemas'
import { sessionCookie } from '@/app/_server/credentials/session-cookie'
import { signIn, UnverifiedPasswordError } from '@/app/_server/accounts/sign-in'
import { isForm, readForm, respondSeeOther, safeNext } from '@/app/_server/http/read-form'
import { openRoute, requireAccounts } from '@/app/_server/http/route'
import type { SignInError } from '@/components/account/sign-in-form'
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
    const reason = isForm(request) ? reasonOf(error) : null
    if (reason === null) throw error
    return respondSeeOther(`/sign-in?${new URLSearchParams({ error: reason, next: safeNext(next) })}`)
  }
})

/** What the page says of it; null: a defect. */
function reasonOf(error: unknown): SignInError | null {
  if (error instanceof TooManyRequestsError) return 'often'
  if (error instanceof UnverifiedPasswordError) return 'unverified'
  return error instanceof UnauthenticatedError ? 'wrong' : null
}
