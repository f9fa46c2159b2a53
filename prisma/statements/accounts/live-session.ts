import { database } from '../../db'
import { writeLater } from '../commit-later'

const day = 24 * 3_600_000
/** Longest life of a session from its last request. */
export const idleMs = 7 * day
/** Precision of the time of the last request. */
const seenEveryMs = 5 * 60_000

/** What decides whether a session is one. */
interface SessionState {
  readonly id: string
  readonly expiresAt: Date
  readonly lastSeenAt: Date
  /** Of its account. */
  readonly disabledAt: Date | null
}

/** False: the session is over, or its account is disabled. Notes that a request came with it. */
export async function liveSession(
  { id, expiresAt, lastSeenAt, disabledAt }: SessionState,
  now: Date,
): Promise<boolean> {
  const idleSinceMs = now.getTime() - lastSeenAt.getTime()
  if (disabledAt !== null || expiresAt <= now || idleSinceMs >= idleMs) return false
  if (idleSinceMs >= seenEveryMs)
    await writeLater(database(), (tx) => tx.session.updateMany({ where: { id }, data: { lastSeenAt: now } }))
  return true
}
