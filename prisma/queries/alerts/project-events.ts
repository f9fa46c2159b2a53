import { applyProjectEvents } from '../../../lib/rules/alert-lifecycle'
import { evaluateFailedImport, evaluateMissing, type NewestRunOfRule } from '../../../lib/rules/evaluate-project'
import type { Rule, RuleKind } from '../../../lib/rules/rules'
import { database } from '../../db'
import { ruleSelect, toRule } from '../../rows/rule-rows'
import { requireProject, type Db, type Granted } from '../../statements/access'
import { clockOf, lockAlerts, readAlerts, writeAlerts } from '../../statements/alert-changes'

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
 * Evaluates a project's rules about missing runs: raises, renews and ends their alerts. Throws NotFoundError.
 */
export async function followMissingRuns(granted: Granted<'upload'>, now: Date): Promise<void> {
  await database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'upload')
    await lockAlerts(tx, project.id)
    const rules = await enabledRules(tx, project.id, 'missing')
    const newest: NewestRunOfRule[] = []
    for (const rule of rules) newest.push({ rule, newest: await findNewestRun(tx, project.id, rule) })
    const clock = clockOf(now)
    const state = await readAlerts(tx, project.id, { isOngoing: true })
    const changes = applyProjectEvents(state, 'missing', evaluateMissing(newest, clock.at), clock)
    await writeAlerts(tx, project.id, changes, now)
  })
}

async function findNewestRun(
  db: Db,
  projectId: string,
  { scenario, seriesId }: Rule,
): Promise<NewestRunOfRule['newest']> {
  const newest = await db.run.findFirst({
    where: {
      projectId,
      deletedAt: null,
      ...(scenario === null ? {} : { scenario }),
      ...(seriesId === null ? {} : { seriesId }),
    },
    orderBy: [{ orderedAt: 'desc' }, { id: 'desc' }],
    select: { id: true, orderedAt: true },
  })
  return newest && { runId: newest.id, at: newest.orderedAt.toISOString() }
}

/**
 * Evaluates a project's rules about failed imports after an upload could not be read: raises or renews their alerts.
 * Throws NotFoundError.
 */
export async function followFailedImport(
  granted: Granted<'upload'>,
  upload: { readonly id: string; readonly name: string; readonly message: string },
  now: Date,
): Promise<void> {
  await database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'upload')
    const rules = await enabledRules(tx, project.id, 'failed-import')
    if (rules.length === 0) return
    await lockAlerts(tx, project.id)
    const clock = clockOf(now)
    const state = await readAlerts(tx, project.id, { isOngoing: true })
    const lasting = evaluateFailedImport(rules, upload, state.alerts, clock.at)
    await writeAlerts(tx, project.id, applyProjectEvents(state, 'failed-import', lasting, clock), now)
  })
}

/** Ends alerts about failed imports: an upload of the project was read. */
export async function endFailedImports(project: Granted<'upload'>, now: Date): Promise<void> {
  // Most uploads end none: these take no lock.
  const ongoing = await database().$executeRaw`
    SELECT 1 FROM alert WHERE project_id = ${project.id} AND kind = 'failed-import' AND is_ongoing LIMIT 1`
  if (ongoing === 0) return
  await database().$transaction(async (tx) => {
    await lockAlerts(tx, project.id)
    const state = await readAlerts(tx, project.id, { isOngoing: true })
    await writeAlerts(tx, project.id, applyProjectEvents(state, 'failed-import', [], clockOf(now)), now)
  })
}

async function enabledRules(db: Db, projectId: string, kind: RuleKind): Promise<readonly Rule[]> {
  const rows = await db.rule.findMany({
    where: { projectId, kind, isEnabled: true, deletedAt: null },
    orderBy: { createdAt: 'asc' },
    select: ruleSelect,
  })
  return rows.map(toRule)
}
