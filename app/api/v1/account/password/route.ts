import { changePassword } from '@/app/_server/accounts/change-password'
import { passwordSchema } from '@/app/_server/accounts/schemas'
import { readJson } from '@/app/_server/http/read-json'
import { respondNothing } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'

export const PUT = mutation('account.set-password', async (request, _params, viewer) => {
  const { current, password } = await readJson(request, passwordSchema)
  await changePassword(viewer, current, password)
  return respondNothing()
})
