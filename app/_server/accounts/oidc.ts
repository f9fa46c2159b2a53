import * as oidc from 'openid-client'
import { z } from 'zod'
import { ConflictError, InvalidInputError, NotFoundError, UnauthenticatedError } from '@/lib/errors'
import {
  findAccountByEmail,
  findAccountBySubject,
  linkSubject,
  type SignInAccount,
} from '@/prisma/queries/accounts/accounts'
import { addAuditEntry } from '@/prisma/queries/accounts/audit'
import { acceptInvitation, findInvitation } from '@/prisma/queries/accounts/invitations'
import { isSealed, readChannelKey, seal, unseal } from '../alerts/channel-seal'
import { problemOf } from '../http/respond'
import { clientOf } from '../http/route'
import { sha256Of } from '../credentials/secret-token'
import { settings, type OidcSettings } from '../settings'
import { log } from '../observe/log'

const cookieName = '__Host-tailboard-oidc'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'
const lifeMs = 10 * 60_000
const sealedFor = 'openid connect'

/** State of a sign-in at the provider, sealed in a cookie so that any instance can finish it. */
const begunSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  /** Secret of the invitation that this sign-in accepts; null: none. */
  invitation: z.string().nullable(),
  untilMs: z.number(),
})

const redirectUri = (): string => `${settings().appUrl}/api/v1/session/oidc/callback`

async function configuration({ issuer, clientId, clientSecret }: OidcSettings): Promise<oidc.Configuration> {
  const url = new URL(issuer)
  // http is allowed for loopback addresses only: settings.ts.
  const options = url.protocol === 'http:' ? { execute: [oidc.allowInsecureRequests] } : {}
  try {
    const found = await oidc.discovery(url, clientId, clientSecret, undefined, { timeout: 10, ...options })
    // Checks the signature of the ID token, beyond the certificate of the host that sent it.
    oidc.enableNonRepudiationChecks(found)
    return found
  } catch (cause) {
    throw new ProviderAwayError('The single sign-on provider does not respond', { cause })
  }
}

class ProviderAwayError extends Error {}

/** Why a sign-in did not succeed. */
interface OidcRefusal {
  /** Its code on the sign-in page. */
  readonly code: 'away' | 'provider'
  /** For the audit log, without any text from the request or the provider; null: no sign-in was refused. */
  readonly reason: string | null
}

/** Reads a failure of the provider. Defects of ours are logged as such. */
export function oidcRefusalOf(error: unknown): OidcRefusal {
  const isAway = error instanceof ProviderAwayError
  const reason = reasonOf(error)
  if (isAway || (reason !== null && error instanceof Error)) {
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
    log('warn', `Sign-in refused: ${error.message}${cause}`)
  } else problemOf(error)
  return { code: isAway ? 'away' : 'provider', reason: isAway ? null : (reason ?? 'an error of this server') }
}

function reasonOf(error: unknown): string | null {
  if (error instanceof UnauthenticatedError) return sentenceless(error.message)
  // The invitation no longer holds, is for another address, or its address already has an account.
  if (error instanceof NotFoundError || error instanceof InvalidInputError || error instanceof ConflictError)
    return 'the invitation is not valid for that identity'
  if (error instanceof oidc.AuthorizationResponseError) return 'refused by the provider'
  if (error instanceof oidc.ResponseBodyError) return 'the provider rejected the code'
  if (error instanceof oidc.WWWAuthenticateChallengeError) return 'the provider did not state who it is'
  if (!(error instanceof oidc.ClientError)) return null
  const { message } = error.cause instanceof Error ? error.cause : error
  return checks.find(([pattern]) => pattern.test(message))?.[1] ?? 'the response of the provider is not valid'
}

/** What the library found wrong, in our words: its own message may quote the request. */
const checks: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/"state"/, 'wrong state'],
  [/"nonce"/, 'wrong nonce'],
  [/signature|applicable key/, 'wrong signature'],
]

const sentenceless = (message: string): string =>
  `${message.charAt(0).toLowerCase()}${message.slice(1).replace(/\.$/, '')}`

/** The provider's sign-in address, and the cookie needed on the way back. */
export async function beginOidc(
  provider: OidcSettings,
  { next, invitation }: { readonly next: string; readonly invitation: string | null },
): Promise<{ readonly location: string; readonly cookie: string }> {
  const config = await configuration(provider)
  const verifier = oidc.randomPKCECodeVerifier()
  const begun = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier, next, invitation }
  const location = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri(),
    scope: 'openid email profile',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...{ state: begun.state, nonce: begun.nonce },
  }).href
  const text = JSON.stringify({ ...begun, untilMs: Date.now() + lifeMs })
  const sealed = seal(text, sealedFor, await readChannelKey(settings()))
  return { location, cookie: `${cookieName}=${encodeURIComponent(sealed)}; Max-Age=${lifeMs / 1_000}; ${attributes}` }
}

