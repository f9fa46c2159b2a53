import { InvalidInputError, NotFoundError } from '../../../lib/errors'
import { endAlertsOfRule } from '../../../lib/rules/alert-lifecycle'
import type { ReferenceRun } from '../../../lib/rules/rule-events'
import { isBuiltIn, type Rule, type RuleScope, type RuleSettings } from '../../../lib/rules/rules'
import { measuresAfterWarmUp } from '../../../lib/judge/steady-window'
import { steadyStateSchema } from '../../../lib/run/imported-run-schema'
import type { RunFigures } from '../../../lib/run/metrics'
import { profileName } from '../../../lib/history/series'
import type { RunRow } from '../../../lib/history/stored-runs'
import { storableText } from '../../../lib/text'
import { database } from '../../db'
import { Prisma } from '../../generated/client'
import { isId, newId } from '../../rows/ids'
import { jsonColumn } from '../../rows/json-columns'
import { ruleSelect, toRule } from '../../rows/rule-rows'
import { runRowSelect, toRunRow } from '../../rows/run-rows'
import { requireProject, requireRuns, type Db, type Granted } from '../../statements/access'
import { readRules } from '../../statements/read-rules'
import { clockOf, lockAlerts, readAlerts, writeAlerts } from '../../statements/alert-changes'
import { listBaselines } from '../runs/baselines'

const maxRules = 200

/** The rules of a project, the built-in one first, then in order of creation. */
export async function listRules(project: Granted<'read'>): Promise<readonly Rule[]> {
  return readRules(database(), project.id)
}

/** The runs that a project's baseline rules compare others with: those they name, and those marked as baselines. */
export async function listReferenceRuns(
  project: Granted<'read'>,
  rules: readonly Pick<Rule, 'settings'>[],
): Promise<readonly ReferenceRun[]> {
  const baselines = rules.flatMap(({ settings }) => (settings.kind === 'baseline' ? settings : []))
  if (baselines.length === 0) return []
  const ids = [...new Set(baselines.flatMap((one) => one.runIds))]
  const named = await database().run.findMany({
    where: { id: { in: ids.filter(isId) }, projectId: project.id, deletedAt: null, inSeries: true },
    select: runRowSelect,
  })
  const needsMarked = baselines.some((one) => one.runIds.length === 0)
  const marked = needsMarked ? await listBaselines(project) : []
  const isMarked = new Set(marked.map((run) => run.id))
  const rows = new Map([...named.map(toRunRow), ...marked].map((run) => [run.id, run]))
  const steady = await readSteadyFigures([...rows.values()])
  return [...rows.values()].map(({ id, tool, load, scenario, environment, figures }) => {
    const profile = profileName(tool, load)
    const own = { runId: id, scenario, environment, profile, figures, isMarked: isMarked.has(id) }
    return { ...own, steadyFigures: steady.get(id) ?? null }
  })
}

async function readSteadyFigures(rows: readonly RunRow[]): Promise<ReadonlyMap<string, RunFigures>> {
  const known = await database().run.findMany({
    where: { id: { in: rows.map(({ id }) => id) }, steady: { not: Prisma.DbNull } },
    select: { id: true, steady: true },
  })
  const parts = new Map(known.map(({ id, steady }) => [id, steadyStateSchema.parse(steady).part]))
  return new Map(
    rows.flatMap((run) => {
      const part = parts.get(run.id)
      return part === undefined ? [] : [[run.id, measuresAfterWarmUp(run, part).figures]]
    }),
  )
}

const namedRuns = (settings: RuleSettings): readonly string[] => (settings.kind === 'baseline' ? settings.runIds : [])

/** What can be set in a rule; its kind stays. */
export interface RuleInput extends RuleScope {
  readonly settings: RuleSettings
  readonly isEnabled: boolean
  readonly mutedUntil: string | null
}

/**
 * Makes a rule, or changes one: `ruleId` null makes one. Evaluates again everything that the rule covers, before or
 * after. The scope of the built-in rule and the kind of any stay. Throws NotFoundError, InvalidInputError.
 */
