import { ForbiddenError, InvalidInputError } from '@/lib/errors'
import type { Viewer } from '@/lib/viewer'
import {
  getOwnAccount,
  getOwnPasswordHash,
  setOwnPasswordHash,
  type EndsWithPassword,
} from '@/prisma/queries/accounts/accounts'
import { takePoint } from '@/prisma/queries/accounts/rate-limits'
import { hashPassword, isPassword } from './password'
import { NoArgon2Error } from './password-hash'

const perAccount = { name: 'password change', points: 5, seconds: 60 }

/**
 * Sets the password of the signed-in account, and ends what is chosen to end with the old one. `current` null: it has
 * none yet. Throws NotFoundError for a token to revoke, ForbiddenError for a token, InvalidInputError,
 * TooManyRequestsError.
 */
export async function changePassword(
  viewer: Viewer,
  current: string | null,
  password: string,
  ends: EndsWithPassword,
): Promise<void> {
  const account = await getOwnAccount(viewer)
  if (viewer.kind !== 'member') throw new ForbiddenError('Only its signed-in owner can change a password')
  await takePoint(perAccount, account.id)
  const before = await getOwnPasswordHash(viewer)
  const isRight = before === null || (await isPassword(current ?? '', before).catch(refuseUnverified))
  if (!isRight) throw new InvalidInputError('The current password is wrong.', { field: 'current' })
  await setOwnPasswordHash(viewer, await hashPassword(password, account.email), ends, new Date())
}

function refuseUnverified(error: unknown): never {
  if (!(error instanceof NoArgon2Error)) throw error
  throw new InvalidInputError(
    'This server cannot verify the current password: it was stored with argon2, which is not installed here.',
    { field: 'current', hint: 'Ask the operator of the server to install @node-rs/argon2, or for a new password.' },
  )
}
