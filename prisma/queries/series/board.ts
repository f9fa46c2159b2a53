import { z } from 'zod'
import { NotFoundError } from '../../../lib/errors'
import type { BoardRun, BoardSeries, PastJudgements } from '../../../lib/board/series'
import { toolSchema } from '../../../lib/run/imported-run-schema'
import { judgedStates } from '../../../lib/run/judged-states'
import { metricJudgementSchema } from '../../../lib/run/judgement'
import { percentiles, type Metric } from '../../../lib/run/metrics'
import type { Tool } from '../../../lib/run/tools'
import { database } from '../../db'
import { figureColumnsSql, figuresSchema } from '../../rows/figure-columns'
import { isId } from '../../rows/ids'
import { toJudgement, toRunRow } from '../../rows/run-rows'
import type { Granted } from '../../statements/access'
import { newestRuns, newestSeries } from '../../statements/newest-series'
import { rawRunRowSchema, rowColumnsSql } from '../../statements/read-rows'
import { seriesNames } from '../../statements/series-points'

const maxSeries = 400
const maxRuns = 500

const seriesSchema = z.array(
  z.object({
    ...seriesNames,
    runId: z.string().nullable(),
    uploadId: z.string().nullable(),
    uploadName: z.string().nullable(),
    commit: z.string().nullable(),
    orderedAt: z.date().nullable(),
    state: z.enum(judgedStates).nullable(),
    laterId: z.string().nullable(),
    laterCandidate: z.boolean().nullable(),
  }),
)

/**
 * The series of a project's newest 5,000 runs, at most 400, by their newest run, newest first; each with its newest run
 * that takes part in it.
 */
export async function listBoard(project: Granted<'read'>): Promise<readonly BoardSeries[]> {
  // As in `listPoints`: BETWEEN a value and itself, so that each series is an index range; OFFSET 0 forces a look-up by
  // key.
  const rows = seriesSchema.parse(
    await database().$queryRaw`
      SELECT s.id, s.project_id AS "projectId", s.scenario, s.variant, s.environment, n.id AS "runId",
        n.upload_id AS "uploadId", u.name AS "uploadName", n.labels ->> 'commit' AS commit, n.ordered_at AS "orderedAt",
        n.judged_state AS state, later.id AS "laterId", later.candidate AS "laterCandidate"
      FROM (${newestSeries(project.id, { runs: newestRuns, most: maxSeries })}) AS own
      CROSS JOIN LATERAL (SELECT * FROM series WHERE series.id = own.series_id OFFSET 0) AS s
      LEFT JOIN LATERAL (
        SELECT id, upload_id, labels, ordered_at, judged_state FROM run
        WHERE run.series_id BETWEEN own.series_id AND own.series_id AND deleted_at IS NULL AND in_series
        ORDER BY run.series_id DESC, run.ordered_at DESC, run.id DESC LIMIT 1
      ) AS n ON TRUE
      LEFT JOIN LATERAL (SELECT name FROM upload WHERE upload.id = n.upload_id OFFSET 0) AS u ON TRUE
      LEFT JOIN LATERAL (
        SELECT id, candidate FROM run
        WHERE run.series_id BETWEEN own.series_id AND own.series_id AND deleted_at IS NULL AND NOT in_series
          AND run.ordered_at >= own.newest_at AND (n.id IS NULL OR own.newest_at > n.ordered_at)
        ORDER BY run.series_id DESC, run.ordered_at DESC, run.id DESC LIMIT 1
      ) AS later ON TRUE
      ORDER BY own.newest_at DESC, s.scenario, s.variant, s.id`,
  )
  return rows.map(({ runId, uploadId, uploadName, commit, orderedAt, state, laterId, laterCandidate, ...series }) => ({
    ...series,
    projectSlug: project.slug,
    newest:
      runId === null || uploadId === null || orderedAt === null
        ? null
        : { runId, uploadId, uploadName: uploadName ?? '', commit, orderedAt: orderedAt.toISOString(), state },
    later: laterId === null ? null : { runId: laterId, isCandidate: laterCandidate === true },
  }))
}

const boardRunsSchema = z.array(rawRunRowSchema.and(z.object({ judgement: z.json().nullable() })))

