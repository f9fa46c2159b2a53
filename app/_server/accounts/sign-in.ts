import { normalEmail, unverifiedPassword } from '@/lib/account/account'
import { TooManyRequestsError, UnauthenticatedError } from '@/lib/errors'
import type { Viewer } from '@/lib/viewer'
import { findAccountByEmail, hasPasswordHash, type SignInAccount } from '@/prisma/queries/accounts/accounts'
import { addAuditEntry } from '@/prisma/queries/accounts/audit'
import { takePoint } from '@/prisma/queries/accounts/rate-limits'
import { createSession, findSessionViewer } from '@/prisma/queries/accounts/sessions'
import { clientOf } from '../http/route'
import { stranger } from '../http/request-viewer'
import { log } from '../observe/log'
import { isPassword } from './password'
import { argon2Prefix, hasArgon2, NoArgon2Error } from './password-hash'
import { makeSecret, sha256Of } from '../credentials/secret-token'

const perAddress = { name: 'sign-in address', points: 32, seconds: 60 }
const perAccount = [
  { name: 'sign-in account minute', points: 5, seconds: 60 },
  { name: 'sign-in account hour', points: 20, seconds: 3_600 },
]

/** Refusals beyond this are not recorded: strangers must not fill the audit log. */
const noted = {
  ofAddress: { name: 'refused sign-ins of an address', points: 32, seconds: 60 },
  ofAll: { name: 'refused sign-ins', points: 10_000, seconds: 86_400 },
}

/** Records a refused sign-in. `subject`: what is known about it, never a secret. */
export async function noteRefusal(subject: Readonly<Record<string, string>>, headers: Headers): Promise<void> {
  const address = clientOf(headers)
  try {
    await takePoint(noted.ofAddress, address)
    await takePoint(noted.ofAll, '')
  } catch (error) {
    if (error instanceof TooManyRequestsError) return
    throw error
  }
  await addAuditEntry(stranger, { action: 'session.refuse', slug: null, subject, address })
}

/** No sign-in, perhaps because some passwords cannot be verified here. */
export class UnverifiedPasswordError extends UnauthenticatedError {
  constructor() {
    super(unverifiedPassword)
  }
}

/**
 * Signs in with e-mail address and password; returns the secret for the cookie. Unknown address, wrong password and
 * disabled account are one error, after the same work; where passwords are stored that cannot be verified here, theirs,
 * too, is that error, for all an UnverifiedPasswordError. Throws UnauthenticatedError, TooManyRequestsError.
 */
export async function signIn(email: string, password: string, headers: Headers): Promise<string> {
  const address = clientOf(headers)
  await takePoint(perAddress, address)
  for (const limit of perAccount) await takePoint(limit, normalEmail(email))
  const account = await findAccountByEmail(email)
  const isRight = await isPassword(password, account?.passwordHash ?? null).catch((error: unknown) => {
    if (!(error instanceof NoArgon2Error)) throw error
    log('error', `Account ${account?.id ?? ''} could not sign in. ${error.message}`)
    return false
  })
  if (account === null || !isRight) {
    await noteRefusal({ email: email.slice(0, 254) }, headers)
    if (!(await hasArgon2()) && (await hasPasswordHash(argon2Prefix))) throw new UnverifiedPasswordError()
    throw new UnauthenticatedError('The e-mail address or the password is wrong.')
  }
  return beginSession(account, headers)
}

/** Begins a session of a verified account; returns the secret for the cookie. */
export async function beginSession({ id: accountId }: Pick<SignInAccount, 'id'>, headers: Headers): Promise<string> {
  const secret = makeSecret()
  const tokenSha256 = sha256Of(secret)
  const now = new Date()
  const address = clientOf(headers)
  await createSession({ accountId, tokenSha256, address, userAgent: headers.get('user-agent') ?? '' }, now)
  const viewer: Viewer = (await findSessionViewer(tokenSha256, now)) ?? stranger
  await addAuditEntry(viewer, { action: 'session.create', slug: null, subject: {}, address })
  return secret
}
