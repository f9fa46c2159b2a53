import { z } from 'zod'
import { groupBy } from '../../../lib/group-by'
import { evaluatedRuns, trendsOf, type SeriesChanges, type SeriesTrends } from '../../../lib/levels/trend'
import { packTrends, storedTrendVersion, unpackTrends } from '../../../lib/levels/stored-trend'
import { InvalidInputError, NotFoundError } from '../../../lib/errors'
import {
  noiseRuns,
  packNoise,
  seriesNoiseOf,
  storedNoiseVersion,
  unpackNoise,
  type SeriesNoise,
} from '../../../lib/judge/history-noise'
import type { Metric } from '../../../lib/run/metrics'
import type { SeriesSummary } from '../../../lib/history/stored-series'
import { database } from '../../db'
import { changesSchema } from '../../rows/alert-rows'
import { isId } from '../../rows/ids'
import type { Db, Granted } from '../../statements/access'
import { writeLater } from '../../statements/commit-later'
import { listPoints, seriesNames, seriesSelect } from '../../statements/series-points'

/** The requested trends: each metric of each series' newest `runs`. */
export interface WantedTrends {
  readonly seriesIds: readonly string[]
  readonly metrics: readonly Metric[]
  readonly runs: number
}

/** Trends, and the series whose trends are out of date: those show what was stored before, or nothing. */
export interface TrendsSoFar {
  readonly trends: ReadonlyMap<Metric, readonly SeriesTrends[]>
  readonly waiting: readonly string[]
}

const maxSeries = 200
const maxRuns = 2_000
/** Uploads to these series wait while they are read and judged. */
const seriesAtOnce = 10

/**
 * Judged trends by metric, each in the order of `seriesIds`. Stored trends are read; the rest is judged now and stored.
 * Throws NotFoundError when a series is missing or foreign, InvalidInputError for more than 200 series or 2,000 runs.
 */
export async function getTrends(
  project: Granted<'read'>,
  wanted: WantedTrends,
): Promise<ReadonlyMap<Metric, readonly SeriesTrends[]>> {
  return (await getTrendsSoFar(project, wanted, maxSeries)).trends
}

/**
 * The same, judging at most `maxJudged` series now, the first ones first: hundreds take seconds. Throws as `getTrends`
 * does.
 */
export async function getTrendsSoFar(
  project: Granted<'read'>,
  { seriesIds, metrics, runs }: WantedTrends,
  maxJudged: number,
): Promise<TrendsSoFar> {
  if (seriesIds.length > maxSeries || !(Number.isInteger(runs) && runs >= 1 && runs <= maxRuns))
    throw new InvalidInputError('A trend shows at most 200 series of 2,000 runs.', { field: 'series' })
  const { series, found, fresh } = await readStored(project, [...new Set(seriesIds)], { metrics, runs })
  const due = series.filter((one) => metrics.some((metric) => !fresh.has(keyOf(one.id, metric))))
  const now = due.slice(0, maxJudged)
  for (let at = 0; at < now.length; at += seriesAtOnce) {
    const judged = await judgeAndStore(now.slice(at, at + seriesAtOnce), metrics, runs)
    for (const [key, trends] of judged) found.set(key, trends)
  }
  const seriesTrends = (one: SeriesSummary, metric: Metric): SeriesTrends =>
    found.get(keyOf(one.id, metric)) ?? { series: one, trends: [] }
  return {
    trends: new Map(metrics.map((metric) => [metric, series.map((one) => seriesTrends(one, metric))])),
    waiting: due.slice(maxJudged).map((one) => one.id),
  }
}

const keyOf = (seriesId: string, metric: Metric): string => `${seriesId} ${metric.id}`

const storedSchema = z.array(
  z.object({ ...seriesNames, metricId: z.string().nullable(), lines: z.string().nullable(), isFresh: z.boolean() }),
)

/**
 * The series in this order, their stored trends, and which of those hold: no run of the series changed since. Throws
 * NotFoundError.
 */
