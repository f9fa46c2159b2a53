import { database } from '../db'
import { destroyRuns, destroyUploads } from '../rows/destroy'
import { forgetKeys } from '../rows/idempotency'
import { releaseOldRaws, trashOldRuns } from '../rows/retention'
import { foldChanges } from '../search/term-counts'

// Housekeeping of the whole installation: called by the server itself, for nobody in particular.

/** Throws away the drafts that are older, of all projects. Returns how many. */
export async function sweepDrafts(olderThan: Date): Promise<number> {
  const { count } = await database().upload.deleteMany({ where: { state: 'draft', createdAt: { lt: olderThan } } })
  return count
}

/** Addresses of all raw files that some upload needs, drafts and trashed ones included, those given up not. */
export async function listStoredSha256(): Promise<readonly string[]> {
  const found = await database().upload.findMany({
    where: { rawRemovedAt: null },
    distinct: ['storedSha256'],
    select: { storedSha256: true },
  })
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

/** Small, so that no other request waits for one. */
const atOnce = 200

/** Trashes the runs and gives up the raw files that are older than their projects keep them, a few at a time. */
export async function applyRetention(now: Date): Promise<void> {
  while ((await trashOldRuns(database(), now, atOnce)) > 0) continue
  while ((await releaseOldRaws(database(), now, atOnce)) > 0) continue
}

/** Deletes for good what was trashed before, a few at a time. */
export async function emptyTrash(before: Date): Promise<void> {
  const page = { where: { deletedAt: { lt: before } }, select: { id: true }, take: atOnce }
  for (;;) {
    const uploads = await database().upload.findMany({ ...page, where: { ...page.where, state: 'saved' } })
    const where = { ...page.where, deletedBy: { in: ['run', 'retention'] } }
    const runs = await database().run.findMany({ ...page, where })
    const ids = (rows: readonly { id: string }[]) => rows.map((row) => row.id)
    if (uploads.length + runs.length === 0) return
    await database().$transaction(async (tx) => {
      await destroyRuns(tx, ids(runs))
      await destroyUploads(tx, ids(uploads))
    })
  }
}

/** Address and secret of a channel as they are stored. */
export interface StoredTarget {
  readonly projectId: string
  readonly target: string
  readonly secret: string | null
}

/** Replaces addresses and secrets of all channels by what `rewrite` makes of them; null: they stay. */
export async function rewriteTargets(
  rewrite: (stored: StoredTarget) => Promise<Pick<StoredTarget, 'target' | 'secret'> | null>,
): Promise<void> {
  const channels = await database().channel.findMany({
    select: { id: true, projectId: true, target: true, secret: true },
  })
  for (const { id, ...stored } of channels) {
    const data = await rewrite(stored)
    // Another instance may have been faster.
    if (data !== null) await database().channel.updateMany({ where: { id, target: stored.target }, data })
  }
}
