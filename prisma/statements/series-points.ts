import { z } from 'zod'
import { groupBy } from '../../lib/group-by'
import { loadSchema, steadyStateSchema, stringsSchema, toolSchema } from '../../lib/run/imported-run-schema'
import { pointsBySteadyParts } from '../../lib/judge/judged-window'
import { guardsThatHold, runGuardsSchema } from '../../lib/run/guard'
import { versionOf } from '../../lib/run/judgement'
import { profileName } from '../../lib/history/series'
import type { SeriesPoint } from '../../lib/history/stored-series'
import { Prisma } from '../generated/client'
import { figureColumnsSql, figuresSchema } from '../rows/figure-columns'
import type { Db } from './access'

/** The names of a series. */
export const seriesSelect = { id: true, projectId: true, scenario: true, variant: true, environment: true } as const

/** The same, as raw statements read them. */
export const seriesNames = {
  id: z.string(),
  projectId: z.string(),
  scenario: z.string(),
  variant: z.string().nullable(),
  environment: z.string().nullable(),
}

const seriesSchema = z.array(z.object(seriesNames))

/** The names of these series of a project. */
export async function listSeries(
  db: Db,
  projectId: string,
  seriesIds: readonly string[],
): Promise<z.infer<typeof seriesSchema>> {
  return seriesSchema.parse(
    await db.$queryRaw`
      SELECT id, project_id AS "projectId", scenario, variant, environment FROM series
      WHERE id = ANY(${[...seriesIds]}::text[]) AND project_id = ${projectId}`,
  )
}

/** Columns read of a run, including its time in ms since 1970, and whether its project is judged by steady parts. */
const pointColumns = Prisma.sql`run.id, series_id AS "seriesId", upload_id AS "uploadId",
  (extract(epoch FROM ordered_at) * 1000)::float8 AS ms, tool, load, labels, guards, counted, judgement_basis AS "judgementBasis",
  is_control AS "isOfControl", by_steady AS "bySteady", CASE WHEN by_steady THEN steady END AS steady, (SELECT f FROM (SELECT ${figureColumnsSql}) AS f) AS figures`

const textsSchema = z.array(z.object({ points: z.string().nullable() }))

/** Runs as JSON, many in one text: as rows, dozens of columns of hundreds of runs take twice as long. */
async function readPointRows(db: Db, points: Prisma.Sql): Promise<readonly PointRow[]> {
  const texts = textsSchema.parse(await db.$queryRaw(points))
  return texts.flatMap((one) => (one.points === null ? [] : rowsSchema.parse(JSON.parse(one.points))))
}

/**
 * The newest runs of each series that join it, oldest first, in the window that their project is judged by;
 * `wholeRuns`: always whole runs. One statement, an index range for each series. BETWEEN a value and itself: with `=`
 * the planner assumes that every series has average length, and reads and sorts all runs of a long one.
 */
export async function listPoints(
  db: Db,
  seriesIds: readonly string[],
  limit: number,
  { wholeRuns = false } = {},
): Promise<ReadonlyMap<string, readonly SeriesPoint[]>> {
  const rows = await readPointRows(
    db,
    Prisma.sql`
      SELECT (
        SELECT json_agg(newest ORDER BY ms, id)::text FROM (
          SELECT ${pointColumns} FROM run
          WHERE run.series_id BETWEEN wanted.series_id AND wanted.series_id AND deleted_at IS NULL AND in_series
          ORDER BY run.series_id DESC, ordered_at DESC, run.id DESC LIMIT ${limit}
        ) AS newest
      ) AS points FROM (
        SELECT series.id AS series_id, is_control, (judged_window = 'steady' AND NOT ${wholeRuns}::boolean) AS by_steady
        FROM unnest(${[...seriesIds]}::text[]) AS asked (id) JOIN series USING (id) JOIN project ON project.id = project_id
      ) AS wanted`,
  )
  const bySeries = new Map<string, PointRow[]>(seriesIds.map((id) => [id, []]))
  for (const row of rows) bySeries.get(row.seriesId)?.push(row)
  const whole = await listWholeProfiles(db, rows)
  return new Map([...bySeries].map(([id, own]) => [id, toPoints(own, whole.get(id))]))
}

const profilesSchema = z.array(z.object({ series_id: z.string(), tool: toolSchema, load: loadSchema }))

/**
 * Names of the load profiles, by series, of series judged by steady parts that have a run without one, however old: so
 * each page gets the same answer, however many runs it shows.
 */
