import { z } from 'zod'
import { detectorVersion } from '../../lib/detect/sensitivity'
import { alertIdsOf, applyEvaluations, type EvaluationChanges } from '../../lib/rules/alert-lifecycle'
import type { WatchedChange } from '../../lib/rules/evaluate-profile'
import type { RulesEvaluation } from '../../lib/rules/evaluate-rules'
import { judgeCandidates, judgeEvaluation } from '../../lib/rules/judge-evaluation'
import { liveStates } from '../../lib/rules/stored-alerts'
import type { LoadProfile } from '../../lib/run/series'
import type { SeriesPoint } from '../../lib/run/stored'
import type { Viewer } from '../../lib/viewer'
import { database } from '../db'
import type { Prisma } from '../generated/client'
import { watchedSchema } from '../rows/alert-rows'
import { jsonColumn } from '../rows/json-columns'
import { requireProject, type Db } from '../statements/access'
import { refreshGuards, writeJudgements } from '../statements/judgements'
import { clockOf, lockAlerts, readAlerts, writeAlerts } from '../statements/alert-changes'
import { listCandidates } from '../statements/series-points'

/**
 * A series whose runs changed since its last evaluation, and the changes that the next one sees. Their ids are no order:
 * a transaction may take a low one and commit late.
 */
export interface DueSeries {
  readonly projectId: string
  readonly seriesId: string
  readonly dueIds: readonly string[]
  /** Its runs did not change: only what is said of them may have. */
  readonly onlyJudgement: boolean
}

const dueSchema = z.array(
  z.object({ projectId: z.string(), seriesId: z.string(), dueIds: z.array(z.string()), onlyJudgement: z.boolean() }),
)

/** The series of the whole installation that wait for an evaluation, longest waiting first. */
export async function listDueSeries(limit: number): Promise<readonly DueSeries[]> {
  return dueSchema.parse(
    await database().$queryRaw`
      SELECT series.project_id AS "projectId", series.id AS "seriesId", array_agg(series_due.id::text) AS "dueIds",
        bool_and(series_due.only_judgement) AS "onlyJudgement"
      FROM series_due JOIN series ON series.id = series_due.series_id
      JOIN project ON project.id = series.project_id AND project.deleted_at IS NULL
      GROUP BY series.project_id, series.id ORDER BY min(series_due.id) LIMIT ${limit}`,
  )
}

/** One series if it waits for an evaluation; null: it does not. Throws NotFoundError. */
export async function findDueSeries(viewer: Viewer, projectId: string, seriesId: string): Promise<DueSeries | null> {
  const project = await requireProject(database(), viewer, projectId)
  const waiting = await database().seriesDue.findMany({
    where: { seriesId, series: { projectId: project.id } },
    select: { id: true, onlyJudgement: true },
  })
  const dueIds = waiting.map(({ id }) => String(id))
  const onlyJudgement = waiting.every((one) => one.onlyJudgement)
  return dueIds.length === 0 ? null : { projectId: project.id, seriesId, dueIds, onlyJudgement }
}

/** What was known after the last evaluation, by load profile; `version` names that evaluation. */
export interface Watches {
  readonly version: string
  readonly byProfile: Readonly<Record<string, readonly WatchedChange[]>>
}

/** What the detector knows of a series. Throws NotFoundError. */
export async function getWatches(viewer: Viewer, projectId: string, seriesId: string): Promise<Watches> {
  const project = await requireProject(database(), viewer, projectId)
  return readWatches(database(), project.id, seriesId)
}

async function readWatches(db: Db, projectId: string, seriesId: string): Promise<Watches> {
  const rows = await db.seriesWatch.findMany({ where: { projectId, seriesId }, orderBy: { evaluatedAt: 'desc' } })
  return {
    version: rows.map((row) => `${row.profile}@${row.evaluatedAt.toISOString()}`).join(),
    byProfile: Object.fromEntries(rows.map((row) => [row.profile, watchedSchema.parse(row.watched)])),
  }
}

