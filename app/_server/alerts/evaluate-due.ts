import { NotFoundError } from '@/lib/errors'
import { listDueSeries } from '@/prisma/queries/evaluations'
import { evaluateSeries } from './evaluate-series'

const batch = 20

/**
 * Evaluates every series whose runs changed, one after the other. Which are due stands in the database, so nothing is
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
        // Its project was deleted a moment ago: it is not listed any more.
        if (failure instanceof NotFoundError) continue
        failed.add(one.seriesId)
        failures.push(failure)
      }
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} series could not be evaluated`)
}
