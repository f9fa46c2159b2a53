import { UnauthenticatedError } from '../../../lib/errors'
import type { Viewer } from '../../../lib/viewer'
import type { Db } from '../access'

/** The token that makes something. */
interface MakingToken {
  readonly id: string
  readonly name: string
  /** Null: it does not expire. */
  readonly expiresAt: Date | null
}

/**
 * The token that makes something in this transaction, which cannot be revoked meanwhile; null: a person makes it.
 * Throws UnauthenticatedError when it has ended by now.
 */
export async function makingToken(tx: Db, viewer: Viewer, now: Date): Promise<MakingToken | null> {
  if (viewer.kind !== 'token') return null
  await lockTokens(tx, viewer.accountId)
  const found = await tx.apiToken.findFirst({
    where: { id: viewer.tokenId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    select: { id: true, name: true, expiresAt: true },
  })
  if (found === null) throw new UnauthenticatedError('The token is not valid: unknown, expired or revoked.')
  return found
}

/** The earlier of two ends; null: none. */
export function earlierEnd<End extends Date | null>(end: End, limit: Date | null): End | Date {
  return limit === null || (end !== null && end <= limit) ? end : limit
}

/**
 * Makes and revokes tokens of an account one after the other: what a token makes exists before it is revoked, or never.
 */
export async function lockTokens(tx: Db, accountId: string): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM account WHERE id = ${accountId} FOR UPDATE`
}

/** Revokes tokens of an account with all that they made: tokens at any depth, and invitations not accepted yet. */
export async function revokeTokens(tx: Db, accountId: string, ids: readonly string[], now: Date): Promise<void> {
  await lockTokens(tx, accountId)
  const taken = [...ids]
  for (let made = taken; made.length > 0;) {
    const found = await tx.apiToken.findMany({
      where: { accountId, parentId: { in: made }, id: { notIn: taken } },
      select: { id: true },
    })
    made = found.map(({ id }) => id)
    taken.push(...made)
  }
  await tx.apiToken.updateMany({ where: { accountId, id: { in: taken }, revokedAt: null }, data: { revokedAt: now } })
  await tx.invitation.deleteMany({ where: { tokenId: { in: taken }, acceptedAt: null } })
}
