import { z } from 'zod'
import { NotFoundError } from '../../lib/errors'
import { detectorVersion } from '../../lib/detect/sensitivity'
import { alertIdsOf, applyEvaluations, type EvaluationChanges } from '../../lib/rules/alert-lifecycle'
import type { WatchedChange } from '../../lib/rules/evaluate-profile'
import type { RulesEvaluation } from '../../lib/rules/evaluate-rules'
import { judgeCandidates, judgeEvaluation } from '../../lib/rules/judge-evaluation'
import { liveStates } from '../../lib/rules/stored-alerts'
import type { ReferenceRun } from '../../lib/rules/rule-events'
import type { Rule } from '../../lib/rules/rules'
import type { SeriesHistory, SeriesPoint } from '../../lib/run/stored'
import { storableJson } from '../../lib/text'
import type { Viewer } from '../../lib/viewer'
import { database } from '../db'
import type { Prisma } from '../generated/client'
import { watchedSchema } from '../rows/alert-rows'
import { requireProject, type Db } from '../statements/access'
import { refreshGuards, writeJudgements } from '../statements/judgements'
import { clockOf, lockAlerts, readAlerts, writeAlerts } from '../statements/alert-changes'
import { readRules } from '../statements/read-rules'
import { listCandidates, listPoints, seriesSelect } from '../statements/series-points'
import { commitLater } from '../statements/commit-later'
import { listReferenceRuns } from './rules'

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
  const project = await requireProject(database(), viewer, projectId, 'read')
  const waiting = await database().seriesDue.findMany({
    where: { seriesId, series: { projectId: project.id } },
    select: { id: true, onlyJudgement: true },
  })
  const dueIds = waiting.map(({ id }) => String(id))
  const onlyJudgement = waiting.every((one) => one.onlyJudgement)
  return dueIds.length === 0 ? null : { projectId: project.id, seriesId, dueIds, onlyJudgement }
}

/** What was known after the last evaluation, by load profile; `version` names that evaluation. */
interface Watches {
  readonly version: string
  readonly byProfile: Readonly<Record<string, readonly WatchedChange[]>>
}

/** All that an evaluation of a series reads. */
export interface EvaluationInput extends Watches {
  readonly rules: readonly Rule[]
  readonly reference: readonly ReferenceRun[]
  /** With the newest runs. */
  readonly history: SeriesHistory
  /** Candidates that are not judged yet. */
  readonly candidates: readonly SeriesPoint[]
}

/** What an evaluation of a series starts from, with its newest `runs`. Throws NotFoundError. */
export async function getEvaluationInput(
  viewer: Viewer,
  { projectId, seriesId }: Pick<DueSeries, 'projectId' | 'seriesId'>,
  runs: number,
): Promise<EvaluationInput> {
  const db = database()
  const project = await requireProject(db, viewer, projectId, 'read')
  // First: what is read later may only be newer than the evaluation that it is taken to follow.
  const watches = await readWatches(db, project.id, seriesId)
  const [rules, series, points, candidates] = await Promise.all([
    readRules(db, project.id),
    db.series.findFirst({ where: { id: seriesId, projectId: project.id }, select: seriesSelect }),
    listPoints(db, [seriesId], runs),
    listCandidates(db, project.id, seriesId),
  ])
  if (series === null) throw new NotFoundError('Series')
  const hasReference = rules.some(({ settings }) => settings.kind === 'baseline')
  const reference = hasReference ? await listReferenceRuns(viewer, project.id, rules) : []
  const history = { ...series, projectSlug: project.slug, points: points.get(seriesId) ?? [] }
  return { ...watches, rules, reference, history, candidates }
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
    const project = await requireProject(tx, viewer, due.projectId, 'read')
    await lockAlerts(tx, project.id)
    const before = await readWatches(tx, project.id, due.seriesId)
    if (before.version !== input.version) return false
    const state = await readAlerts(tx, project.id, neededAlerts(evaluations))
    const changes = due.onlyJudgement
      ? unchanged(evaluations, before)
      : applyEvaluations(state, due.seriesId, evaluations, clockOf(now))
    // Nothing to tell anybody of: a power cut leaves the series due, and the next start comes to the same.
    if (changes.changed.length + changes.raised.length === 0) await commitLater(tx)
    await writeAlerts(tx, project.id, changes, now)
    const alerts = [
      ...new Map([...state.alerts, ...changes.changed, ...changes.raised].map((one) => [one.id, one])).values(),
    ]
    const judged = changes.watched.flatMap(({ evaluation, watched }) => [
      ...judgeEvaluation(evaluation, watched, alerts),
    ])
    if (!due.onlyJudgement) await writeWatches(tx, due, changes.watched, now)
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

async function writeWatches(
  db: Db,
  { projectId, seriesId }: DueSeries,
  changes: EvaluationChanges['watched'],
  now: Date,
): Promise<void> {
  if (changes.length === 0) return
  const profiles = changes.map(({ evaluation }) => evaluation.profile.name)
  const texts = changes.map(({ watched }) => JSON.stringify(storableJson(watched)))
  await db.$executeRaw`
    INSERT INTO series_watch (series_id, profile, project_id, watched, detector_version, evaluated_at)
    SELECT ${seriesId}, profile, ${projectId}, watched::jsonb, ${detectorVersion}, ${now}
    FROM unnest(${profiles}::text[], ${texts}::text[]) AS new (profile, watched)
    ON CONFLICT (series_id, profile) DO UPDATE
    SET watched = EXCLUDED.watched, detector_version = EXCLUDED.detector_version, evaluated_at = EXCLUDED.evaluated_at`
}

/** Checks the guards of a series' newest runs again where an older version did. Throws NotFoundError. */
export async function updateGuards(viewer: Viewer, projectId: string, seriesId: string): Promise<void> {
  const project = await requireProject(database(), viewer, projectId, 'read')
  await refreshGuards(database(), project.id, seriesId)
}
