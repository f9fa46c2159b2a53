import { z } from 'zod'
import { experimentLabels, longestExperimentMs, repeats } from '../../lib/levels/points'
import { stringsSchema } from '../../lib/run/imported-run-schema'
import type { RunRepeat } from '../../lib/history/stored-runs'
import { Prisma } from '../generated/client'
import { figuresSchema, figureColumnsSql } from '../rows/figure-columns'
import type { Db } from '../statements/access'

const ofLine = Prisma.sql`other.series_id = r.series_id AND other.deleted_at IS NULL AND other.in_series
  AND other.tool = r.tool AND other.load = r.load`

/** A control has one commit for ever: its runs are no repeats by that. */
const isOfControl = Prisma.sql`(SELECT is_control FROM series WHERE series.id = r.series_id)`

/**
 * Condition on the run `r`: no later run of its load profile repeats it, by the rule of trends (`repeats` in
 * lib/levels/trend.ts).
 */
export function isNewestOfRepeats(): Prisma.Sql {
  const byLabel = experimentLabels.map((key) => {
    const [mine, its] = [Prisma.sql`r.labels ->> ${key}::text`, Prisma.sql`other.labels ->> ${key}::text`]
    const counts = key === 'experiment' ? Prisma.sql`TRUE` : Prisma.sql`NOT ${isOfControl}`
    return Prisma.sql`WHEN coalesce(${mine}, ${its}) IS NOT NULL AND ${counts} THEN (${mine}) IS NOT DISTINCT FROM (${its})`
  })
  return Prisma.sql`(NOT r.in_series OR NOT coalesce((
    SELECT CASE ${Prisma.join(byLabel, ' ')}
      ELSE r.upload_id = other.upload_id AND other.ordered_at - r.ordered_at <= ${longestExperimentMs / 1_000}::float8 * interval '1 second' END
    FROM run AS other WHERE ${ofLine} AND (other.ordered_at, other.id) > (r.ordered_at, r.id)
    ORDER BY other.ordered_at, other.id LIMIT 1), FALSE))`
}

const rowsSchema = z.array(
  z.object({
    newest: z.string(),
    id: z.string(),
    upload_id: z.string(),
    ordered_at: z.date(),
    labels: stringsSchema,
    is_control: z.boolean(),
    ...figuresSchema,
  }),
)

/**
 * For each of these runs of a project that is the newest of its repeats: those repeats, newest first, itself included,
 * at most this many.
 */
export async function findRepeats(
  db: Db,
  projectId: string,
  runIds: readonly string[],
  most: number,
): Promise<ReadonlyMap<string, readonly RunRepeat[]>> {
  const columns = Prisma.sql`other.id, other.upload_id, other.ordered_at, other.labels, ${figureColumnsSql}`
  const found = rowsSchema.parse(
    await db.$queryRaw`
      SELECT r.id AS newest, ${isOfControl} AS is_control, earlier.* FROM run AS r, LATERAL (
        SELECT ${columns} FROM run AS other
        WHERE ${ofLine} AND (other.ordered_at, other.id) <= (r.ordered_at, r.id)
        ORDER BY other.ordered_at DESC, other.id DESC LIMIT ${most}
      ) AS earlier WHERE r.id = ANY(${[...runIds]}::text[]) AND r.project_id = ${projectId} AND r.in_series
      ORDER BY r.id, earlier.ordered_at DESC, earlier.id DESC`,
  )
  const groups = new Map<string, { runs: RunRepeat[]; hasEnded: boolean; last: Parameters<typeof repeats>[0] }>()
  for (const { newest, id, upload_id, ordered_at, labels, is_control, ...figures } of found) {
    const run = { uploadId: upload_id, orderedAt: ordered_at.toISOString(), labels, isOfControl: is_control }
    const group = groups.get(newest)
    if (group === undefined) groups.set(newest, { runs: [{ id, figures }], hasEnded: false, last: run })
    else if (!group.hasEnded && repeats(run, group.last)) {
      group.runs.push({ id, figures })
      group.last = run
    } else group.hasEnded = true
  }
  return new Map([...groups].map(([id, group]) => [id, group.runs]))
}
