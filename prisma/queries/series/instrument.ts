import { z } from 'zod'
import type { InstrumentRuns } from '../../../lib/instrument/instrument'
import { storableText } from '../../../lib/text'
import { database } from '../../db'
import type { Granted } from '../../statements/access'
import { newestRuns, newestSeries } from '../../statements/newest-series'
import { listPoints, readRunPoints, seriesNames } from '../../statements/series-points'

/** Newest experiments with a control, and runs of base and control of them all. */
const [mostExperiments, mostRuns] = [24, 1_500]
/** Newest runs of controls among which those of the environment are searched. */
const searched = 3_000
/** Series whose repeats are read, and newest runs of each. */
const [mostSeries, runsOfEach] = [12, 60]

const controlsSchema = z.array(z.object({ id: z.string(), experiment: z.string(), metricId: z.string().nullable() }))
const seriesSchema = z.array(z.object(seriesNames))

/**
 * The runs of identical code on an environment: of its newest 24 experiments with a control, however they were planned,
 * and of the series that ran on it last.
 */
export async function listInstrumentRuns(project: Granted<'read'>, environment: string): Promise<InstrumentRuns> {
  const name = storableText(environment)
  const found = controlsSchema.parse(
    await database().$queryRaw`
      WITH newest AS MATERIALIZED (
        SELECT labels ->> 'experiment' AS experiment, max(run.ordered_at) AS newest_at FROM (
          SELECT run_id FROM run_term WHERE term_id = term_list(${project.id}, 'label', 'arm', 'control')
          ORDER BY ordered_at DESC, run_id DESC LIMIT ${searched}
        ) AS term JOIN run ON run.id = term.run_id
        WHERE run.environment = ${name} AND deleted_at IS NULL AND labels ->> 'experiment' IS NOT NULL
        GROUP BY 1 ORDER BY 2 DESC LIMIT ${mostExperiments}
      )
      SELECT run.id, newest.experiment, planned.metric_id AS "metricId" FROM newest
      LEFT JOIN experiment AS planned ON planned.id = newest.experiment AND planned.project_id = ${project.id},
      LATERAL (
        SELECT run_id FROM run_term WHERE term_id = term_list(${project.id}, 'label', 'experiment', newest.experiment)
        LIMIT ${mostRuns}
      ) AS term JOIN run ON run.id = term.run_id
      WHERE run.environment = ${name} AND run.deleted_at IS NULL AND run.labels ->> 'experiment' = newest.experiment
        AND run.labels ->> 'arm' IN ('base', 'control')
      ORDER BY newest.newest_at DESC, run.id LIMIT ${mostRuns}`,
  )
  const controls = await readRunPoints(
    database(),
    project.id,
    found.map(({ id }) => id),
  )
  const deciding = found.flatMap(({ experiment, metricId }) =>
    metricId === null ? [] : [[experiment, metricId] as const],
  )
  const series = seriesSchema.parse(
    await database().$queryRaw`
      SELECT s.id, s.project_id AS "projectId", s.scenario, s.variant, s.environment
      FROM (${newestSeries(project.id, { runs: newestRuns, most: 400 })}) AS own, LATERAL (
        SELECT * FROM series WHERE series.id = own.series_id OFFSET 0
      ) AS s WHERE s.environment = ${name} ORDER BY own.newest_at DESC, s.id LIMIT ${mostSeries}`,
  )
  const points = await listPoints(
    database(),
    series.map(({ id }) => id),
    runsOfEach,
  )
  const histories = series.map((one) => ({ ...one, projectSlug: project.slug, points: points.get(one.id) ?? [] }))
  return { environment, controls, deciding: new Map(deciding), histories }
}
