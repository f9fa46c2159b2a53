import type { ImportProblem } from '@/lib/run/run'
import type { Viewer } from '@/lib/viewer'
import { endFailedImports, followFailedImport } from '@/prisma/queries/project-events'

interface Ended {
  readonly projectId: string
  readonly uploadId: string
  readonly name: string
  readonly problems: readonly ImportProblem[]
}

/** Reports to the rules of a project how an upload ended: whole, or with something that could not be read. */
export async function followImport(viewer: Viewer, { projectId, uploadId, name, problems }: Ended): Promise<void> {
  const worst = problems.find((problem) => problem.severity === 'error')
  const now = new Date()
  if (worst === undefined) await endFailedImports(viewer, projectId, now)
  else await followFailedImport(viewer, projectId, { id: uploadId, name, message: worst.message }, now)
}
