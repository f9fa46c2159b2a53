import { z } from 'zod'
import type { RuleScope } from '../../../lib/rules/rules'
import type { AlertState } from '../../../lib/rules/stored-alerts'
import { alertStates } from '../../../lib/rules/stored-alerts'
import type { UtcIso } from '../../../lib/run/run'
import { database } from '../../db'
import { problemsSchema } from '../../rows/json-columns'
import type { Granted } from '../../statements/access'

/** How many alerts of a rule are in each state; states with none are left out. */
export type AlertCounts = Readonly<Partial<Record<AlertState, number>>>

/** The alerts that each rule of a project raised, by rule id; rules with none are left out. */
export async function countRuleAlerts(project: Granted<'read'>): Promise<Readonly<Record<string, AlertCounts>>> {
  const found = await database().alert.groupBy({
    by: ['ruleId', 'state'],
    where: { projectId: project.id, ruleId: { not: null } },
    _count: { _all: true },
  })
  const counts: Record<string, Partial<Record<AlertState, number>>> = {}
  for (const { ruleId, state, _count } of found) {
    if (ruleId === null) continue
    const own = (counts[ruleId] ??= {})
    own[z.enum(alertStates).parse(state)] = _count._all
  }
  return counts
}

const maxTimes = 20_000

/**
 * Runs of a scope since a time and the last one before it, oldest first, at most the newest 20,000: the runs in which a
 * rule about missing runs finds gaps.
 */
export async function listRunTimes(
  project: Granted<'read'>,
  scope: RuleScope,
  since: UtcIso,
): Promise<readonly { readonly runId: string; readonly at: UtcIso }[]> {
  const narrowed = {
    ...(scope.scenario === null ? {} : { scenario: scope.scenario }),
    ...(scope.seriesId === null ? {} : { seriesId: scope.seriesId }),
  }
  const order = [{ orderedAt: 'desc' as const }, { id: 'desc' as const }]
  const where = { projectId: project.id, deletedAt: null, ...narrowed }
  const select = { id: true, orderedAt: true } as const
  const newest = await database().run.findMany({
    where: { ...where, orderedAt: { gte: new Date(since) } },
    orderBy: order,
    take: maxTimes,
    select,
  })
  const before = await database().run.findFirst({
    where: { ...where, orderedAt: { lt: new Date(since) } },
    orderBy: order,
    select,
  })
  return [...newest, ...(before ? [before] : [])]
    .map((run) => ({ runId: run.id, at: run.orderedAt.toISOString() }))
    .reverse()
}

/** An upload that could not be read, or only partly. */
export interface FailedUpload {
  readonly id: string
  readonly name: string
  readonly at: UtcIso
  readonly message: string
}

/** Uploads since a time that could not be read completely and still exist, oldest first, at most 500. */
export async function listFailedUploads(project: Granted<'read'>, since: UtcIso): Promise<readonly FailedUpload[]> {
  const found = await database().upload.findMany({
    where: {
      projectId: project.id,
      deletedAt: null,
      createdAt: { gte: new Date(since) },
      problems: { array_contains: [{ severity: 'error' }] },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: 500,
    select: { id: true, name: true, createdAt: true, problems: true },
  })
  return found
    .map(({ id, name, createdAt, problems }) => {
      const first = problemsSchema.parse(problems).find((one) => one.severity === 'error')
      return { id, name, at: createdAt.toISOString(), message: first?.message ?? '' }
    })
    .reverse()
}
