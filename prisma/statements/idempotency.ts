import { KeyReusedError } from '../../lib/errors'
import type { Db } from './access'

const dayMs = 86_400_000

/**
 * The upload that this key made within the last day; null: none, and the key is held for this transaction, so that a
 * second request with it waits. Throws KeyReusedError when it was used for other bytes.
 */
export async function findUploadOfKey(
  tx: Db,
  claim: { readonly projectId: string; readonly key: string; readonly sentSha256: string },
  now: Date,
): Promise<string | null> {
  const { projectId, key, sentSha256 } = claim
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`${projectId} key ${key}`}, 0))`
  await forgetKeys(tx, now, { projectId, idempotencyKey: key })
  const found = await tx.upload.findFirst({
    where: { projectId, idempotencyKey: key },
    select: { id: true, sentSha256: true },
  })
  if (found === null) return null
  if (found.sentSha256 !== sentSha256) throw new KeyReusedError(key)
  return found.id
}

/** Forgets keys that are older than a day. */
export async function forgetKeys(
  db: Db,
  now: Date,
  which: { readonly projectId?: string; readonly idempotencyKey?: string } = {},
): Promise<void> {
  await db.upload.updateMany({
    where: { idempotencyKey: { not: null }, ...which, createdAt: { lt: new Date(now.getTime() - dayMs) } },
    data: { idempotencyKey: null },
  })
}
