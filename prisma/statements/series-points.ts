import { z } from 'zod'
import { loadSchema, steadyStateSchema, stringsSchema, toolSchema } from '../../lib/run/imported-run-schema'
import { pointsBySteadyParts } from '../../lib/judge/judged-window'
import { guardsThatHold, runGuardsSchema } from '../../lib/run/guard'
import { versionOf } from '../../lib/run/judgement'
import { profileName } from '../../lib/run/series'
import type { SeriesPoint } from '../../lib/run/stored'
import { figureColumnsSql, figuresSchema } from '../rows/figure-columns'
import type { Db } from './access'

/** The names of a series. */
export const seriesSelect = { id: true, projectId: true, scenario: true, variant: true, environment: true } as const

/**
 * The newest runs of each series that join it, oldest first, as their project judges them; `wholeRuns`: by whole runs in
 * any case. One statement, an index range for each series. BETWEEN a value and itself: with `=` the planner takes every
 * series for one of average length, and reads and sorts all runs of a long one.
 */
export async function listPoints(
  db: Db,
  seriesIds: readonly string[],
  limit: number,
  { wholeRuns = false } = {},
): Promise<ReadonlyMap<string, readonly SeriesPoint[]>> {
  const rows = rowsSchema.parse(
    await db.$queryRaw`
      SELECT newest.* FROM (
        SELECT series.id AS series_id, (judged_window = 'steady' AND NOT ${wholeRuns}::boolean) AS by_steady
        FROM unnest(${[...seriesIds]}::text[]) AS asked (id) JOIN series USING (id) JOIN project ON project.id = project_id
      ) AS wanted, LATERAL (
        SELECT id, series_id, upload_id, ordered_at, tool, load, labels, guards, counted, judgement_basis, by_steady,
          CASE WHEN by_steady THEN steady END AS steady, ${figureColumnsSql}
        FROM run
        WHERE run.series_id BETWEEN wanted.series_id AND wanted.series_id AND deleted_at IS NULL AND in_series
        ORDER BY run.series_id DESC, ordered_at DESC, id DESC LIMIT ${limit}
      ) AS newest ORDER BY newest.ordered_at, newest.id`,
  )
  const bySeries = new Map<string, typeof rows>(seriesIds.map((id) => [id, []]))
  for (const row of rows) bySeries.get(row.series_id)?.push(row)
  const whole = await listWholeProfiles(db, rows)
  return new Map([...bySeries].map(([id, own]) => [id, toPoints(own, whole.get(id))]))
}

const profilesSchema = z.array(z.object({ series_id: z.string(), tool: toolSchema, load: loadSchema }))

/**
 * Names of the load profiles of series judged by steady parts that have a run without one, however old, by series: that
 * each page gets the same answer, whatever number of runs it shows.
 */
async function listWholeProfiles(db: Db, rows: z.infer<typeof rowsSchema>): Promise<ReadonlyMap<string, Set<string>>> {
  const ids = [...new Set(rows.flatMap((row) => (row.by_steady ? [row.series_id] : [])))]
  if (ids.length === 0) return new Map()
  const found = profilesSchema.parse(
    await db.$queryRaw`
      SELECT DISTINCT series_id, tool, load FROM run
      WHERE series_id = ANY(${ids}::text[]) AND deleted_at IS NULL AND in_series AND steady IS NULL`,
  )
  const names = new Map(ids.map((id) => [id, new Set<string>()]))
  for (const { series_id, tool, load } of found) names.get(series_id)?.add(profileName(tool, load))
  return names
}

/** The runs of a series. `whole`: profiles that steady parts cannot be had of; absent: whole runs are asked for. */
function toPoints(rows: z.infer<typeof rowsSchema>, whole: ReadonlySet<string> | undefined): readonly SeriesPoint[] {
  return whole === undefined
    ? rows.map(toPoint)
    : pointsBySteadyParts(
        rows.map((row) => ({ point: toPoint(row), steady: row.steady })),
        whole,
      )
}

/** The newest candidates of a series that these rules have not judged yet, oldest first, at most 20. */
export async function listCandidates(db: Db, projectId: string, seriesId: string): Promise<readonly SeriesPoint[]> {
  const rows = rowsSchema.parse(
    await db.$queryRaw`
      SELECT newest.*, judged_window = 'steady' AS by_steady FROM (
        SELECT id, project_id, series_id, upload_id, ordered_at, tool, load, labels, guards, counted, judgement_basis, judged_state,
          candidate, complete, steady, ${figureColumnsSql}
        FROM run WHERE run.series_id BETWEEN ${seriesId} AND ${seriesId} AND deleted_at IS NULL
        ORDER BY run.series_id DESC, ordered_at DESC, id DESC LIMIT ${newestForCandidates}
      ) AS newest JOIN project ON project.id = project_id
      WHERE project_id = ${projectId} AND candidate AND complete AND judged_state IS DISTINCT FROM 'invalid'
        AND judgement_basis IS DISTINCT FROM
          CASE judged_window WHEN 'steady' THEN ${versionOf('steady')} ELSE ${versionOf('whole')} END
      ORDER BY ordered_at, id LIMIT ${maxCandidates}`,
  )
  return toPoints(rows, (await listWholeProfiles(db, rows)).get(seriesId))
}

/** Runs of a project as their series reads them, in the order of time; candidates, too. */
export async function readRunPoints(
  db: Db,
  projectId: string,
  runIds: readonly string[],
): Promise<readonly SeriesPoint[]> {
  const rows = rowsSchema.parse(
    await db.$queryRaw`
      SELECT run.id, series_id, upload_id, ordered_at, tool, load, labels, guards, counted, judgement_basis,
        judged_window = 'steady' AS by_steady, steady, ${figureColumnsSql}
      FROM run JOIN project ON project.id = project_id
      WHERE run.id = ANY(${[...runIds]}::text[]) AND project_id = ${projectId} AND run.deleted_at IS NULL
      ORDER BY ordered_at, run.id`,
  )
  const whole = await listWholeProfiles(db, rows)
  return rows.flatMap((row) => toPoints([row], whole.get(row.series_id)))
}

/** Candidates are looked for among the newest runs: older ones were judged when they came. */
const newestForCandidates = 400
const maxCandidates = 20

function toPoint(row: z.infer<typeof rowsSchema>[number]): SeriesPoint {
  const { id, series_id: _, upload_id, ordered_at, tool, load, labels, counted, judgement_basis, ...more } = row
  const { guards: all, by_steady: _asked, steady: _steady, ...figures } = more
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
    by_steady: z.boolean(),
    steady: steadyStateSchema.nullable(),
    ...figuresSchema,
  }),
)
