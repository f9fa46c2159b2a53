import { z } from 'zod'
import { type AlertFinding, type LineLook, type WatchedChange } from '../../lib/rules/alerts'
import { detectorVersion } from '../../lib/detect/sensitivity'
import { causeOf, type JudgedLine } from '../../lib/rules/judge-line'
import type { RuleEvent } from '../../lib/rules/rule-events'
import type { SeriesLine } from '../../lib/run/series'
import { liveStates } from '../../lib/rules/stored-alerts'
import type { Viewer } from '../../lib/viewer'
import { database } from '../db'
import { requireProject, type Db } from '../rows/access'
import { findingsSchema, watchedSchema } from '../rows/alert-rows'
import { followEvents } from '../rows/alert-events'
import { addStep } from '../rows/alert-steps'
import { newId } from '../rows/ids'
import { jsonColumn } from '../rows/json-columns'
import { eventsSchema } from '../rows/rule-rows'

/**
 * A series whose runs changed since the last look, and the changes that the next one sees. Their ids are no order: a
 * transaction may take a low one and commit late.
 */
export interface DueSeries {
  readonly projectId: string
  readonly seriesId: string
  readonly dueIds: readonly string[]
}

const dueSchema = z.array(z.object({ projectId: z.string(), seriesId: z.string(), dueIds: z.array(z.string()) }))

/** The series of the whole installation that wait for a look, longest waiting first. */
export async function listDueSeries(limit: number): Promise<readonly DueSeries[]> {
  return dueSchema.parse(
    await database().$queryRaw`
      SELECT series.project_id AS "projectId", series.id AS "seriesId", array_agg(series_due.id::text) AS "dueIds"
      FROM series_due JOIN series ON series.id = series_due.series_id
      JOIN project ON project.id = series.project_id AND project.deleted_at IS NULL
      GROUP BY series.project_id, series.id ORDER BY min(series_due.id) LIMIT ${limit}`,
  )
}

/** One series if it waits for a look; null: it does not. Throws NotFoundError. */
export async function findDueSeries(viewer: Viewer, projectId: string, seriesId: string): Promise<DueSeries | null> {
  const project = await requireProject(database(), viewer, projectId)
  const waiting = await database().seriesDue.findMany({
    where: { seriesId, series: { projectId: project.id } },
    select: { id: true },
  })
  const dueIds = waiting.map(({ id }) => String(id))
  return dueIds.length === 0 ? null : { projectId: project.id, seriesId, dueIds }
}

/** What was known after the last look, by line profile; `lookedAt` tells a look that came between. */
export interface Watches {
  readonly lookedAt: string
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
    lookedAt: rows.map((row) => `${row.profile}@${row.evaluatedAt.toISOString()}`).join(),
    byProfile: Object.fromEntries(rows.map((row) => [row.profile, watchedSchema.parse(row.watched)])),
  }
}

/** What became of alerts through a look. */
export interface AlertNews {
  readonly alertId: string
  readonly what: 'opened' | 'grew' | 'recovered' | 'withdrawn' | 'found-again'
}

interface LooksInput {
  readonly due: DueSeries
  /** `lookedAt` of the watches that the looks started from. */
  readonly lookedAt: string
  readonly looks: readonly JudgedLine[]
}

/**
 * Writes looks at a series' lines in one transaction: alerts raised, grown, recovered and withdrawn, what is known now,
 * and that the series is no longer due. Null: another look came between; look again. Throws NotFoundError.
 */
export async function saveLooks(viewer: Viewer, input: LooksInput, now: Date): Promise<readonly AlertNews[] | null> {
  const { due, looks } = input
  return database().$transaction(async (tx) => {
    const project = await requireProject(tx, viewer, due.projectId)
    // One look of a project at a time: two series of one commit must find each other's alert.
    await tx.$executeRaw`SELECT 1 FROM project WHERE id = ${project.id} FOR UPDATE`
    if ((await readWatches(tx, project.id, due.seriesId)).lookedAt !== input.lookedAt) return null
    const news: AlertNews[] = []
    for (const looked of looks) {
      const raised = await raiseAlerts(tx, project.id, looked, now)
      news.push(...raised.news)
      news.push(...(await followAlerts(tx, project.id, looked.look, now)))
      await writeWatch(tx, project.id, looked.line, withAlerts(looked, raised.alertOf), now)
    }
    const lasting = looks.flatMap((looked) => looked.events)
    const isMine = (event: RuleEvent) => 'seriesId' in event && event.seriesId === due.seriesId
    news.push(...(await followEvents(tx, project.id, lasting, isMine, now)))
    await tx.$executeRaw`
      DELETE FROM series_due WHERE series_id = ${due.seriesId} AND id = ANY(${[...due.dueIds]}::bigint[])`
    return news
  })
}

const keyOf = (finding: Pick<AlertFinding, 'metricId' | 'afterRunId'>): string =>
  `${finding.metricId} ${finding.afterRunId}`

function withAlerts({ look }: JudgedLine, alertOf: ReadonlyMap<string, string>): readonly WatchedChange[] {
  return look.watched.map((one) => ({ ...one, alertId: one.alertId ?? alertOf.get(keyOf(one)) ?? null }))
}

