import { accept } from '@/app/_server/accounts/accept-invitation'
import { acceptSchema } from '@/app/_server/accounts/schemas'
import { sessionCookie } from '@/app/_server/credentials/session-cookie'
import { isForm, readForm, respondSeeOther } from '@/app/_server/http/read-form'
import { respondJson } from '@/app/_server/http/respond'
import { openRoute, requireAccounts } from '@/app/_server/http/route'
import { ConflictError, InvalidInputError, TooManyRequestsError } from '@/lib/errors'

/** Accepts an invitation. A form is redirected to the project, or back with the reason. */
export const POST = openRoute(async (request) => {
  requireAccounts()
  const input = await readForm(request, acceptSchema)
  try {
    const { path, secret } = await accept(input, request.headers)
    const headers = secret === null ? {} : { 'set-cookie': sessionCookie(secret) }
    if (isForm(request)) return respondSeeOther(path, headers)
    const response = respondJson({ url: path })
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    return response
  } catch (error) {
    const isExpected =
      error instanceof InvalidInputError || error instanceof ConflictError || error instanceof TooManyRequestsError
    if (!isForm(request) || !isExpected) throw error
    const query = new URLSearchParams({ error: error.message, name: input.name ?? '', email: input.email ?? '' })
    return respondSeeOther(`/invitations/${encodeURIComponent(input.token)}?${query}`)
  }
})
