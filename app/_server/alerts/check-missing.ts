import { NotFoundError } from '@/lib/errors'
import { followMissingRuns, listProjectsWithMissingRules } from '@/prisma/queries/alerts/project-events'
import { grant } from '@/prisma/queries/projects/projects'

const everyMs = 60_000
let checkedAtMs = -Infinity

/**
 * Checks once a minute whether projects miss runs that one of their rules expects; several instances may do it at once.
 * Throws an AggregateError of the projects that failed, after the others were checked.
 */
export async function checkMissing(now: Date = new Date()): Promise<void> {
  // By a clock that never jumps: after a step back, another one would wait as long as the step was.
  if (performance.now() - checkedAtMs < everyMs) return
  checkedAtMs = performance.now()
  const failures: unknown[] = []
  for (const projectId of await listProjectsWithMissingRules()) {
    try {
      await followMissingRuns(await grant({ kind: 'system', projectId }, { id: projectId }, 'upload'), now)
    } catch (failure) {
      // Deleted a moment ago.
      if (!(failure instanceof NotFoundError)) failures.push(failure)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} projects could not be checked`)
}