/** The header that makes a browser drop the cookie of `beginOidc`. */
export const noOidcCookie = `${cookieName}=; Max-Age=0; ${attributes}`

async function readBegun(headers: Headers): Promise<z.infer<typeof begunSchema>> {
  const pair = (headers.get('cookie') ?? '').split(/; */).find((one) => one.startsWith(`${cookieName}=`))
  if (pair === undefined) throw new UnauthenticatedError('The sign-in was not started in this browser.')
  const begun = begunSchema.parse(JSON.parse(await openBegun(pair.slice(cookieName.length + 1))))
  if (begun.untilMs < Date.now()) throw new UnauthenticatedError('The sign-in took longer than ten minutes.')
  return begun
}

async function openBegun(cookie: string): Promise<string> {
  const key = await readChannelKey(settings())
  try {
    const sealed = decodeURIComponent(cookie)
    // `unseal` returns unsealed text unchanged.
    if (isSealed(sealed)) return unseal(sealed, sealedFor, key)
  } catch (error) {
    if (!(error instanceof InvalidInputError || error instanceof URIError)) throw error
  }
  throw new UnauthenticatedError('The sign-in was not started here: its cookie cannot be read.')
}

type OidcEnd =
  | { readonly kind: 'known'; readonly account: Pick<SignInAccount, 'id'>; readonly next: string }
  | {
      readonly kind: 'refused'
      /** Its code on the sign-in page. */
      readonly code: 'unknown' | 'linked'
      /** For the audit log. */
      readonly subject: Readonly<Record<string, string>>
    }

/** A provider's claims about a subject; a claim in another form counts as absent. */
const profileSchema = z.object({
  email: z.email().optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
})

/**
 * Ends what `beginOidc` began: the account, and where to go next. The account is found by its subject; else by a
 * verified e-mail address, which links an account that has no subject of this issuer yet; else it is made by the
 * invitation that the sign-in began with. Throws UnauthenticatedError.
 */
export async function endOidc(provider: OidcSettings, request: Request): Promise<OidcEnd> {
  const begun = await readBegun(request.headers)
  const config = await configuration(provider)
  // Behind a proxy, the request's origin differs from the one the provider was given.
  const url = new URL(redirectUri())
  url.search = new URL(request.url).search
  const tokens = await oidc.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: begun.verifier,
    expectedState: begun.state,
    expectedNonce: begun.nonce,
  })
  const subject = tokens.claims()?.sub
  if (subject === undefined) throw new UnauthenticatedError('The provider named no subject.')
  const profile = profileSchema.parse(await oidc.fetchUserInfo(config, tokens.access_token, subject))
  const issuer = config.serverMetadata().issuer
  const known = await findAccountBySubject(issuer, subject)
  const email = profile.email_verified === true ? profile.email : undefined
  if (known !== null) return { kind: 'known', account: known, next: begun.next }
  const refused = (code: 'unknown' | 'linked', reason: string): OidcEnd => ({
    ...{ kind: 'refused', code },
    subject: { reason, ...(profile.email === undefined ? {} : { email: profile.email.slice(0, 254) }) },
  })
  const unknown = (reason: string) => refused('unknown', reason)
  const found = email === undefined ? null : await findAccountByEmail(email)
  if (found !== null)
    return (await linkByEmail(found, issuer, subject, request.headers))
      ? { kind: 'known', account: found, next: begun.next }
      : refused('linked', 'the account is linked with another identity')
  if (email === undefined) return unknown('the provider has not verified the e-mail address')
  if (begun.invitation === null) return unknown('no account and no invitation')
  const tokenSha256 = sha256Of(begun.invitation)
  const invitation = await findInvitation(tokenSha256, null, new Date())
  if (invitation === null) return unknown('no account, and the invitation is no longer valid')
  const name = profile.name ?? email
  const invited = { kind: 'new', email, name, passwordHash: null, subject: { issuer, subject } } as const
  const id = await acceptInvitation(tokenSha256, invited, new Date())
  return { kind: 'known', account: { id }, next: invitation.project === null ? '/' : `/p/${invitation.project.slug}` }
}

/** Whether the account is linked with the subject, now or by a concurrent sign-in. */
async function linkByEmail(
  { id: accountId, name, isOwner }: SignInAccount,
  issuer: string,
  subject: string,
  headers: Headers,
): Promise<boolean> {
  if (!(await linkSubject(accountId, issuer, subject)))
    return (await findAccountBySubject(issuer, subject))?.id === accountId
  const person = { kind: 'member', accountId, name, isOwner, sessionId: '' } as const
  await addAuditEntry(person, { action: 'account.link', slug: null, subject: {}, address: clientOf(headers) })
  return true
}
