import { z } from 'zod'
import { groupBy } from '../../../lib/group-by'
import type { KnownChanges } from '../../../lib/levels/trend'
import { detectorVersion } from '../../../lib/levels/sensitivity'
import type { Alert } from '../../../lib/rules/alert-book'
import { alertIdsOf, applyEvaluations, type EvaluationChanges } from '../../../lib/rules/alert-lifecycle'
import type { WatchedChange } from '../../../lib/rules/evaluate-profile'
import type { RulesEvaluation } from '../../../lib/rules/evaluate-rules'
import { judgeCandidates, judgeEvaluation } from '../../../lib/rules/judge-evaluation'
import { liveStates } from '../../../lib/rules/stored-alerts'
import type { ReferenceRun } from '../../../lib/rules/rule-events'
import type { Rule } from '../../../lib/rules/rules'
import type { StoredJudgement } from '../../../lib/run/judgement'
import type { SeriesHistory, SeriesPoint } from '../../../lib/history/stored-series'
import { storableJson } from '../../../lib/text'
import { database } from '../../db'
import type { Prisma } from '../../generated/client'
import { changesSchema, watchedSchema } from '../../rows/alert-rows'
import { requireProject, type Db, type Granted } from '../../statements/access'
import { judgeAgain, refreshGuards, writeJudgements } from '../../statements/judgements'
import { clockOf, lockAlerts, readAlerts, writeAlerts } from '../../statements/alert-changes'
import { readRules } from '../../statements/read-rules'
import { listCandidates, listPoints, listSeries } from '../../statements/series-points'
import { commitLater } from '../../statements/commit-later'
import { listReferenceRuns } from './rules'

/**
 * A series whose runs changed since its last evaluation, and the changes that the next one sees. The ids of changes
 * have no order: a transaction may take a low one and commit late.
 */
export interface DueSeries {
  readonly projectId: string
  readonly seriesId: string
  readonly dueIds: readonly string[]
  /** Its runs did not change: only their judgements may have. */
  readonly onlyJudgement: boolean
}

const dueSchema = z.array(
  z.object({ projectId: z.string(), seriesId: z.string(), dueIds: z.array(z.string()), onlyJudgement: z.boolean() }),
)

/**
 * Series of the whole installation that wait for an evaluation, longest waiting first: at most `limit`, without those
 * in `except`. Unless the list is empty, there may be more.
 */
export async function listDueSeries(limit: number, except: readonly string[] = []): Promise<readonly DueSeries[]> {
  return dueSchema.parse(
    await database().$queryRaw`
      WITH longest AS MATERIALIZED (
        SELECT DISTINCT series_id FROM (
          -- Asked of each row in their order: as a join it is asked of all.
          SELECT series_id FROM series_due WHERE series_id <> ALL(${[...except]}::text[]) AND (
            SELECT project.deleted_at IS NULL FROM series JOIN project ON project.id = series.project_id
            WHERE series.id = series_due.series_id
          )
          ORDER BY series_due.id LIMIT ${limit}
        ) AS oldest
      )
      SELECT series.project_id AS "projectId", series.id AS "seriesId", due.ids AS "dueIds",
        due.only_judgement AS "onlyJudgement"
      FROM longest JOIN series ON series.id = longest.series_id CROSS JOIN LATERAL (
        SELECT array_agg(id::text) AS ids, bool_and(only_judgement) AS only_judgement, min(id) AS first
        FROM series_due WHERE series_id BETWEEN longest.series_id AND longest.series_id
      ) AS due ORDER BY due.first`,
  )
}

/** One series if it waits for an evaluation; null: it does not. */
export async function findDueSeries(project: Granted<'read'>, seriesId: string): Promise<DueSeries | null> {
  const waiting = await database().seriesDue.findMany({
    where: { seriesId, series: { projectId: project.id } },
    select: { id: true, onlyJudgement: true },
  })
  const dueIds = waiting.map(({ id }) => String(id))
  const onlyJudgement = waiting.every((one) => one.onlyJudgement)
  return dueIds.length === 0 ? null : { projectId: project.id, seriesId, dueIds, onlyJudgement }
}

/** State after the last evaluation, by load profile; `version` names that evaluation. */
interface Watches {
  readonly version: string
  readonly byProfile: Readonly<Record<string, readonly WatchedChange[]>>
}

/** All input of a series' evaluation. */
export interface SeriesInput extends Watches {
  /** With the newest runs. */
  readonly history: SeriesHistory
  /** Candidates that are not judged yet. */
  readonly candidates: readonly SeriesPoint[]
}

/** All input of the evaluations of one project's series. */
export interface EvaluationInput {
  readonly rules: readonly Rule[]
  readonly reference: readonly ReferenceRun[]
  /** The series that still exist. */
  readonly series: ReadonlyMap<string, SeriesInput>
}

