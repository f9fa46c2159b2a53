import { z } from 'zod'
import { NotFoundError } from '../../../lib/errors'
import { groupBy } from '../../../lib/group-by'
import { environmentEventOf } from '../../../lib/rules/environment-alert'
import type { Neighbour } from '../../../lib/rules/explain-change'
import type { ProjectEnvironment, ReportedShift } from '../../../lib/rules/project-environments'
import { reportedStates } from '../../../lib/rules/stored-alerts'
import { database } from '../../db'
import { changesSchema, eventsSchema } from '../../rows/alert-rows'
import type { Granted } from '../../statements/access'
import { newestRuns, newestSeries } from '../../statements/newest-series'
import { listPoints, seriesNames } from '../../statements/series-points'

/** Series that are asked what they did at a time: of the environment itself, and of all others. */
const most = 40
/** Of each, so many newest runs. */
const runsOfEach = 90

const seriesSchema = z.array(z.object({ ...seriesNames, environment: z.string(), isControl: z.boolean() }))
const changesOfProfile = z.array(z.object({ seriesId: z.string(), profile: z.string(), changes: changesSchema }))

/**
 * The series of a project that ran last on this environment, at most 40, and as many on other ones, with their newest
 * runs and the changes of level that are known of them. Series without the name of an environment are on no machine
 * that is known.
 */
export async function listNeighbourhood(project: Granted<'read'>, environment: string): Promise<readonly Neighbour[]> {
  const found = seriesSchema.parse(
    await database().$queryRaw`
      SELECT id, project_id AS "projectId", scenario, variant, environment, is_control AS "isControl" FROM (
        SELECT s.*, row_number() OVER (
          PARTITION BY s.environment = ${environment} ORDER BY s.is_control DESC, own.newest_at DESC, s.id
        ) AS place FROM (${newestSeries(project.id, { runs: newestRuns, most: 400 })}) AS own, LATERAL (
          SELECT * FROM series WHERE series.id = own.series_id OFFSET 0
        ) AS s WHERE s.environment IS NOT NULL
      ) AS placed WHERE place <= ${most}`,
  )
  const ids = found.map(({ id }) => id)
  const [points, changes, shifts] = await Promise.all([
    listPoints(database(), ids, runsOfEach),
    listChanges(ids),
    listShifts(project),
  ])
  return found.map(({ isControl, ...series }) => ({
    isControl,
    history: { ...series, projectSlug: project.slug, points: points.get(series.id) ?? [] },
    shifts: (shifts.get(series.environment) ?? []).flatMap(boundsOf),
    changes: Object.fromEntries((changes.get(series.id) ?? []).map((one) => [one.profile, one.changes])),
  }))
}

/** When environments of a project moved; of the newest alerts. */
async function listShifts(project: Granted<'read'>): Promise<ReadonlyMap<string, readonly ReportedShift[]>> {
  const alerts = await database().alert.findMany({
    where: { projectId: project.id, kind: 'environment', state: { in: [...reportedStates] } },
    orderBy: [{ openedAt: 'desc' }, { id: 'desc' }],
    take: 100,
    select: { id: true, events: true },
  })
  const moved = alerts.flatMap(({ id, events }): readonly ReportedShift[] => {
    const event = environmentEventOf({ events: eventsSchema.parse(events) })
    return event === null ? [] : [{ ...event, alertId: id }]
  })
  return groupBy(moved, (one) => one.environment)
}

const boundsOf = ({ since, overSince }: ReportedShift) => (overSince === null ? [since] : [since, overSince])

/** The environments of a project with the series that ran on them last, at most 200 in all, by name. */
export async function listEnvironments(project: Granted<'read'>): Promise<readonly ProjectEnvironment[]> {
  const found = seriesSchema.parse(
    await database().$queryRaw`
      SELECT s.id, s.project_id AS "projectId", s.scenario, s.variant, s.environment, s.is_control AS "isControl"
      FROM (${newestSeries(project.id, { runs: newestRuns, most: 200 })}) AS own, LATERAL (
        SELECT * FROM series WHERE series.id = own.series_id OFFSET 0
      ) AS s WHERE s.environment IS NOT NULL
      ORDER BY s.environment, s.is_control DESC, s.scenario, s.variant, s.id`,
  )
  const shifts = await listShifts(project)
  return [...groupBy(found, (one) => one.environment)].map(([name, series]) => ({
    ...{ name, shifts: shifts.get(name) ?? [] },
    series: series.map(({ id, scenario, variant, isControl }) => ({ id, scenario, variant, isControl })),
  }))
}

async function listChanges(ids: readonly string[]) {
  const rows = changesOfProfile.parse(
    await database().$queryRaw`
      SELECT series_id AS "seriesId", profile, changes FROM series_watch WHERE series_id = ANY(${[...ids]}::text[])`,
  )
  return groupBy(rows, (row) => row.seriesId)
}

/** Marks series of a project as controls, or no longer. Changes that are found from now on are explained by it. Throws NotFoundError for the series. */
export async function markControl(project: Granted<'edit'>, seriesId: string, isControl: boolean): Promise<void> {
  const { count } = await database().series.updateMany({
    where: { id: seriesId, projectId: project.id },
    data: { isControl },
  })
  if (count === 0) throw new NotFoundError('series')
}
