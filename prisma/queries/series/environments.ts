import { z } from 'zod'
import { attributesOf, machineLabels, type Attribute } from '../../../lib/environment/attributes'
import { NotFoundError } from '../../../lib/errors'
import { groupBy } from '../../../lib/group-by'
import { environmentEventOf, factorsBySeries, slowerBy } from '../../../lib/rules/environment-alert'
import type { Neighbour } from '../../../lib/rules/explain-change'
import {
  fasterShifts,
  type EnvironmentHistory,
  type ProjectEnvironment,
  type ReportedShift,
} from '../../../lib/rules/project-environments'
import { liveStates, reportedStates } from '../../../lib/rules/stored-alerts'
import type { SeriesPoint } from '../../../lib/history/stored-series'
import { stringsSchema } from '../../../lib/run/imported-run-schema'
import { storableText } from '../../../lib/text'
import { database } from '../../db'
import { changesSchema, eventsSchema, findingsSchema, watchedSchema } from '../../rows/alert-rows'
import type { Db, Granted } from '../../statements/access'
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
 * that is known. `read`: what is known of them already; what it lacks is added.
 */
export async function listNeighbourhood(
  project: Granted<'read'>,
  environment: string,
  read: ReadNeighbours = { series: new Map(), points: new Map() },
): Promise<readonly Neighbour[]> {
  const found = read.series.get(environment) ?? (await listNear(project, environment))
  read.series.set(environment, found)
  const shifts = await listShifts(project)
  const unread = found.flatMap(({ id }) => (read.points.has(id) ? [] : [id]))
  if (unread.length > 0)
    for (const [id, points] of await listPoints(database(), unread, runsOfEach)) read.points.set(id, points)
  return withChanges(project, found, shifts, read.points)
}

async function listNear(project: Granted<'read'>, environment: string): Promise<readonly FoundSeries[]> {
  return seriesSchema.parse(
    await database().$queryRaw`
      SELECT id, project_id AS "projectId", scenario, variant, environment, is_control AS "isControl" FROM (
        SELECT s.*, row_number() OVER (
          PARTITION BY s.environment = ${environment} ORDER BY s.is_control DESC, own.newest_at DESC, s.id
        ) AS place FROM (${newestSeries(project.id, { runs: newestRuns, most: 400 })}) AS own, LATERAL (
          SELECT * FROM series WHERE series.id = own.series_id OFFSET 0
        ) AS s WHERE s.environment IS NOT NULL
      ) AS placed WHERE place <= ${most}`,
  )
}

/** What was read of the neighbours of series of one project: who they are, by environment, and their newest runs. */
export interface ReadNeighbours {
  readonly series: Map<string, readonly FoundSeries[]>
  readonly points: Map<string, readonly SeriesPoint[]>
}

type FoundSeries = z.infer<typeof seriesSchema>[number]
type Shifts = ReadonlyMap<string, readonly ReportedShift[]>

async function withChanges(
  project: Granted<'read'>,
  found: readonly FoundSeries[],
  shifts: Shifts,
  points: ReadonlyMap<string, readonly SeriesPoint[]>,
): Promise<readonly Neighbour[]> {
  const changes = await listChanges(found.map(({ id }) => id))
  return found.map(({ isControl, ...series }) => ({
    isControl,
    history: { ...series, projectSlug: project.slug, points: points.get(series.id) ?? [] },
    shifts: (shifts.get(series.environment) ?? []).flatMap(boundsOf),
    changes: Object.fromEntries((changes.get(series.id) ?? []).map((one) => [one.profile, one.changes])),
  }))
}

/** When environments of a project became slower; of the newest alerts. */
async function listShifts(project: Granted<'read'>): Promise<Shifts> {
  const alerts = await database().alert.findMany({
    where: { projectId: project.id, kind: 'environment', state: { in: [...reportedStates] } },
    orderBy: [{ openedAt: 'desc' }, { id: 'desc' }],
    take: 100,
    select: { id: true, state: true, events: true, findings: true },
  })
  const moved = alerts.flatMap(({ id, state, events, findings }): readonly ReportedShift[] => {
    const event = environmentEventOf({ events: eventsSchema.parse(events) })
    const factors = factorsBySeries(findingsSchema.parse(findings))
    const isOpen = event?.overSince === null && liveStates.some((one) => one === state)
    return event === null ? [] : [{ ...event, alertId: id, isOpen, factors }]
  })
  return groupBy(moved, (one) => one.environment)
}

/** When environments of a project became slower, newest first, at most 100. */
export async function listReportedShifts(project: Granted<'read'>): Promise<readonly ReportedShift[]> {
  return [...(await listShifts(project)).values()].flat()
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
  const shifts = await withFaster(found, await listShifts(project))
  return [...groupBy(found, (one) => one.environment)].map(([name, series]) => ({
    ...{ name, shifts: shifts.get(name) ?? [] },
    series: series.map(({ id, scenario, variant, isControl }) => ({ id, scenario, variant, isControl })),
  }))
}

/** Newest runs of an environment's page, of all its series and of each. */
const [runsOfPage, mostOfEach] = [4_000, 400]

