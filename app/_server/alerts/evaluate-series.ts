import { NotFoundError } from '@/lib/errors'
import { evaluateRules } from '@/lib/rules/evaluate-rules'
import { profilesOf } from '@/lib/run/series'
import type { Viewer } from '@/lib/viewer'
import {
  getEvaluationInput,
  listDueSeries,
  saveEvaluations,
  updateGuards,
  type DueSeries,
} from '@/prisma/queries/evaluations'

/** The detector reads the newest runs only; beyond them nothing is news. */
export const newestRuns = 400
const maxTries = 5

/**
 * Evaluates all profiles of a series by the rules of its project, and stores what that finds. An evaluation that another
 * one overtook is done again. Throws NotFoundError when project or series are gone.
 */
export async function evaluateSeries(viewer: Viewer, due: DueSeries): Promise<void> {
  await updateGuards(viewer, due.projectId, due.seriesId)
  for (let tries = 0; tries < maxTries; tries += 1) {
    const { version, byProfile, rules, reference, history, candidates } = await getEvaluationInput(
      viewer,
      due,
      newestRuns,
    )
    const now = new Date()
    const evaluations = profilesOf(history).map((profile) =>
      evaluateRules(profile, byProfile[profile.name] ?? [], { rules, reference, at: now.toISOString() }),
    )
    if (await saveEvaluations(viewer, { due, version, evaluations, candidates }, now)) return
  }
  throw new Error(`series ${due.seriesId}: ${maxTries} evaluations were overtaken`)
}

const batch = 20

/**
 * Evaluates every series whose runs changed, one after the other. Which are due is in the database, so nothing is
 * lost when the process ends, and several instances may do it at once. A series that fails does not keep the others
 * waiting; it stays due. Throws an AggregateError of what failed, at the end.
 */
export async function evaluateDue(): Promise<void> {
  const failures: unknown[] = []
  const failed = new Set<string>()
  for (;;) {
    const due = (await listDueSeries(batch + failed.size)).filter((one) => !failed.has(one.seriesId))
    if (due.length === 0) break
    for (const one of due) {
      try {
        await evaluateSeries({ kind: 'system', projectId: one.projectId }, one)
      } catch (failure) {
        // Its project was deleted a moment ago: it is not listed any longer.
        if (failure instanceof NotFoundError) continue
        failed.add(one.seriesId)
        failures.push(failure)
      }
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} series could not be evaluated`)
}
