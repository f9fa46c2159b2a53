import { z } from 'zod'
import { metricJudgementSchema, statedLevels, type MetricJudgement } from '../../lib/run/judgement'
import type { Metric } from '../../lib/run/metrics'
import type { PastLevel, RunPast } from '../../lib/history/stored-runs'
import { Prisma } from '../generated/client'
import { columnOf } from '../rows/figure-columns'
import type { Db } from '../statements/access'

/** Runs drawn in a line of a list. */
const drawnRuns = 20

const figure = z.number().nullable()
const rowsSchema = z.array(
  z.object({
    id: z.string(),
    uploadName: z.string(),
    values: z.array(figure).nullable(),
    outside: z.array(z.boolean()).nullable(),
    times: z.array(z.string()).nullable(),
    commits: z.array(z.string().nullable()).nullable(),
    judged: metricJudgementSchema.nullable(),
    moved: metricJudgementSchema.nullable(),
    off: z.record(z.string(), z.enum(['worse', 'better', 'unusual'])).nullable(),
  }),
)

/**
 * The newest 20 runs of each run's series up to it, and the judgements of its metrics. One statement, an index range
 * for each run: bounds of the whole index row, as with `=` the planner assumes that every series has average length.
 */
export async function findPasts(
  db: Db,
  projectId: string,
  runIds: readonly string[],
  metric: Metric,
): Promise<ReadonlyMap<string, RunPast>> {
  const isOutside = JSON.stringify([{ metricId: metric.id, state: 'unusual' }])
  const rows = rowsSchema.parse(
    await db.$queryRaw`
      WITH asked AS MATERIALIZED (
        SELECT id, upload_id, series_id, ordered_at, tool, load, judged_state, judgement ->> 'metricId' AS of_metric,
          CASE WHEN jsonb_typeof(judgement -> 'metrics') = 'array' THEN judgement -> 'metrics' END AS metrics
        FROM run WHERE id = ANY(${[...runIds]}::text[]) AND project_id = ${projectId} AND deleted_at IS NULL
      )
      SELECT r.id, u.name AS "uploadName", recent.values, recent.outside, recent.times, recent.commits,
        own.judged, moved.judged AS moved, off.states AS off
      FROM asked AS r
      CROSS JOIN LATERAL (SELECT name FROM upload WHERE upload.id = r.upload_id OFFSET 0) AS u
      CROSS JOIN LATERAL (
        SELECT array_agg(value ORDER BY ordered_at, id) AS values, array_agg(is_outside ORDER BY ordered_at, id) AS outside,
          array_agg(to_char(ordered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"') ORDER BY ordered_at, id) AS times,
          array_agg(commit ORDER BY ordered_at, id) AS commits
        FROM (
          SELECT o.id, o.ordered_at, o.tool, o.load, o.${Prisma.raw(columnOf(metric.key))} AS value,
            o.labels ->> 'commit' AS commit,
            CASE WHEN o.judged_state = 'unusual' THEN coalesce(o.judgement -> 'metrics' @> ${isOutside}::jsonb, FALSE)
              ELSE FALSE END AS is_outside
          FROM run AS o
          WHERE (o.series_id, o.ordered_at, o.id) <= (r.series_id, r.ordered_at, r.id) AND o.series_id >= r.series_id
            AND o.deleted_at IS NULL AND (o.in_series OR o.id = r.id)
          ORDER BY o.series_id DESC, o.ordered_at DESC, o.id DESC LIMIT ${drawnRuns}
        ) AS newest WHERE newest.tool = r.tool AND newest.load = r.load
      ) AS recent
      LEFT JOIN LATERAL (
        SELECT one AS judged FROM jsonb_array_elements(r.metrics) AS one WHERE one ->> 'metricId' = ${metric.id} LIMIT 1
      ) AS own ON TRUE
      LEFT JOIN LATERAL (
        SELECT one AS judged FROM jsonb_array_elements(r.metrics) AS one
        WHERE one ->> 'metricId' = r.of_metric AND jsonb_typeof(one -> 'change') = 'object' LIMIT 1
      ) AS moved ON TRUE
      CROSS JOIN LATERAL (
        SELECT jsonb_object_agg(one ->> 'metricId', one ->> 'state') AS states FROM jsonb_array_elements(r.metrics) AS one
        WHERE r.judged_state <> 'as-expected' AND one ->> 'state' IN ('worse', 'better', 'unusual')
      ) AS off`,
  )
  return new Map(
    rows.map(({ id, uploadName, values, outside, times, commits, judged, moved, off }) => [
      id,
      {
        uploadName,
        values: values ?? [],
        outside: outside ?? [],
        times: times ?? [],
        commits: commits ?? [],
        levels: levelsOf(judged),
        moved,
        off: off ?? {},
      },
    ]),
  )
}

/** Its own level, or those before and since a change, even if the newer one has too few runs for a range. */
function levelsOf(judged: MetricJudgement | null): readonly PastLevel[] {
  if (judged === null) return []
  const since = judged.change?.since ?? null
  const stated = statedLevels(judged).map(({ of, level, low, high }): PastLevel => {
    return { since: of === 'since' ? since : null, expected: { level, low, high } }
  })
  return since === null || stated.some((level) => level.since !== null)
    ? stated
    : [...stated, { since, expected: null }]
}
