import { z } from 'zod'
import { builtInSettings, isMuted, type Rule, type RuleKind } from '../../lib/rules/rules'
import type { FailedImportEvent, MissingEvent } from '../../lib/rules/rule-events'
import type { Viewer } from '../../lib/viewer'
import { database } from '../db'
import { requireProject, type Db } from '../rows/access'
import { followEvents, type EventNews } from '../rows/alert-events'
import { ruleSelect, toRule } from '../rows/rule-rows'

/** The projects of the whole installation that have an enabled rule about missing runs. */
export async function listProjectsWithMissingRules(): Promise<readonly string[]> {
  const found = await database().rule.findMany({
    where: { kind: 'missing', isEnabled: true, deletedAt: null, project: { deletedAt: null } },
    distinct: ['projectId'],
    orderBy: { projectId: 'asc' },
    select: { projectId: true },
  })
  return found.map((one) => one.projectId)
}

/**
 * Raises, renews and ends alerts of a project's rules about missing runs. A scope that never had a run misses none.
 * Throws NotFoundError.
 */
export async function followMissingRuns(viewer: Viewer, projectId: string, now: Date): Promise<readonly EventNews[]> {
  return database().$transaction(async (tx) => {
    const project = await requireProject(tx, viewer, projectId)
    await tx.$executeRaw`SELECT 1 FROM project WHERE id = ${project.id} FOR UPDATE`
    const lasting = []
    for (const rule of await enabledRules(tx, project.id, 'missing')) {
      const event = await findMissing(tx, project.id, rule, now)
      if (event !== null)
        lasting.push({ ...found(rule, now), event, raisedRunId: event.lastRunId, seriesId: rule.seriesId })
    }
    return followEvents(tx, project.id, lasting, (event) => event.kind === 'missing', now)
  })
}

async function findMissing(db: Db, projectId: string, rule: Rule, now: Date): Promise<MissingEvent | null> {
  if (rule.settings.kind !== 'missing') return null
  const { hours } = rule.settings
  const newest = await db.run.findFirst({
    where: {
      projectId,
      deletedAt: null,
      ...(rule.scenario === null ? {} : { scenario: rule.scenario }),
      ...(rule.seriesId === null ? {} : { seriesId: rule.seriesId }),
    },
    orderBy: [{ orderedAt: 'desc' }, { id: 'desc' }],
    select: { id: true, orderedAt: true },
  })
  if (newest === null || now.getTime() - newest.orderedAt.getTime() <= hours * 3_600_000) return null
  return { kind: 'missing', hours, lastRunId: newest.id, since: newest.orderedAt.toISOString(), overSince: null }
}

/**
 * Tells a project's rules about failed imports of an upload that could not be read; one that lasts is told of it, too.
 * Throws NotFoundError.
 */
export async function followFailedImport(
  viewer: Viewer,
  projectId: string,
  upload: { readonly id: string; readonly name: string; readonly message: string },
  now: Date,
): Promise<readonly EventNews[]> {
  return database().$transaction(async (tx) => {
    const project = await requireProject(tx, viewer, projectId)
    const rules = await enabledRules(tx, project.id, 'failed-import')
    if (rules.length === 0) return []
    await tx.$executeRaw`SELECT 1 FROM project WHERE id = ${project.id} FOR UPDATE`
    const lasting = []
    for (const rule of rules) {
      const before = await countSoFar(tx, project.id, rule.id)
      const event: FailedImportEvent = {
        kind: 'failed-import',
        uploadId: upload.id,
        uploadName: upload.name,
        message: upload.message,
        count: before.count + 1,
        since: before.since ?? now.toISOString(),
        overSince: null,
      }
      lasting.push({ ...found(rule, now), event, raisedRunId: null, seriesId: null })
    }
    return followEvents(tx, project.id, lasting, (event) => event.kind === 'failed-import', now)
  })
}

/** Ends alerts about failed imports: an upload of the project was read. Throws NotFoundError. */
export async function endFailedImports(viewer: Viewer, projectId: string, now: Date): Promise<readonly EventNews[]> {
  return database().$transaction(async (tx) => {
    const project = await requireProject(tx, viewer, projectId)
    const lasting = await tx.alert.count({ where: { projectId: project.id, kind: 'failed-import', isOngoing: true } })
    if (lasting === 0) return []
    await tx.$executeRaw`SELECT 1 FROM project WHERE id = ${project.id} FOR UPDATE`
    return followEvents(tx, project.id, [], (event) => event.kind === 'failed-import', now)
  })
}

const failedSchema = z.array(z.object({ count: z.number(), since: z.string() }))

/** Of the alert that lasts for a rule. */
async function countSoFar(db: Db, projectId: string, ruleId: string) {
  const alert = await db.alert.findFirst({ where: { projectId, ruleId, isOngoing: true }, select: { events: true } })
  const [event] = alert === null ? [] : failedSchema.parse(alert.events)
  return { count: event?.count ?? 0, since: event?.since ?? null }
}

async function enabledRules(db: Db, projectId: string, kind: RuleKind): Promise<readonly Rule[]> {
  const rows = await db.rule.findMany({
    where: { projectId, kind, isEnabled: true, deletedAt: null },
    orderBy: { createdAt: 'asc' },
    select: ruleSelect,
  })
  return rows.map(toRule)
}

const found = (rule: Rule, now: Date) => ({
  ruleId: rule.id,
  isMuted: isMuted(rule, now.toISOString()),
  cause: null,
  sensitivity: builtInSettings.sensitivity,
})
