import { z } from 'zod'
import { InvalidInputError, NotFoundError } from '../../../lib/errors'
import type { KnownName, KnownNames } from '../../../lib/history/run-list'
import type { SeriesHistory, SeriesPoint, SeriesSummary } from '../../../lib/history/stored-series'
import { storableText } from '../../../lib/text'
import { database } from '../../db'
import { isId } from '../../rows/ids'
import type { Granted } from '../../statements/access'
import { newestRuns, newestSeries } from '../../statements/newest-series'
import { listPoints, readRunPoints, seriesSelect } from '../../statements/series-points'

/** Filters of series; absent: not filtered. */
export interface SeriesFilter {
  readonly scenario?: string | undefined
}

const foundSeries = z.object({
  id: z.string(),
  projectId: z.string(),
  scenario: z.string(),
  variant: z.string().nullable(),
  environment: z.string().nullable(),
})
const seriesSchema = z.array(foundSeries)
/** `runCount`: of the newest runs of the project that were looked at. */
const newestSchema = z.array(foundSeries.extend({ runCount: z.number() }))
const maxHistoryLength = 2_000
const maxSeries = 200
/** Mostly enough to find `maxSeries` in; a fifth of the cost of all that are looked through. */
const firstRuns = 1_000
/** For a scenario, all are read. */
const maxVariants = 2_000

/**
 * Series by their newest run, newest first, at most 200: for a project, those of its newest 5,000 runs; for a scenario,
 * all that have a run.
 */
export async function listSeries(
  project: Granted<'read'>,
  filter: SeriesFilter = {},
): Promise<readonly SeriesSummary[]> {
  const found =
    filter.scenario === undefined
      ? await listNewest(project.id)
      : await listOfScenario(project.id, storableText(filter.scenario))
  return found.map((one) => ({ ...one, projectSlug: project.slug }))
}

type FoundSeries = Omit<SeriesSummary, 'projectSlug'>

async function listNewest(projectId: string): Promise<readonly FoundSeries[]> {
  let found: readonly z.infer<typeof newestSchema>[number][] = []
  for (const runs of [firstRuns, newestRuns]) {
    // OFFSET 0: 200 rows are looked up by their key; otherwise the planner would read all series of the installation.
    found = newestSchema.parse(
      await database().$queryRaw`
        SELECT s.*, own.run_count AS "runCount" FROM (${newestSeries(projectId, { runs, most: maxSeries })}) AS own, LATERAL (
          SELECT id, project_id AS "projectId", scenario, variant, environment FROM series
          WHERE series.id = own.series_id OFFSET 0
        ) AS s ORDER BY newest_at DESC, series_id`,
    )
    const hasAllRuns = found.reduce((sum, { runCount }) => sum + runCount, 0) < runs
    if (found.length === maxSeries || hasAllRuns) break
  }
  return found.map(({ runCount: _, ...own }) => own)
}

async function listOfScenario(projectId: string, scenario: string): Promise<readonly FoundSeries[]> {
  return seriesSchema.parse(
    await database().$queryRaw`
      SELECT s.id, s.project_id AS "projectId", s.scenario, s.variant, s.environment
      FROM (SELECT * FROM series WHERE project_id = ${projectId} AND scenario = ${scenario} LIMIT ${maxVariants}) AS s, LATERAL (
        SELECT ordered_at FROM run WHERE run.series_id BETWEEN s.id AND s.id AND deleted_at IS NULL
        ORDER BY run.series_id DESC, run.ordered_at DESC, run.id DESC LIMIT 1
      ) AS newest ORDER BY newest.ordered_at DESC, s.id LIMIT ${maxSeries}`,
  )
}

/** Runs of a project as its series read them: including candidates, oldest first. */
export async function getRunPoints(
  project: Granted<'read'>,
  runIds: readonly string[],
): Promise<readonly SeriesPoint[]> {
  return runIds.length === 0 ? [] : readRunPoints(database(), project.id, runIds.filter(isId))
}

const countedSchema = z.array(
  z.object({
    scenario: z.string(),
    variant: z.string().nullable(),
    environment: z.string().nullable(),
    runCount: z.number(),
  }),
)
const maxNames = 100

/** The names of a project's newest 5,000 runs, so that the cost does not grow with its history. */
export async function listKnownNames(project: Granted<'read'>): Promise<KnownNames> {
  // OFFSET 0: as above, series are looked up by their key.
  const counted = countedSchema.parse(
    await database().$queryRaw`
      SELECT s.scenario, s.variant, s.environment, own.run_count AS "runCount"
      FROM (${newestSeries(project.id, { runs: newestRuns, most: newestRuns })}) AS own,
        LATERAL (SELECT scenario, variant, environment FROM series WHERE series.id = own.series_id OFFSET 0) AS s`,
  )
  return {
    scenarios: namesOf(counted, 'scenario'),
    variants: namesOf(counted, 'variant'),
    environments: namesOf(counted, 'environment'),
    isPart: counted.reduce((sum, { runCount }) => sum + runCount, 0) === newestRuns,
  }
}

function namesOf(
  counted: z.infer<typeof countedSchema>,
  field: 'scenario' | 'variant' | 'environment',
): readonly KnownName[] {
  const counts = new Map<string, number>()
  for (const { [field]: name, runCount } of counted)
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + runCount)
  return [...counts]
    .map(([name, runCount]) => ({ name, runCount }))
    .sort((a, b) => b.runCount - a.runCount || (a.name < b.name ? -1 : 1))
    .slice(0, maxNames)
}

/** One series. Throws NotFoundError. */
export async function getSeries(project: Granted<'read'>, seriesId: string): Promise<SeriesSummary> {
  const where = { id: seriesId, projectId: project.id }
  const found = isId(seriesId) ? await database().series.findFirst({ where, select: seriesSelect }) : null
  if (found === null) throw new NotFoundError('Series')
  return { ...found, projectSlug: project.slug }
}

/**
 * Series with their newest `limit` runs each, in the order of `seriesIds`. Throws
 * NotFoundError when one is missing or foreign, InvalidInputError for more than 50 series or a limit beyond 2,000.
 */
export async function getSeriesHistories(
  project: Granted<'read'>,
  seriesIds: readonly string[],
  limit = 500,
): Promise<readonly SeriesHistory[]> {
  if (seriesIds.length > maxSeries || !(limit >= 1 && limit <= maxHistoryLength))
    throw new InvalidInputError('A trend shows at most 200 series of 2,000 runs.', { field: 'series' })
  const ids = [...new Set(seriesIds)]
  if (!ids.every(isId)) throw new NotFoundError('Series')
  const where = { id: { in: ids }, projectId: project.id }
  const found = await database().series.findMany({ where, select: seriesSelect })
  const points = await listPoints(
    database(),
    found.map((one) => one.id),
    Math.trunc(limit),
  )
  const byId = new Map(
    found.map((one) => [one.id, { ...one, projectSlug: project.slug, points: points.get(one.id) ?? [] }]),
  )
  return ids.map((id) => {
    const series = byId.get(id)
    if (series === undefined) throw new NotFoundError('Series')
    return series
  })
}