/** The input for evaluating series of a project, with the newest `runs` of each. */
export async function getEvaluationInput(
  project: Granted<'read'>,
  seriesIds: readonly string[],
  runs: number,
): Promise<EvaluationInput> {
  const db = database()
  // Read first: anything read later can only be newer than the evaluation that it is taken to follow.
  const watches = await readWatches(db, project.id, seriesIds)
  const [rules, found, points, candidates] = await Promise.all([
    readRules(db, project.id),
    listSeries(db, project.id, seriesIds),
    listPoints(db, seriesIds, runs),
    listCandidates(db, project.id, seriesIds),
  ])
  const hasReference = rules.some(({ settings }) => settings.kind === 'baseline')
  const reference = hasReference ? await listReferenceRuns(project, rules) : []
  const series = found.map((one): [string, SeriesInput] => {
    const history = { ...one, projectSlug: project.slug, points: points.get(one.id) ?? [] }
    return [one.id, { ...watchesOf(watches, one.id), history, candidates: candidates.get(one.id) ?? [] }]
  })
  return { rules, reference, series: new Map(series) }
}

const watchRowsSchema = z.array(
  z.object({ seriesId: z.string(), profile: z.string(), watched: watchedSchema, evaluatedAt: z.date() }),
)

async function readWatches(
  db: Db,
  projectId: string,
  seriesIds: readonly string[],
): Promise<ReadonlyMap<string, Watches>> {
  const rows = watchRowsSchema.parse(
    await db.$queryRaw`
      SELECT series_id AS "seriesId", profile, watched, evaluated_at AS "evaluatedAt" FROM series_watch
      WHERE project_id = ${projectId} AND series_id = ANY(${[...seriesIds]}::text[])
      ORDER BY evaluated_at DESC, profile`,
  )
  const bySeries = groupBy(rows, (row) => row.seriesId)
  return new Map(
    [...bySeries].map(([seriesId, own]) => {
      const version = own.map((row) => `${row.profile}@${row.evaluatedAt.toISOString()}`).join()
      return [seriesId, { version, byProfile: Object.fromEntries(own.map((row) => [row.profile, row.watched])) }]
    }),
  )
}

const watchesOf = (watches: ReadonlyMap<string, Watches>, seriesId: string): Watches =>
  watches.get(seriesId) ?? { version: '', byProfile: {} }

/** The outcome of evaluating a series. */
export interface SeriesEvaluation {
  readonly due: DueSeries
  /** Version of the watches that the evaluations started from. */
  readonly version: string
  readonly evaluations: readonly RulesEvaluation[]
  /** Runs judged against the series without joining it; each by the evaluation of its load. */
  readonly candidates: readonly SeriesPoint[]
}

/**
 * Stores evaluations of a project's series in one transaction: their changes to the project's alerts, what is known
 * now, the judgements of the runs, and that the series are no longer due. Returns those that another evaluation
 * overtook, of which nothing is stored: evaluate them again. Throws NotFoundError for the project.
 */
export async function saveEvaluations(
  granted: Granted<'read'>,
  found: readonly SeriesEvaluation[],
  now: Date,
): Promise<readonly DueSeries[]> {
  return database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'read')
    await lockAlerts(tx, project.id)
    const watches = await readWatches(
      tx,
      project.id,
      found.map(({ due }) => due.seriesId),
    )
    const isOvertaken = ({ due, version }: SeriesEvaluation) => watchesOf(watches, due.seriesId).version !== version
    const current = found.filter((one) => !isOvertaken(one))
    let state = await readAlerts(tx, project.id, neededAlerts(current.flatMap(({ evaluations }) => evaluations)))
    const written: { readonly due: DueSeries; readonly changes: EvaluationChanges }[] = []
    const judgements = new Map<string, StoredJudgement>()
    const levels: ProfileChanges[] = []
    let isQuiet = true
    for (const { due, evaluations, candidates } of current) {
      const changes = due.onlyJudgement
        ? unchanged(evaluations, watchesOf(watches, due.seriesId))
        : applyEvaluations(state, due.seriesId, evaluations, clockOf(now))
      await writeAlerts(tx, project.id, changes, now)
      await judgeAgain(tx, movedWithEnvironment(state.alerts, due.seriesId, changes))
      isQuiet &&= changes.changed.length + changes.raised.length === 0
      // The next series sees the alerts that this one raised.
      state = { ...state, alerts: withChanges(state.alerts, changes) }
      written.push({ due, changes })
      for (const { evaluation, watched } of changes.watched) {
        const said = judgeEvaluation(evaluation, watched, state.alerts)
        for (const [runId, judged] of said.judgements) judgements.set(runId, judged)
        levels.push({ seriesId: due.seriesId, profile: evaluation.profile.name, changes: said.changes })
      }
      for (const [runId, judged] of judgeCandidates(evaluations, candidates)) judgements.set(runId, judged)
    }
    // Nothing to notify about: after a power cut the series is still due, and the next start gets the same result.
    if (isQuiet) await commitLater(tx)
    await writeWatches(
      tx,
      project.id,
      written.filter(({ due }) => !due.onlyJudgement),
      now,
    )
    await writeChanges(tx, levels)
    await writeJudgements(tx, judgements)
    const ids = current.map(({ due }) => due.seriesId)
    const done = current.flatMap(({ due }) => due.dueIds)
    await tx.$executeRaw`
      DELETE FROM series_due WHERE series_id = ANY(${ids}::text[]) AND id = ANY(${done}::bigint[])`
    return found.flatMap((one) => (isOvertaken(one) ? one.due : []))
  })
}

