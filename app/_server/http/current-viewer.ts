import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { UnauthenticatedError } from '@/lib/errors'
import { localViewer, type Viewer } from '@/lib/viewer'
import { unlessFull } from '@/prisma/database-failure'
import { takePoint } from '@/prisma/queries/accounts/rate-limits'
import { findSessionViewer } from '@/prisma/queries/accounts/sessions'
import { findTokenViewer } from '@/prisma/queries/accounts/tokens'
import { isApiToken, sha256Of } from '../credentials/secret-token'
import { readSessionCookie } from '../credentials/session-cookie'
import { settings } from '../settings'
import { noteViewer } from '../observe/request-context'
import { noteKnown } from './anonymous-requests'

/** A viewer who may see nothing: what a link opens comes from its share alone. */
export const stranger: Viewer = { kind: 'share', runIds: [] }

const isFromShare = (own: Headers): boolean => own.get('x-tailboard-share') === '1'

/** Whether this request is for a shared page or file: these are drawn for a stranger, even on this machine. */
export async function isShareRequest(): Promise<boolean> {
  return isFromShare(await headers())
}

/**
 * The viewer of a request: from its token, else from its session; without accounts, the person on this machine. Throws
 * UnauthenticatedError when it names none, or one that is no longer known; TooManyRequestsError for a token that asks
 * too often.
 */
export async function viewerOf(own: Headers): Promise<Viewer> {
  if (isFromShare(own)) return stranger
  if (!settings().hasAccounts) return localViewer
  const authorization = own.get('authorization')
  if (authorization !== null) {
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
    const found = isApiToken(token) ? await findTokenViewer(sha256Of(token), new Date()) : null
    if (found === null) throw new UnauthenticatedError('The token is not valid: unknown, expired or revoked.')
    noteKnown(own)
    noteViewer(found)
    await countRequests(found, 1)
    return found
  }
  return (await signedIn(own)) ?? notSignedIn()
}

/** Counts requests of a token; people are not counted. Throws TooManyRequestsError when that was one too many. */
export async function countRequests(viewer: Viewer, count: number): Promise<void> {
  if (viewer.kind !== 'token') return
  const { requestsPerMinute: points } = settings().tokenLimits
  await unlessFull(() => takePoint({ name: 'token requests', points, seconds: 60 }, viewer.tokenId, count))
}

/** The person signed in with a browser; null: none. */
export async function signedIn(own: Headers): Promise<(Viewer & { kind: 'member' }) | null> {
  const secret = readSessionCookie(own.get('cookie'))
  const found = secret === null ? null : await findSessionViewer(sha256Of(secret), new Date())
  // With a token beside it, the cookie does not identify the request.
  if (found !== null && own.get('authorization') === null) noteKnown(own)
  if (found !== null) noteViewer(found)
  return found
}

function notSignedIn(): never {
  throw new UnauthenticatedError('Sign in, or send a token: Authorization: Bearer tailboard_…')
}

/**
 * The viewer a page is drawn for, read once per request; null: not signed in. Tokens are for the API: they open no
 * page.
 */
export const frameViewer = cache(async (): Promise<Viewer | null> => {
  const own = await headers()
  if (isFromShare(own)) return stranger
  return settings().hasAccounts ? signedIn(own) : localViewer
})

/** The viewer of a page. Without a signed-in person, redirects to the sign-in page, and from there back. */
export async function currentViewer(): Promise<Viewer> {
  const next = (await headers()).get('x-tailboard-url') ?? '/'
  return (await frameViewer()) ?? redirect(`/sign-in?next=${encodeURIComponent(next)}`)
}