export async function saveRule(
  granted: Granted<'edit'>,
  { ruleId, ...input }: RuleInput & { readonly ruleId: string | null },
  now: Date,
): Promise<Rule> {
  return database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'edit')
    const scope = await checkScope(tx, project.id, input)
    const data = {
      ...scope,
      kind: input.settings.kind,
      settings: jsonColumn(input.settings),
      isEnabled: input.isEnabled,
      mutedUntil: input.mutedUntil === null ? null : new Date(input.mutedUntil),
      updatedAt: now,
    }
    // Two concurrent requests must not both find room for one more.
    await lockAlerts(tx, project.id)
    if (ruleId === null) {
      await requireRuns(tx, project.id, namedRuns(input.settings))
      if ((await tx.rule.count({ where: { projectId: project.id, deletedAt: null } })) >= maxRules)
        throw new InvalidInputError(`A project has at most ${maxRules} rules.`, { field: 'rule' })
      const fixed = { id: newId(), projectId: project.id, createdAt: now }
      const made = await tx.rule.create({ data: { ...fixed, ...data }, select: ruleSelect })
      await evaluateAgain(tx, project.id, [scope])
      return toRule(made)
    }
    const before = await requireRule(tx, project.id, ruleId)
    if (before.settings.kind !== input.settings.kind)
      throw new InvalidInputError('The kind of a rule cannot be changed; create a new rule.', {
        field: 'settings.kind',
      })
    if (isBuiltIn(before, project.id) && (scope.scenario !== null || scope.seriesId !== null))
      throw new InvalidInputError('This rule applies to the whole project.', { field: 'scenario' })
    // Runs that it already named may be in the trash by now; others must exist.
    const had = namedRuns(before.settings)
    const added = namedRuns(input.settings).filter((id) => !had.includes(id))
    await requireRuns(tx, project.id, added)
    const changed = await tx.rule.update({ where: { id: ruleId }, data, select: ruleSelect })
    if (!input.isEnabled) await endAlertsOf(tx, project.id, ruleId, 'Its rule was disabled', now)
    await evaluateAgain(tx, project.id, [before, scope])
    return toRule(changed)
  })
}

/** Deletes a rule; its alerts stay, ongoing ones are ended. Throws NotFoundError, InvalidInputError. */
export async function deleteRule(granted: Granted<'edit'>, ruleId: string, now: Date): Promise<void> {
  await database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'edit')
    await lockAlerts(tx, project.id)
    const rule = await requireRule(tx, project.id, ruleId)
    if (isBuiltIn(rule, project.id))
      throw new InvalidInputError('Every project has this rule; disable it instead.', { field: 'rule' })
    await tx.rule.update({ where: { id: ruleId }, data: { deletedAt: now, updatedAt: now } })
    await endAlertsOf(tx, project.id, ruleId, 'Its rule was deleted', now)
    await evaluateAgain(tx, project.id, [rule])
  })
}

async function endAlertsOf(tx: Db, projectId: string, ruleId: string, note: string, now: Date): Promise<void> {
  const state = await readAlerts(tx, projectId, { ruleId, isOngoing: true })
  await writeAlerts(tx, projectId, endAlertsOfRule(state, ruleId, note, clockOf(now)), now)
}

async function requireRule(db: Db, projectId: string, ruleId: string): Promise<Rule> {
  const found = isId(ruleId)
    ? await db.rule.findFirst({ where: { id: ruleId, projectId, deletedAt: null }, select: ruleSelect })
    : null
  if (found === null) throw new NotFoundError('Rule')
  return toRule(found)
}

async function checkScope(db: Db, projectId: string, { scenario, seriesId }: RuleScope): Promise<RuleScope> {
  if (scenario !== null && seriesId !== null)
    throw new InvalidInputError('A rule applies to a scenario or to a series, not to both.', { field: 'seriesId' })
  if (seriesId === null) return { scenario: scenario === null ? null : storableText(scenario), seriesId }
  const found = isId(seriesId) ? await db.series.count({ where: { id: seriesId, projectId } }) : 0
  if (found === 0) throw new NotFoundError('Series')
  return { scenario, seriesId }
}

/** Marks the series that rules cover as due, so that an existing breach raises its alert without another run. */
async function evaluateAgain(db: Db, projectId: string, scopes: readonly RuleScope[]): Promise<void> {
  for (const { scenario, seriesId } of scopes) {
    await db.$executeRaw`
      INSERT INTO series_due (series_id) SELECT id FROM series WHERE project_id = ${projectId}
      AND (${seriesId}::text IS NULL OR id = ${seriesId}) AND (${scenario}::text IS NULL OR scenario = ${scenario})`
  }
}
