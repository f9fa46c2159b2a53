import { respondNothing } from '@/app/_server/http/respond'
import { mutation } from '@/app/_server/http/route'
import { unlinkSubject } from '@/prisma/queries/accounts/accounts'

export const DELETE = mutation<{ account: string }>('account.unlink', async (_request, { account }, viewer) => {
  await unlinkSubject(viewer, account)
  return respondNothing()
})
