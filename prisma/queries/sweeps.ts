import { database } from '../db'
import { forgetKeys } from '../rows/idempotency'
import { foldChanges } from '../rows/term-counts'

// Housekeeping of the whole installation: called by the server itself, for nobody in particular.

/** Throws away the drafts that are older, of all projects. Returns how many. */
export async function sweepDrafts(olderThan: Date): Promise<number> {
  const { count } = await database().upload.deleteMany({ where: { state: 'draft', createdAt: { lt: olderThan } } })
  return count
}

/** Addresses of all raw files that some upload needs, drafts and trashed ones included. */
export async function listStoredSha256(): Promise<readonly string[]> {
  const found = await database().upload.findMany({ distinct: ['storedSha256'], select: { storedSha256: true } })
  return found.map((upload) => upload.storedSha256)
}

/** Forgets the `Idempotency-Key`s of requests that are older than a day. */
export async function sweepIdempotencyKeys(now: Date): Promise<void> {
  await forgetKeys(database(), now)
}

/** Adds the noted changes up in the counts of terms, some at a time, until none is left. Several may do so at once. */
export async function foldTermCounts(): Promise<void> {
  while ((await foldChanges(database())) > 0) continue
}