async function readStored(
  project: Granted<'read'>,
  ids: readonly string[],
  { metrics, runs }: Pick<WantedTrends, 'metrics' | 'runs'>,
) {
  if (!ids.every(isId)) throw new NotFoundError('Series')
  const rows = storedSchema.parse(
    await database().$queryRaw`
      SELECT s.id, s.project_id AS "projectId", s.scenario, s.variant, s.environment, t.metric_id AS "metricId", t.lines,
        NOT EXISTS (SELECT FROM series_trend_stale AS stale WHERE stale.series_id = s.id) AS "isFresh"
      FROM series AS s LEFT JOIN series_trend AS t ON t.series_id = s.id AND t.runs = ${runs}::int
        AND t.metric_id = ANY(${metrics.map((metric) => metric.id)}::text[]) AND t.version = ${storedTrendVersion}
      WHERE s.id = ANY(${[...ids]}::text[]) AND s.project_id = ${project.id}`,
  )
  const metricOf = new Map(metrics.map((metric) => [metric.id, metric]))
  const seriesOf = new Map<string, SeriesSummary>()
  const found = new Map<string, SeriesTrends>()
  const fresh = new Set<string>()
  for (const { metricId, lines, isFresh, ...names } of rows) {
    const series = seriesOf.get(names.id) ?? { ...names, projectSlug: project.slug }
    seriesOf.set(series.id, series)
    const metric = metricId === null ? undefined : metricOf.get(metricId)
    if (metric === undefined || lines === null) continue
    found.set(keyOf(series.id, metric), { series, trends: unpackTrends(lines, series, metric) })
    if (isFresh) fresh.add(keyOf(series.id, metric))
  }
  const series = ids.flatMap((id) => seriesOf.get(id) ?? [])
  if (series.length < ids.length) throw new NotFoundError('Series')
  return { series, found, fresh }
}

/**
 * While the rows of the series are locked, no run of theirs can be added or changed (see the migration of
 * series_trend): what is read then holds until it is marked as stale. A series that is being uploaded to is judged, but
 * not stored, and on a full disk none is.
 */
async function makeAndStore<T>(
  ids: readonly string[],
  make: (db: Db) => Promise<T>,
  store: (tx: Db, locked: readonly string[], made: T) => Promise<void>,
): Promise<T> {
  const stored = await writeLater(database(), async (tx) => {
    const locked = await lockSeries(tx, ids)
    const made = await make(tx)
    await store(tx, locked, made)
    return { made }
  })
  return stored === null ? make(database()) : stored.made
}

async function judgeAndStore(series: readonly SeriesSummary[], metrics: readonly Metric[], runs: number) {
  const ids = series.map((one) => one.id)
  const judge = async (db: Db) => {
    const [points, known] = [await listPoints(db, ids, Math.max(runs, evaluatedRuns)), await readChanges(db, ids)]
    return series.flatMap((one) => {
      const history = { ...one, points: points.get(one.id) ?? [] }
      return metrics.map((metric) => ({ metric, ...trendsOf(history, metric, runs, known.get(one.id)) }))
    })
  }
  const judged = await makeAndStore(ids, judge, (tx, locked, made) => {
    const rows = made.map(({ metric, series: { id }, trends }) => {
      return { seriesId: id, metricId: metric.id, lines: packTrends(trends) }
    })
    return storeRows(tx, locked, rows, { runs, version: storedTrendVersion })
  })
  return new Map(judged.map(({ metric, ...trends }) => [keyOf(trends.series.id, metric), trends]))
}

/** Changes as this version stores them; those that another version stored are ignored. */
function knownChanges(stored: unknown): SeriesChanges[string] {
  return changesSchema.safeParse(stored).data ?? {}
}

