import type { SessionRow } from '../../../lib/account/account'
import { NotFoundError } from '../../../lib/errors'
import { clipText, storableText } from '../../../lib/text'
import type { Viewer } from '../../../lib/viewer'
import { database } from '../../db'
import { isId, newId } from '../../rows/ids'
import { idleMs, liveSession } from '../../statements/accounts/live-session'
import { requireAccount } from '../../statements/accounts/owner'

/** Longest life of a session from its beginning. */
const lifeMs = 30 * 24 * 3_600_000

/** A browser that signs in. */
export interface NewSession {
  readonly accountId: string
  readonly tokenSha256: string
  readonly userAgent: string
  readonly address: string
}

/** Begins a session. The caller has checked the credentials. */
export async function createSession(session: NewSession, now: Date): Promise<void> {
  const userAgent = clipText(storableText(session.userAgent), 300)
  const expiresAt = new Date(now.getTime() + lifeMs)
  await database().session.create({
    data: { ...session, userAgent, id: newId(), createdAt: now, lastSeenAt: now, expiresAt },
  })
}

/** The viewer of a cookie's token; null when the session is unknown or over, or the account is disabled. */
export async function findSessionViewer(tokenSha256: string, now: Date): Promise<(Viewer & { kind: 'member' }) | null> {
  const found = await database().session.findUnique({
    where: { tokenSha256 },
    select: {
      ...{ id: true, expiresAt: true, lastSeenAt: true },
      account: { select: { id: true, name: true, isOwner: true, disabledAt: true } },
    },
  })
  if (found === null) return null
  const { id: accountId, name, isOwner, disabledAt } = found.account
  if (!(await liveSession({ ...found, disabledAt }, now))) return null
  return { kind: 'member', sessionId: found.id, accountId, name, isOwner }
}

/** The viewer's sessions, last seen first. Throws NotFoundError. */
export async function listSessions(viewer: Viewer, now: Date): Promise<readonly SessionRow[]> {
  const { accountId } = requireAccount(viewer)
  const own = viewer.kind === 'member' ? viewer.sessionId : null
  const found = await database().session.findMany({
    where: { accountId, expiresAt: { gt: now }, lastSeenAt: { gt: new Date(now.getTime() - idleMs) } },
    orderBy: [{ lastSeenAt: 'desc' }, { id: 'desc' }],
    take: 200,
  })
  return found.map(({ id, userAgent, address, createdAt, lastSeenAt, expiresAt }) => ({
    ...{ id, userAgent, address, isOwn: id === own },
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }))
}

/** Signs a session of the viewer out. Throws NotFoundError. */
export async function revokeSession(viewer: Viewer, sessionId: string): Promise<void> {
  const { accountId } = requireAccount(viewer)
  const { count } = isId(sessionId)
    ? await database().session.deleteMany({ where: { id: sessionId, accountId } })
    : { count: 0 }
  if (count === 0) throw new NotFoundError('Session')
}

/** Deletes sessions that are over. */
export async function sweepSessions(now: Date): Promise<void> {
  const idle = new Date(now.getTime() - idleMs)
  await database().session.deleteMany({ where: { OR: [{ expiresAt: { lte: now } }, { lastSeenAt: { lte: idle } }] } })
}
