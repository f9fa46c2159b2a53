import { Prisma } from '../generated/client'
import type { Db } from './access'

/** Days before `now`, as SQL of the project `p`. */
const before = (days: Prisma.Sql, now: Date) => Prisma.sql`${now}::timestamptz - ${days} * interval '1 day'`

/** Whether the run `r` is kept whatever its age: a baseline, shown by an open share, or named by a saved comparison. */
const isExempt = (now: Date) => Prisma.sql`(
  EXISTS (SELECT 1 FROM baseline WHERE baseline.run_id = r.id)
  OR EXISTS (SELECT 1 FROM share WHERE share.project_id = r.project_id AND r.id = ANY(share.run_ids)
    AND share.revoked_at IS NULL AND (share.expires_at IS NULL OR share.expires_at > ${now}::timestamptz))
  OR EXISTS (SELECT 1 FROM comparison WHERE comparison.project_id = r.project_id AND comparison.deleted_at IS NULL
    AND (strpos(comparison.refs, r.id) > 0 OR strpos(comparison.view, r.id) > 0))
)`

/**
 * Trashes runs that began and came longer ago than their project keeps runs, the oldest first, at most `limit` of each
 * project. Returns how many.
 */
export function trashOldRuns(db: Db, now: Date, limit: number): Promise<number> {
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
 * Gives up the raw files of uploads older than their project keeps them, unless a run of theirs is kept whatever its age;
 * at most `limit` of each project. The files themselves go with the next sweep. Returns how many.
 */
export function releaseOldRaws(db: Db, now: Date, limit: number): Promise<number> {
  return db.$executeRaw`
    UPDATE upload SET raw_removed_at = ${now} FROM (
      SELECT old.id FROM project AS p, LATERAL (
        SELECT u.id FROM upload AS u WHERE u.project_id = p.id AND u.state = 'saved' AND u.raw_removed_at IS NULL
          AND u.created_at < ${before(Prisma.sql`p.keep_raw_days`, now)}
          AND NOT EXISTS (SELECT 1 FROM run AS r WHERE r.upload_id = u.id AND r.deleted_at IS NULL AND ${isExempt(now)})
        ORDER BY u.created_at LIMIT ${limit}
      ) AS old WHERE p.keep_raw_days IS NOT NULL AND p.deleted_at IS NULL
    ) AS old WHERE upload.id = old.id`
}