function withChanges(alerts: readonly Alert[], { changed, raised }: EvaluationChanges): readonly Alert[] {
  return [...new Map([...alerts, ...changed, ...raised].map((one) => [one.id, one])).values()]
}

/** Other series whose changes turned out to be their environment's, which their own evaluations did not know. */
function movedWithEnvironment(
  before: readonly Alert[],
  seriesId: string,
  { changed }: EvaluationChanges,
): readonly string[] {
  return changed.flatMap(({ id, kind, findings }) => {
    if (kind !== 'environment') return []
    const known = before.find((one) => one.id === id)
    const isKnown = (series: string) =>
      known?.kind === 'environment' && known.findings.some((one) => one.seriesId === series)
    return findings.flatMap((one) => (one.seriesId === seriesId || isKnown(one.seriesId) ? [] : one.seriesId))
  })
}

/** Alerts did not change: what is known of each profile stays. */
function unchanged(evaluations: readonly RulesEvaluation[], { byProfile }: Watches): EvaluationChanges {
  const watched = evaluations.map((evaluation) => ({ evaluation, watched: byProfile[evaluation.profile.name] ?? [] }))
  return { raised: [], changed: [], steps: [], news: [], watched }
}

/** Those that `applyEvaluations` needs: with thousands open, most evaluations read few. */
function neededAlerts(evaluations: readonly RulesEvaluation[]): Prisma.AlertWhereInput {
  const hasFresh = evaluations.some(({ changes }) => changes.fresh.length + changes.shifts.length > 0)
  const live = hasFresh ? [{ state: { in: [...liveStates] } }] : []
  return { OR: [{ isOngoing: true }, { id: { in: [...alertIdsOf(evaluations)] } }, ...live] }
}

async function writeWatches(
  db: Db,
  projectId: string,
  written: readonly { readonly due: DueSeries; readonly changes: EvaluationChanges }[],
  now: Date,
): Promise<void> {
  const rows = written.flatMap(({ due: { seriesId }, changes }) =>
    changes.watched.map(({ evaluation, watched }) => ({ seriesId, profile: evaluation.profile.name, watched })),
  )
  if (rows.length === 0) return
  const ids = rows.map(({ seriesId }) => seriesId)
  const profiles = rows.map(({ profile }) => profile)
  const texts = rows.map(({ watched }) => JSON.stringify(storableJson(watched)))
  await db.$executeRaw`
    INSERT INTO series_watch (series_id, profile, project_id, watched, detector_version, evaluated_at)
    SELECT series_id, profile, ${projectId}, watched::jsonb, ${detectorVersion}, ${now}
    FROM unnest(${ids}::text[], ${profiles}::text[], ${texts}::text[]) AS new (series_id, profile, watched)
    ON CONFLICT (series_id, profile) DO UPDATE
    SET watched = EXCLUDED.watched, detector_version = EXCLUDED.detector_version, evaluated_at = EXCLUDED.evaluated_at`
}

interface ProfileChanges {
  readonly seriesId: string
  readonly profile: string
  readonly changes: Readonly<Record<string, KnownChanges>>
}

/** Stores the changes that pages show; marks trends based on others as stale. */
async function writeChanges(db: Db, rows: readonly ProfileChanges[]): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ seriesId }) => seriesId)
  const profiles = rows.map(({ profile }) => profile)
  // Without what belongs to one evaluation: places, alerts.
  const texts = rows.map(({ changes }) => JSON.stringify(storableJson(changesSchema.parse(changes))))
  await db.$executeRaw`
    WITH changed AS (
      UPDATE series_watch AS w SET changes = new.changes::jsonb
      FROM unnest(${ids}::text[], ${profiles}::text[], ${texts}::text[]) AS new (series_id, profile, changes)
      WHERE w.series_id = new.series_id AND w.profile = new.profile AND w.changes IS DISTINCT FROM new.changes::jsonb
      RETURNING w.series_id
    )
    SELECT mark_stale_trends((SELECT array_agg(DISTINCT series_id) FROM changed))`
}

/** Checks again the guards of the newest runs of series that an older version checked. */
export async function updateGuards(project: Granted<'read'>, seriesIds: readonly string[]): Promise<void> {
  await refreshGuards(database(), project.id, seriesIds)
}
