import { Prisma } from '../generated/client'

/** Series are found through this many of a project's newest runs, so that the cost does not grow with its history. */
export const newestRuns = 5_000

/**
 * The series of a project's newest `runs` runs as a table: `series_id`, `newest_at` and how many of those runs it has
 * (`run_count`); by `newest_at`, newest first, at most `most`.
 */
export const newestSeries = (projectId: string, { runs, most }: { readonly runs: number; readonly most: number }) =>
  Prisma.sql`
    SELECT series_id, max(ordered_at) AS newest_at, count(*)::int AS run_count FROM (
      SELECT series_id, ordered_at FROM run
      WHERE project_id = ${projectId} AND deleted_at IS NULL ORDER BY ordered_at DESC, id DESC LIMIT ${runs}
    ) AS newest GROUP BY series_id ORDER BY newest_at DESC, series_id LIMIT ${most}`
