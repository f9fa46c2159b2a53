import { z } from 'zod'
import { database } from '../../db'
import { Prisma } from '../../generated/client'
import { foldChanges, hasChanges } from '../../search/term-counts'
import type { Db } from '../../statements/access'
import { destroyRuns, destroyUploads } from '../../statements/destroy'
import { forgetKeys } from '../../statements/idempotency'
import { commitLater } from '../../statements/commit-later'

// Housekeeping of the whole installation: called by the server itself, not for a viewer.

/** Throws when the database does not respond. */
export async function pingDatabase(): Promise<void> {
  await database().$executeRaw`SELECT 1`
}

const stateSchema = z.array(z.object({ isReadOnly: z.boolean() }))

/**
 * Whether the database accepts changes: not while its disk is full, nor if it is a standby. Throws when it does not
 * respond.
 */
export async function isDatabaseWritable(): Promise<boolean> {
  const [state] = stateSchema.parse(
    await database().$queryRaw`SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
  )
  return state?.isReadOnly === false
}

/** Work of the whole installation that waits for the background. */
export interface Waiting {
  readonly queue: 'evaluations' | 'deliveries'
  readonly depth: number
  /** Since when the oldest waits; null: none does. */
  readonly oldestAt: Date | null
}

/** How many wait for evaluation, and for their next attempt to be sent. */
export async function countWaiting(): Promise<readonly Waiting[]> {
  const due = await database().seriesDue.aggregate({ _count: true, _min: { dueAt: true } })
  const where = { status: 'waiting' }
  const sending = await database().delivery.aggregate({ where, _count: true, _min: { createdAt: true } })
  return [
    { queue: 'evaluations', depth: due._count, oldestAt: due._min.dueAt },
    { queue: 'deliveries', depth: sending._count, oldestAt: sending._min.createdAt },
  ]
}

/** Deletes older drafts, of all projects. Returns how many. */
export async function sweepDrafts(olderThan: Date): Promise<number> {
  const { count } = await database().upload.deleteMany({ where: { state: 'draft', createdAt: { lt: olderThan } } })
  return count
}

/** Those of these raw files that uploads need, drafts and trashed ones among them; released ones are not needed. */
export async function findNeededRaws(sha256s: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await database().upload.findMany({
    where: { rawRemovedAt: null, storedSha256: { in: [...sha256s] } },
    distinct: ['storedSha256'],
    select: { storedSha256: true },
  })
  return new Set(found.map((upload) => upload.storedSha256))
}

/** Deletes uploads in progress that were not reported on for an hour. */
export async function sweepProgress(): Promise<void> {
  await database().$executeRaw`DELETE FROM upload_progress WHERE reported_at < now() - interval '1 hour'`
}

/** Deletes `Idempotency-Key`s of requests that are older than a day. */
export async function sweepIdempotencyKeys(now: Date): Promise<void> {
  await forgetKeys(database(), now)
}

/**
 * Adds pending changes to the counts of terms, some at a time, until none is left or `stop` is aborted; calls `onStep`
 * after each time. Several instances may do so at once.
 */
export async function foldTermCounts(stop?: AbortSignal, onStep?: () => void): Promise<void> {
  const foldSome = () =>
    database().$transaction(async (tx) => {
      await commitLater(tx)
      return foldChanges(tx)
    })
  while (!stop?.aborted && (await hasChanges(database())) && (await foldSome()) > 0) onStep?.()
}

/** Small, so that other requests do not wait for long. */
const atOnce = 200

/** Trashes the runs and releases the raw files that are past their projects' retention, a few at a time. */
export async function applyRetention(now: Date): Promise<void> {
  while ((await trashOldRuns(database(), now, atOnce)) > 0) continue
  while ((await releaseOldRaws(database(), now, atOnce)) > 0) continue
}

/** A time this many days before `now`, as SQL for the project `p`. */
const before = (days: Prisma.Sql, now: Date) => Prisma.sql`${now}::timestamptz - ${days} * interval '1 day'`

/** Whether the run `r` is retained at any age: a baseline, shown by an open share, or named by a saved comparison. */
const isExempt = (now: Date) => Prisma.sql`(
  EXISTS (SELECT 1 FROM baseline WHERE baseline.run_id = r.id)
  OR EXISTS (SELECT 1 FROM share WHERE share.project_id = r.project_id AND r.id = ANY(share.run_ids)
    AND share.revoked_at IS NULL AND (share.expires_at IS NULL OR share.expires_at > ${now}::timestamptz))
  OR EXISTS (SELECT 1 FROM comparison WHERE comparison.project_id = r.project_id AND comparison.deleted_at IS NULL
    AND (strpos(comparison.refs, r.id) > 0 OR strpos(comparison.view, r.id) > 0))
)`

/**
 * Trashes runs that both began and were uploaded longer ago than their project's retention, the oldest first, at most
 * `limit` per project. Returns how many.
 */
function trashOldRuns(db: Db, now: Date, limit: number): Promise<number> {
  const oldest = before(Prisma.sql`p.keep_runs_days`, now)
  return db.$executeRaw`
    UPDATE run SET deleted_at = ${now}, deleted_by = 'retention' FROM (
      SELECT old.id FROM project AS p, LATERAL (
        SELECT r.id FROM run AS r WHERE r.project_id = p.id AND r.deleted_at IS NULL AND r.ordered_at < ${oldest}
          AND r.uploaded_at < ${oldest} AND NOT ${isExempt(now)}
        ORDER BY r.ordered_at, r.id LIMIT ${limit}
      ) AS old WHERE p.keep_runs_days IS NOT NULL AND p.deleted_at IS NULL
    ) AS old WHERE run.id = old.id AND run.deleted_at IS NULL`
}

/**
 * Deletes the raw files of uploads older than their project's retention, unless one of their runs is retained at any
 * age; at most `limit` per project. The files themselves go with the next sweep. Returns how many.
 */
function releaseOldRaws(db: Db, now: Date, limit: number): Promise<number> {
  return db.$executeRaw`
    UPDATE upload SET raw_removed_at = ${now} FROM (
      SELECT old.id FROM project AS p, LATERAL (
        SELECT u.id FROM upload AS u WHERE u.project_id = p.id AND u.state = 'saved' AND u.raw_removed_at IS NULL
          AND u.created_at < ${before(Prisma.sql`p.keep_raw_days`, now)}
          AND NOT EXISTS (SELECT 1 FROM run AS own JOIN run AS r ON r.id = coalesce(own.merged_into_id, own.id)
            WHERE own.upload_id = u.id AND r.deleted_at IS NULL AND ${isExempt(now)})
        ORDER BY u.created_at LIMIT ${limit}
      ) AS old WHERE p.keep_raw_days IS NOT NULL AND p.deleted_at IS NULL
    ) AS old WHERE upload.id = old.id`
}

/** Permanently deletes what was trashed before then, a few at a time. */
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

/** A channel's stored address and secret. */
export interface StoredTarget {
  readonly projectId: string
  readonly target: string
  readonly secret: string | null
}

/** Replaces addresses and secrets of all channels with what `rewrite` returns; null: they stay. */
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
