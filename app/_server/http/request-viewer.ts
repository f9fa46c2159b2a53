import { UnauthenticatedError } from '@/lib/errors'
import { localViewer, type Viewer } from '@/lib/viewer'
import { takeCounted } from '@/prisma/queries/accounts/counted-limits'
import { findSessionViewer } from '@/prisma/queries/accounts/sessions'
import { findTokenViewer } from '@/prisma/queries/accounts/tokens'
import { shareReadings } from '@/prisma/statements/read-once'
import { isApiToken, sha256Of } from '../credentials/secret-token'
import { readSessionCookie } from '../credentials/session-cookie'
import { settings } from '../settings'
import { noteViewer } from '../observe/request-context'
import { noteKnown } from './anonymous-requests'

/** A viewer who may see nothing: what a link opens comes from its share alone. */
export const stranger: Viewer = { kind: 'share', runIds: [] }

/** Whether these headers are of a request for a shared page or file: the server says so. */
export const isFromShare = (own: Headers): boolean => own.get('x-tailboard-share') === '1'

/**
 * The viewer of a request: from its token, else from its session; without accounts, the person on this machine. Throws
 * UnauthenticatedError when it names none, or one that is no longer known; TooManyRequestsError for a token that asks
 * too often.
 */
export async function viewerOf(own: Headers): Promise<Viewer> {
  if (isFromShare(own)) return stranger
  if (!settings().hasAccounts) return newLocal()
  const authorization = own.get('authorization')
  if (authorization !== null) {
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
    const found = isApiToken(token) ? await findTokenViewer(sha256Of(token), new Date()) : null
    if (found === null) throw new UnauthenticatedError('The token is not valid: unknown, expired or revoked.')
    noteKnown(own)
    noteViewer(found)
    countRequests(found, 1)
    return shareReadings(found)
  }
  return (await signedIn(own)) ?? notSignedIn()
}

/** The person on this machine, of one request. */
const newLocal = (): Viewer => shareReadings({ ...localViewer })

/** Counts requests of a token; people are not counted. Throws TooManyRequestsError when that was one too many. */
export function countRequests(viewer: Viewer, count: number): void {
  if (viewer.kind !== 'token') return
  const { requestsPerMinute: points } = settings().tokenLimits
  takeCounted({ name: 'token requests', points, seconds: 60 }, viewer.tokenId, count)
}

/** The person signed in with a browser; null: none. */
export async function signedIn(own: Headers): Promise<(Viewer & { kind: 'member' }) | null> {
  const secret = readSessionCookie(own.get('cookie'))
  const found = secret === null ? null : await findSessionViewer(sha256Of(secret), new Date())
  if (found === null) return null
  noteSignedIn(own, found)
  return shareReadings(found)
}

/** The session in these headers is valid: the request is not anonymous, and the log names its account. */
export function noteSignedIn(own: Headers, viewer: Viewer & { readonly kind: 'member' }): void {
  // With a token beside it, the cookie does not identify the request.
  if (own.get('authorization') === null) noteKnown(own)
  noteViewer(viewer)
}

function notSignedIn(): never {
  throw new UnauthenticatedError('Sign in, or send a token: Authorization: Bearer tailboard_…')
}
