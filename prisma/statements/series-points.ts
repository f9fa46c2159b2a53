import { z } from 'zod'
import { loadSchema, stringsSchema, toolSchema } from '../../lib/run/imported-run-schema'
import { guardsThatHold, runGuardsSchema } from '../../lib/run/guard'
import type { SeriesPoint } from '../../lib/run/stored'
import { figureColumnsSql, figuresSchema } from '../rows/figure-columns'
import type { Db } from './access'

/** The names of a series. */
export const seriesSelect = { id: true, projectId: true, scenario: true, variant: true, environment: true } as const

/**
 * The newest whole runs of each series, oldest first: one statement, an index range for each series. BETWEEN a value and
 * itself: with `=` the planner takes every series for one of average length, and reads and sorts all runs of a long one.
 */
export async function listPoints(
  db: Db,
  seriesIds: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, readonly SeriesPoint[]>> {
  const rows = rowsSchema.parse(
    await db.$queryRaw`
      SELECT newest.* FROM unnest(${[...seriesIds]}::text[]) AS wanted (series_id), LATERAL (
        SELECT id, series_id, upload_id, ordered_at, tool, load, labels, guards, counted, judgement_basis, ${figureColumnsSql} FROM run
        WHERE run.series_id BETWEEN wanted.series_id AND wanted.series_id AND deleted_at IS NULL AND in_series
        ORDER BY run.series_id DESC, ordered_at DESC, id DESC LIMIT ${limit}
      ) AS newest ORDER BY newest.ordered_at, newest.id`,
  )
  const bySeries = new Map<string, SeriesPoint[]>(seriesIds.map((id) => [id, []]))
  for (const row of rows) bySeries.get(row.series_id)?.push(toPoint(row))
  return bySeries
}

/** The newest candidates of a series that these rules have not judged yet, oldest first, at most 20. */
export async function listCandidates(
  db: Db,
  projectId: string,
  seriesId: string,
  version: string,
): Promise<readonly SeriesPoint[]> {
  const rows = rowsSchema.parse(
    await db.$queryRaw`
      SELECT * FROM (
        SELECT id, project_id, series_id, upload_id, ordered_at, tool, load, labels, guards, counted, judgement_basis, judged_state,
          candidate, complete, ${figureColumnsSql}
        FROM run WHERE run.series_id BETWEEN ${seriesId} AND ${seriesId} AND deleted_at IS NULL
        ORDER BY run.series_id DESC, ordered_at DESC, id DESC LIMIT ${newestForCandidates}
      ) AS newest
      WHERE project_id = ${projectId} AND candidate AND complete AND judged_state IS DISTINCT FROM 'invalid'
        AND judgement_basis IS DISTINCT FROM ${version}
      ORDER BY ordered_at, id LIMIT ${maxCandidates}`,
  )
  return rows.map(toPoint)
}

/** Candidates are looked for among the newest runs: older ones were judged when they came. */
const newestForCandidates = 400
const maxCandidates = 20

function toPoint(row: z.infer<typeof rowsSchema>[number]): SeriesPoint {
  const { id, series_id: _, upload_id, ordered_at, tool, load, labels, counted, judgement_basis, ...more } = row
  const { guards: all, ...figures } = more
  const guards = guardsThatHold(all, counted)
  const orderedAt = ordered_at.toISOString()
  const own = { runId: id, uploadId: upload_id, orderedAt, tool, load, labels, guards }
  return { ...own, judgementBasis: judgement_basis, figures }
}

const rowsSchema = z.array(
  z.object({
    id: z.string(),
    series_id: z.string(),
    upload_id: z.string(),
    ordered_at: z.date(),
    tool: toolSchema,
    load: loadSchema,
    labels: stringsSchema,
    guards: runGuardsSchema,
    counted: z.boolean().nullable(),
    judgement_basis: z.string().nullable(),
    ...figuresSchema,
  }),
)