/**
 * All that is stored of one environment: its series that ran last, at most 40, with their newest runs, when it moved,
 * and what runs record of the machine. Throws NotFoundError if none of the newest runs of the project names it.
 */
export async function getEnvironment(project: Granted<'read'>, name: string): Promise<EnvironmentHistory> {
  const found = seriesSchema.parse(
    await database().$queryRaw`
      SELECT s.id, s.project_id AS "projectId", s.scenario, s.variant, s.environment, s.is_control AS "isControl"
      FROM (${newestSeries(project.id, { runs: newestRuns, most: 400 })}) AS own, LATERAL (
        SELECT * FROM series WHERE series.id = own.series_id OFFSET 0
      ) AS s WHERE s.environment = ${storableText(name)}
      ORDER BY s.is_control DESC, own.newest_at DESC, s.id LIMIT ${most}`,
  )
  if (found.length === 0) throw new NotFoundError('Environment')
  const shifts = await withFaster(found, await listShifts(project))
  const runs = Math.min(mostOfEach, Math.floor(runsOfPage / found.length))
  const ids = found.map(({ id }) => id)
  const points = await listPoints(database(), ids, runs)
  const series = await withChanges(project, found, shifts, points)
  return { name, shifts: shifts.get(name) ?? [], series, attributes: await listAttributes(series) }
}

const watchesSchema = z.array(z.object({ seriesId: z.string(), watched: watchedSchema, changes: changesSchema }))

/** The same, with the times at which environments became faster, as the series show them; newest first. */
async function withFaster(found: readonly FoundSeries[], reported: Shifts): Promise<Shifts> {
  const seriesOf = new Map(found.map((one) => [one.id, one]))
  const watches = watchesSchema.parse(
    await database().$queryRaw`
      SELECT series_id AS "seriesId", watched, changes FROM series_watch
      WHERE series_id = ANY(${[...seriesOf.keys()]}::text[]) AND watched @> '[{"origin": "environment"}]'`,
  )
  const moved = watches.flatMap(({ seriesId, watched, changes }) => {
    const series = seriesOf.get(seriesId)
    return watched.flatMap(({ origin, metricId, afterRunId, since }) => {
      const change = changes[metricId]?.changes.find((one) => one.afterRunId === afterRunId)
      if (series === undefined || origin !== 'environment' || change === undefined) return []
      const { environment, isControl } = series
      const [factor = 1] = slowerBy({ metricId, effectRatio: change.effectRatio })
      return [{ environment, seriesId, isControl, since, factor }]
    })
  })
  const own = groupBy(moved, (one) => one.environment)
  return new Map(
    [...new Set([...reported.keys(), ...own.keys()])].map((name) => {
      const known = reported.get(name) ?? []
      const all = [...known, ...fasterShifts(name, own.get(name) ?? [], known)]
      return [name, all.toSorted((a, b) => (a.since < b.since ? 1 : -1))]
    }),
  )
}

/** Series, and runs of each, whose files are read for what they say of the machine. */
const [describedSeries, describedRuns] = [12, 60]
const describedSchema = z.array(z.object({ id: z.string(), attributes: stringsSchema.nullable() }))

/** What the newest runs of some series record of their machine: their labels, and what their files state. */
async function listAttributes(series: readonly Neighbour[]): Promise<readonly Attribute[]> {
  const runs = series.flatMap(({ history: { id, points } }, at) =>
    points.map(({ runId, orderedAt, labels }, place) => {
      const isRead = at < describedSeries && place >= points.length - describedRuns
      return { runId, seriesId: id, at: orderedAt, labels, isRead }
    }),
  )
  const ids = runs.flatMap(({ runId, isRead }) => (isRead ? [runId] : []))
  const stated = describedSchema.parse(
    await database().$queryRaw`
      SELECT id, imported->'proposal'->'environmentAttributes' AS attributes FROM run
      WHERE id = ANY(${ids}::text[]) AND NOT 'environment' = ANY(edited)`,
  )
  const byRun = new Map(stated.map(({ id, attributes }) => [id, attributes ?? {}]))
  return attributesOf(
    runs.map(({ runId, labels, ...run }) => ({
      seriesId: run.seriesId,
      at: run.at,
      attributes: { ...machineLabels(labels), ...byRun.get(runId) },
    })),
  )
}

/** The runs of series count another way now: what is stored of them no longer holds. */
async function judgeAgain(tx: Db, seriesIds: readonly string[]): Promise<void> {
  await tx.$executeRaw`INSERT INTO series_due (series_id) SELECT unnest(${[...seriesIds]}::text[])`
  await tx.$executeRaw`INSERT INTO series_trend_stale (series_id) SELECT unnest(${[...seriesIds]}::text[])`
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
  await database().$transaction(async (tx) => {
    const where = { id: seriesId, projectId: project.id }
    const { count } = await tx.series.updateMany({ where, data: { isControl } })
    if (count === 0) throw new NotFoundError('series')
    await judgeAgain(tx, [seriesId])
  })
}