async function listWholeProfiles(db: Db, rows: readonly PointRow[]): Promise<ReadonlyMap<string, Set<string>>> {
  const ids = [...new Set(rows.flatMap((row) => (row.bySteady ? [row.seriesId] : [])))]
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

/** The runs of a series. `whole`: profiles that have no steady parts; absent: whole runs are wanted. */
function toPoints(rows: readonly PointRow[], whole: ReadonlySet<string> | undefined): readonly SeriesPoint[] {
  return whole === undefined
    ? rows.map(toPoint)
    : pointsBySteadyParts(
        rows.map((row) => ({ point: toPoint(row), steady: row.steady })),
        whole,
      )
}

/** The newest candidates of each series that these rules have not judged yet, oldest first, at most 20. */
export async function listCandidates(
  db: Db,
  projectId: string,
  seriesIds: readonly string[],
): Promise<ReadonlyMap<string, readonly SeriesPoint[]>> {
  const rows = await readPointRows(
    db,
    Prisma.sql`
      SELECT (SELECT json_agg(found ORDER BY ms, id)::text FROM (
        SELECT ${pointColumns} FROM (
          SELECT * FROM run
          WHERE run.series_id BETWEEN asked.series_id AND asked.series_id AND deleted_at IS NULL
          ORDER BY run.series_id DESC, ordered_at DESC, id DESC LIMIT ${newestForCandidates}
        ) AS run JOIN (
          SELECT id, judged_window, judged_window = 'steady' AS by_steady FROM project WHERE id = ${projectId}
        ) AS own ON own.id = project_id JOIN (SELECT id AS kind_of, is_control FROM series) AS kind ON kind_of = series_id
        WHERE candidate AND complete AND judged_state IS DISTINCT FROM 'invalid'
          AND judgement_basis IS DISTINCT FROM
            CASE judged_window WHEN 'steady' THEN ${versionOf('steady')} ELSE ${versionOf('whole')} END
        ORDER BY ordered_at, run.id LIMIT ${maxCandidates}
      ) AS found) AS points FROM unnest(${[...seriesIds]}::text[]) AS asked (series_id)`,
  )
  const whole = await listWholeProfiles(db, rows)
  const bySeries = groupBy(rows, (row) => row.seriesId)
  return new Map([...bySeries].map(([id, own]) => [id, toPoints(own, whole.get(id))]))
}

/** Runs of a project as their series read them, in order of time; including candidates. */
export async function readRunPoints(
  db: Db,
  projectId: string,
  runIds: readonly string[],
): Promise<readonly SeriesPoint[]> {
  const rows = await readPointRows(
    db,
    Prisma.sql`
      SELECT json_agg(found ORDER BY ms, id)::text AS points FROM (
        SELECT ${pointColumns} FROM run JOIN (
          SELECT id, judged_window = 'steady' AS by_steady FROM project WHERE id = ${projectId}
        ) AS own ON own.id = project_id JOIN (SELECT id AS kind_of, is_control FROM series) AS kind ON kind_of = series_id
        WHERE run.id = ANY(${[...runIds]}::text[]) AND deleted_at IS NULL
      ) AS found`,
  )
  const whole = await listWholeProfiles(db, rows)
  return rows.flatMap((row) => toPoints([row], whole.get(row.seriesId)))
}

/** Candidates are searched among the newest runs: older ones were judged on arrival. */
const newestForCandidates = 400
const maxCandidates = 20

function toPoint(row: PointRow): SeriesPoint {
  const { id, uploadId, ms, tool, load, labels, guards: all, counted, judgementBasis, figures } = row
  const guards = guardsThatHold(all, counted)
  const orderedAt = new Date(ms).toISOString()
  const point = { runId: id, uploadId, orderedAt, tool, load, labels, guards, judgementBasis, figures }
  return row.isOfControl ? { ...point, isOfControl: true } : point
}

const rowsSchema = z.array(
  z.object({
    id: z.string(),
    seriesId: z.string(),
    uploadId: z.string(),
    ms: z.number(),
    tool: toolSchema,
    load: loadSchema,
    labels: stringsSchema,
    guards: runGuardsSchema,
    counted: z.boolean().nullable(),
    judgementBasis: z.string().nullable(),
    isOfControl: z.boolean(),
    bySteady: z.boolean(),
    steady: steadyStateSchema.nullable(),
    figures: z.object(figuresSchema),
  }),
)
type PointRow = z.infer<typeof rowsSchema>[number]