/** Runs with their judgements, by id; deleted ones are left out. */
export async function listBoardRuns(
  project: Granted<'read'>,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, BoardRun>> {
  const found = boardRunsSchema.parse(
    await database().$queryRaw`
      SELECT ${rowColumnsSql}, r.judgement FROM run AS r
      WHERE r.id = ANY(${runIds.slice(0, maxRuns).filter(isId)}::text[]) AND r.project_id = ${project.id}
        AND r.deleted_at IS NULL`,
  )
  return new Map(
    found.map((row) => [row.id, { ...toRunRow({ ...row, project }), judgement: toJudgement(row.judgement) }]),
  )
}

/** The newest run of a series that takes part in it; null: there is none. Throws NotFoundError. */
export async function newestOfSeries(project: Granted<'read'>, seriesId: string): Promise<string | null> {
  if (!isId(seriesId)) throw new NotFoundError('Series')
  const found = z.array(z.object({ id: z.string() })).parse(
    await database().$queryRaw`
      SELECT id FROM (
        SELECT id, project_id FROM run
        WHERE run.series_id BETWEEN ${seriesId} AND ${seriesId} AND deleted_at IS NULL AND in_series
        ORDER BY run.series_id DESC, ordered_at DESC, id DESC LIMIT 1
      ) AS newest WHERE project_id = ${project.id}`,
  )
  return found[0]?.id ?? null
}

const idsSchema = z.array(z.object({ id: z.string() }))
const expectedSchema = z.array(z.object({ id: z.string(), judged: metricJudgementSchema }))

/**
 * Past judgements of a metric for the runs of some series, each since its time: which were outside, and the expected
 * ranges of `runIds`. At most 500 of each.
 */
export async function readPastJudgements(
  project: Granted<'read'>,
  asked: {
    readonly metric: Metric
    /** Time of the oldest requested run, by series. */
    readonly sinceOf: ReadonlyMap<string, string>
    readonly runIds: readonly string[]
  },
): Promise<PastJudgements> {
  const { metric, sinceOf, runIds } = asked
  const isOutside = JSON.stringify([{ metricId: metric.id, state: 'unusual' }])
  const [outside, expected] = await Promise.all([
    // Read series by series: everything unusual in the project since the oldest of them is a hundred times as much.
    sinceOf.size === 0
      ? []
      : database().$queryRaw`
          SELECT own.id FROM unnest(${[...sinceOf.keys()]}::text[], ${[...sinceOf.values()]}::text[]::timestamptz[])
            AS asked (series_id, since),
          LATERAL (
            SELECT id, project_id, ordered_at, judgement FROM run
            WHERE run.series_id BETWEEN asked.series_id AND asked.series_id AND run.ordered_at >= asked.since
              AND judged_state = 'unusual' AND deleted_at IS NULL
            ORDER BY run.series_id DESC, run.ordered_at DESC, run.id DESC OFFSET 0
          ) AS own
          WHERE own.project_id = ${project.id} AND judgement -> 'metrics' @> ${isOutside}::jsonb
          ORDER BY own.ordered_at DESC, own.id DESC LIMIT ${maxRuns}`,
    runIds.length === 0
      ? []
      : database().$queryRaw`
          SELECT run.id, judged FROM run, LATERAL (
            SELECT one AS judged FROM jsonb_array_elements(judgement -> 'metrics') AS one
            WHERE one ->> 'metricId' = ${metric.id} LIMIT 1
          ) AS own
          WHERE run.id = ANY(${runIds.slice(0, maxRuns)}::text[]) AND project_id = ${project.id} AND deleted_at IS NULL`,
  ])
  return {
    outside: new Set(idsSchema.parse(outside).map(({ id }) => id)),
    expected: new Map(expectedSchema.parse(expected).map(({ id, judged }) => [id, judged])),
  }
}

const maxFanRuns = 100
const fanSchema = z.array(z.object({ id: z.string(), tool: toolSchema, ...figuresSchema }))

/** A run's printed percentiles and max, in the form that a fan takes. */
interface FanFigures {
  readonly id: string
  readonly tool: Tool
  readonly quantiles: readonly { readonly q: number; readonly ms: number }[]
  readonly maxMs: number | null
  readonly requests: number | null
}

/** Percentiles and max of runs of a project, at most 100, by id. */
export async function listFanRuns(
  project: Granted<'read'>,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, FanFigures>> {
  const rows = fanSchema.parse(
    await database().$queryRaw`
      SELECT id, tool, ${figureColumnsSql} FROM run
      WHERE id = ANY(${runIds.slice(-maxFanRuns)}::text[]) AND project_id = ${project.id} AND deleted_at IS NULL`,
  )
  return new Map(
    rows.map(({ id, tool, maxMs, requests, ...own }) => {
      const quantiles = percentiles.flatMap(({ q, key }) => {
        const ms = own[key]
        return ms === null ? [] : [{ q, ms }]
      })
      return [id, { id, tool, quantiles, maxMs, requests }]
    }),
  )
}
