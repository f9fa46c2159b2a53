import { z } from 'zod'
import { loadSchema, stringsSchema, toolSchema } from '../../lib/run/imported-run-schema'
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
        SELECT id, series_id, upload_id, ordered_at, tool, load, labels, ${figureColumnsSql} FROM run
        WHERE run.series_id BETWEEN wanted.series_id AND wanted.series_id AND deleted_at IS NULL AND complete
        ORDER BY run.series_id DESC, ordered_at DESC, id DESC LIMIT ${limit}
      ) AS newest ORDER BY newest.ordered_at, newest.id`,
  )
  const bySeries = new Map<string, SeriesPoint[]>(seriesIds.map((id) => [id, []]))
  for (const { id, series_id, upload_id, ordered_at, tool, load, labels, ...figures } of rows) {
    const point = { runId: id, uploadId: upload_id, orderedAt: ordered_at.toISOString(), tool, load, labels, figures }
    bySeries.get(series_id)?.push(point)
  }
  return bySeries
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
    ...figuresSchema,
  }),
)