/** Changes from the newest evaluation of each series; absent: there was none yet. */
async function readChanges(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, SeriesChanges>> {
  const rows = await db.seriesWatch.findMany({
    where: { seriesId: { in: [...ids] } },
    select: { seriesId: true, profile: true, changes: true },
  })
  const own = groupBy(rows, ({ seriesId }) => seriesId)
  return new Map(
    [...own].map(([id, of]) => [
      id,
      Object.fromEntries(of.map(({ profile, changes }) => [profile, knownChanges(changes)])),
    ]),
  )
}

async function lockSeries(tx: Db, ids: readonly string[]): Promise<readonly string[]> {
  const locked = await tx.$queryRaw`
    SELECT id FROM series WHERE id = ANY(${[...ids]}::text[]) ORDER BY id FOR UPDATE SKIP LOCKED`
  return z
    .array(z.object({ id: z.string() }))
    .parse(locked)
    .map((row) => row.id)
}

interface StoredRow {
  readonly seriesId: string
  readonly metricId: string
  readonly lines: string
}

/** Stores the trends of the locked series; removes those stored before that no longer hold. */
async function storeRows(
  tx: Db,
  locked: readonly string[],
  rows: readonly StoredRow[],
  { runs, version }: { readonly runs: number; readonly version: string },
): Promise<void> {
  const wanted = rows.filter((one) => locked.includes(one.seriesId))
  if (wanted.length === 0) return
  await tx.$executeRaw`
    DELETE FROM series_trend AS t USING series_trend_stale AS s
    WHERE s.series_id = t.series_id AND s.series_id = ANY(${[...locked]}::text[])`
  await tx.$executeRaw`DELETE FROM series_trend_stale WHERE series_id = ANY(${[...locked]}::text[])`
  const [ids, metricIds, lines] = [
    wanted.map((one) => one.seriesId),
    wanted.map((one) => one.metricId),
    wanted.map((one) => one.lines),
  ]
  await tx.$executeRaw`
    INSERT INTO series_trend (series_id, metric_id, runs, version, lines)
    SELECT series_id, metric_id, ${runs}::int, ${version}, lines
    FROM unnest(${ids}::text[], ${metricIds}::text[], ${lines}::text[]) AS new (series_id, metric_id, lines)
    ON CONFLICT (series_id, runs, metric_id) DO UPDATE SET version = EXCLUDED.version, lines = EXCLUDED.lines`
}

/** Represents all metrics of a series where its noise is stored. */
const noiseMetricId = 'noise'
const noiseSchema = z.array(z.object({ seriesId: z.string(), lines: z.string().nullable(), isFresh: z.boolean() }))

/**
 * The noise of the newest runs of series, in the order of `seriesIds`, each once: read as stored; if nothing is stored,
 * or a run changed since, computed and stored. Throws NotFoundError when one is missing or foreign, InvalidInputError
 * for more than 200 series.
 */
export async function listSeriesNoise(
  project: Granted<'read'>,
  seriesIds: readonly string[],
): Promise<readonly SeriesNoise[]> {
  const ids = [...new Set(seriesIds)]
  if (ids.length > maxSeries)
    throw new InvalidInputError('Noise can be listed for at most 200 series.', { field: 'series' })
  if (!ids.every(isId)) throw new NotFoundError('Series')
  const stored = noiseSchema.parse(
    await database().$queryRaw`
      SELECT series.id AS "seriesId", t.lines,
        NOT EXISTS (SELECT FROM series_trend_stale AS s WHERE s.series_id = series.id) AS "isFresh"
      FROM series LEFT JOIN series_trend AS t
        ON t.series_id = series.id AND t.runs = ${noiseRuns}::int AND t.metric_id = ${noiseMetricId} AND t.version = ${storedNoiseVersion}
      WHERE series.id = ANY(${ids}::text[]) AND series.project_id = ${project.id}`,
  )
  if (stored.length !== ids.length) throw new NotFoundError('Series')
  const found = new Map(
    stored.flatMap(({ seriesId, lines, isFresh }): [string, SeriesNoise][] =>
      isFresh && lines !== null ? [[seriesId, unpackNoise(seriesId, lines)]] : [],
    ),
  )
  const due = ids.filter((id) => !found.has(id))
  for (let at = 0; at < due.length; at += seriesAtOnce) {
    for (const noise of await computeNoise(project, due.slice(at, at + seriesAtOnce))) found.set(noise.seriesId, noise)
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}

async function computeNoise(
  project: { readonly slug: string },
  ids: readonly string[],
): Promise<readonly SeriesNoise[]> {
  const make = async (db: Db) => {
    const points = await listPoints(db, ids, noiseRuns, { wholeRuns: true })
    const series = await db.series.findMany({ where: { id: { in: [...ids] } }, select: seriesSelect })
    return series.map((one) => seriesNoiseOf({ ...one, projectSlug: project.slug, points: points.get(one.id) ?? [] }))
  }
  return makeAndStore(ids, make, (tx, locked, noises) => {
    const rows = noises.map(({ seriesId, byProfile }) => {
      return { seriesId, metricId: noiseMetricId, lines: packNoise(byProfile) }
    })
    return storeRows(tx, locked, rows, { runs: noiseRuns, version: storedNoiseVersion })
  })
}