interface EvaluationsInput {
  readonly due: DueSeries
  /** Of the watches that the evaluations started from. */
  readonly version: string
  readonly evaluations: readonly RulesEvaluation[]
  /** Runs that are judged against the series without joining it; each by the evaluation of its load. */
  readonly candidates: readonly SeriesPoint[]
}

/**
 * Stores evaluations of a series' profiles in one transaction: what they change of the project's alerts, what is known now,
 * what is said of the runs, and that the series is no longer due. False: another evaluation came between, nothing is stored; evaluate again. Throws
 * NotFoundError.
 */
export async function saveEvaluations(viewer: Viewer, input: EvaluationsInput, now: Date): Promise<boolean> {
  const { due, evaluations } = input
  return database().$transaction(async (tx) => {
    const project = await requireProject(tx, viewer, due.projectId)
    await lockAlerts(tx, project.id)
    if ((await readWatches(tx, project.id, due.seriesId)).version !== input.version) return false
    const state = await readAlerts(tx, project.id, neededAlerts(evaluations))
    const changes = due.onlyJudgement
      ? unchanged(evaluations, await readWatches(tx, project.id, due.seriesId))
      : applyEvaluations(state, due.seriesId, evaluations, clockOf(now))
    await writeAlerts(tx, project.id, changes, now)
    const alerts = [
      ...new Map([...state.alerts, ...changes.changed, ...changes.raised].map((one) => [one.id, one])).values(),
    ]
    const judged = changes.watched.flatMap(({ evaluation, watched }) => [
      ...judgeEvaluation(evaluation, watched, alerts),
    ])
    for (const { evaluation, watched } of due.onlyJudgement ? [] : changes.watched)
      await writeWatch(tx, project.id, evaluation.profile, watched, now)
    await writeJudgements(tx, new Map([...judged, ...judgeCandidates(evaluations, input.candidates)]))
    await tx.$executeRaw`
      DELETE FROM series_due WHERE series_id = ${due.seriesId} AND id = ANY(${[...due.dueIds]}::bigint[])`
    return true
  })
}

/** Nothing happened to alerts: what is known of each profile stays. */
function unchanged(evaluations: readonly RulesEvaluation[], { byProfile }: Watches): EvaluationChanges {
  const watched = evaluations.map((evaluation) => ({ evaluation, watched: byProfile[evaluation.profile.name] ?? [] }))
  return { raised: [], changed: [], steps: [], news: [], watched }
}

/** Those that `applyEvaluations` asks for: with thousands open, most evaluations read few. */
function neededAlerts(evaluations: readonly RulesEvaluation[]): Prisma.AlertWhereInput {
  const hasFresh = evaluations.some(({ changes }) => changes.fresh.length > 0)
  const live = hasFresh ? [{ state: { in: [...liveStates] } }] : []
  return { OR: [{ isOngoing: true }, { id: { in: [...alertIdsOf(evaluations)] } }, ...live] }
}

async function writeWatch(
  db: Db,
  projectId: string,
  profile: LoadProfile,
  watched: readonly WatchedChange[],
  now: Date,
) {
  const key = { seriesId: profile.series.id, profile: profile.name }
  const data = { watched: jsonColumn(watched), detectorVersion, evaluatedAt: now }
  await db.seriesWatch.upsert({
    where: { seriesId_profile: key },
    create: { ...key, projectId, ...data },
    update: data,
  })
}

/** Candidates of a series that are not judged yet. Throws NotFoundError. */
export async function listDueCandidates(
  viewer: Viewer,
  projectId: string,
  seriesId: string,
): Promise<readonly SeriesPoint[]> {
  const project = await requireProject(database(), viewer, projectId)
  return listCandidates(database(), project.id, seriesId)
}

/** Checks the guards of a series' newest runs again where an older version did. Throws NotFoundError. */
export async function updateGuards(viewer: Viewer, projectId: string, seriesId: string): Promise<void> {
  const project = await requireProject(database(), viewer, projectId)
  await refreshGuards(database(), project.id, seriesId)
}