async function writeWatch(db: Db, projectId: string, line: SeriesLine, watched: readonly WatchedChange[], now: Date) {
  const key = { seriesId: line.series.id, profile: line.profile }
  const data = { watched: jsonColumn(watched), detectorVersion, evaluatedAt: now }
  await db.seriesWatch.upsert({
    where: { seriesId_profile: key },
    create: { ...key, projectId, ...data },
    update: data,
  })
}

/** Changes of one line this close together are one event. */
const sameEventRuns = 5
const sameEventNewestRuns = 10

async function raiseAlerts(db: Db, projectId: string, looked: JudgedLine, now: Date) {
  const { line, look, watchers } = looked
  const alertOf = new Map<string, string>()
  const news: AlertNews[] = []
  const place = new Map(line.points.map((point, at) => [point.runId, at]))
  for (const { finding } of look.fresh) {
    const at = place.get(finding.afterRunId) ?? 0
    const cause = causeOf(line, finding.afterRunId)
    const live = await db.alert.findMany({
      where: { projectId, state: { in: [...liveStates] }, kind: { in: ['change-point', 'drift'] } },
      orderBy: { openedAt: 'desc' },
      select: { id: true, cause: true, findings: true, events: true, raisedRunId: true },
    })
    const same = live.find((alert) => {
      if (alert.cause !== null && alert.cause === cause) return true
      // A creeping level in which a step can be told by now.
      const crept = eventsSchema.parse(alert.events).some((event) => isSameMetric(event, finding))
      if (crept) return true
      const raisedAt = place.get(alert.raisedRunId ?? '') ?? -Infinity
      if (line.points.length - 1 - raisedAt > sameEventNewestRuns) return false
      return findingsSchema.parse(alert.findings).some((other) => {
        const sameLine = other.seriesId === finding.seriesId && other.profile === finding.profile
        return sameLine && Math.abs((place.get(other.afterRunId) ?? -Infinity) - at) <= sameEventRuns
      })
    })
    const alertId = same?.id ?? newId()
    alertOf.set(keyOf(finding), alertId)
    if (same) {
      const findings = merged(findingsSchema.parse(same.findings), finding)
      await db.alert.update({ where: { id: alertId }, data: { findings: jsonColumn(findings), updatedAt: now } })
    } else {
      const raisedRunId = line.points.at(-1)?.runId ?? null
      const watcher = watchers[finding.metricId]
      const parameters = jsonColumn({ sensitivity: watcher?.sensitivity ?? 'balanced', detectorVersion })
      const about = { ruleId: watcher?.ruleId ?? null, seriesId: line.series.id, cause }
      const fixed = { id: alertId, projectId, kind: 'change-point', state: 'open', ...about }
      const findings = jsonColumn([finding])
      await db.alert.create({ data: { ...fixed, findings, parameters, raisedRunId, openedAt: now, updatedAt: now } })
      await addStep(db, { alertId, projectId, what: 'opened', who: 'Tailboard', at: now })
    }
    news.push({ alertId, what: same ? 'grew' : 'opened' })
  }
  return { alertOf, news }
}

function isSameMetric(event: RuleEvent, { metricId, seriesId, profile }: AlertFinding): boolean {
  if (event.kind !== 'drift' || event.overSince !== null) return false
  return event.metricId === metricId && event.seriesId === seriesId && event.profile === profile
}

/** The findings with this one added, or renewed where the alert tells of that metric and line already. */
function merged(findings: readonly AlertFinding[], finding: AlertFinding): readonly AlertFinding[] {
  const others = findings.filter(
    (one) => one.metricId !== finding.metricId || one.seriesId !== finding.seriesId || one.profile !== finding.profile,
  )
  return [...others, finding].sort((a, b) => b.weight - a.weight)
}

/** Known alerts: renewed while somebody has to look at them, found again, recovered, withdrawn. */
async function followAlerts(db: Db, projectId: string, look: LineLook, now: Date): Promise<readonly AlertNews[]> {
  const news: AlertNews[] = []
  for (const { alertId, finding } of look.updated) {
    const alert = await db.alert.findFirst({
      where: { id: alertId, projectId },
      select: { state: true, findings: true },
    })
    const isBack = alert?.state === 'withdrawn'
    if (!alert || !(isBack || liveStates.some((state) => state === alert.state))) continue
    const findings = jsonColumn(merged(findingsSchema.parse(alert.findings), finding))
    const back = isBack ? { state: 'open', closedAt: null } : {}
    await db.alert.update({ where: { id: alertId }, data: { findings, updatedAt: now, ...back } })
    if (isBack) {
      await addStep(db, { alertId, projectId, what: 'found-again', who: 'Tailboard', at: now })
      news.push({ alertId, what: 'found-again' })
    }
  }
  for (const what of ['recovered', 'withdrawn'] as const) {
    for (const alertId of look[what]) {
      const { count } = await db.alert.updateMany({
        where: { id: alertId, projectId, state: { in: [...liveStates] } },
        data: { state: what, updatedAt: now, closedAt: now },
      })
      if (count === 0) continue
      await addStep(db, { alertId, projectId, what, who: 'Tailboard', at: now })
      news.push({ alertId, what })
    }
  }
  return news
}
