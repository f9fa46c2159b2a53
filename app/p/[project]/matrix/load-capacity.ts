import { readMatrixQuery } from '@/components/matrix/matrix-url'
import { objectiveHint, objectivesOf, refusedWords } from '@/components/matrix/sweep-objectives'
import { answersOf, type CapacityAnswer } from '@/lib/capacity/answer'
import { capacityReports, type CapacityReport } from '@/lib/capacity/capacity-report'
import type { CapacityRun } from '@/lib/capacity/capacity-run'
import { runOfRow } from '@/lib/capacity/known-run'
import type { Objective } from '@/lib/capacity/objective'
import { InvalidInputError } from '@/lib/errors'
import { commonLimits, ruleLimits } from '@/lib/rules/limits'
import { listRules } from '@/prisma/queries/alerts/rules'
import type { Granted } from '@/prisma/queries/projects/projects'
import { loadMatrix } from './load-matrix'

/** What is asked of the system besides objectives. Null: nothing. */
export interface Target {
  readonly perSecond: number | null
  /** Of an instance, with its unit (`/h`). */
  readonly price: { readonly amount: number; readonly per: string } | null
}

/** How much the runs of a sweep show that their system holds, in figures and in words. */
export interface Capacity {
  readonly runs: readonly CapacityRun[]
  readonly objectives: readonly Objective[]
  readonly answers: readonly CapacityAnswer[]
  /** One for each answer. */
  readonly reports: readonly CapacityReport[]
}

type Params = Readonly<Record<string, string | string[] | undefined>>

/**
 * Of the runs that a sweep of this address shows, within its objectives (`slo`), else the limits that rules of the
 * project set for all of them. Throws InvalidInputError for an objective that is none, and without any.
 */
export async function loadCapacity(project: Granted<'read'>, params: Params, target: Target): Promise<Capacity> {
  const [refused] = readMatrixQuery(params).refusedObjectives
  if (refused !== undefined) throw new InvalidInputError(refusedWords(refused), { field: 'slo', hint: objectiveHint })
  const [{ prepared }, rules] = await Promise.all([loadMatrix(project, params), listRules(project)])
  const objectives = objectivesOf(prepared.query, commonLimits(ruleLimits(rules), prepared.runs))
  if (objectives.length === 0) {
    const message = 'There is no objective, and no limit of the project holds for all of these runs.'
    throw new InvalidInputError(message, { field: 'slo', hint: objectiveHint })
  }
  const runs = prepared.runs.map(runOfRow)
  const answers = answersOf(runs, objectives, target.perSecond)
  return { runs, objectives, answers, reports: capacityReports(answers, objectives, target.price) }
}
