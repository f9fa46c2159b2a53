import { NotFoundError } from '../../lib/errors'
import type { CandidateRule } from '../../lib/run/candidate-rule'
import type { Viewer } from '../../lib/viewer'
import type { Prisma } from '../generated/client'
import { isId } from '../rows/ids'

/** The client or a transaction. Inside a transaction only the transaction may be used: there may be one session only. */
export type Db = Prisma.TransactionClient

/** A condition that no row meets. */
const nothing = { id: { in: [] } } satisfies Prisma.ProjectWhereInput & Prisma.RunWhereInput

const candidateRuleSelect = {
  candidateLabel: true,
  candidateUnless: true,
} as const satisfies Prisma.ProjectSelect

/** A project's rule for candidates; null: it has none. */
export function toCandidateRule({
  candidateLabel: label,
  candidateUnless: isNot,
}: Prisma.ProjectGetPayload<{ select: typeof candidateRuleSelect }>): CandidateRule | null {
  return label === null || isNot === null ? null : { label, isNot }
}

/** The rule for candidates of a project that the viewer is known to see. */
export async function readCandidateRule(db: Db, projectId: string): Promise<CandidateRule | null> {
  const columns = await db.project.findUniqueOrThrow({ where: { id: projectId }, select: candidateRuleSelect })
  return toCandidateRule(columns)
}

/** The projects that a viewer may see. A share shows runs, never the project around them. */
export function visibleProjects(viewer: Viewer): Prisma.ProjectWhereInput {
  switch (viewer.kind) {
    case 'local':
      return { deletedAt: null }
    case 'system':
      return { deletedAt: null, id: viewer.projectId }
    case 'share':
      return nothing
  }
}

/** The runs that a viewer may see: those of visible projects, or the shared ones. Trashed ones never. */
export function visibleRuns(viewer: Viewer): Prisma.RunWhereInput {
  switch (viewer.kind) {
    case 'local':
    case 'system':
      return { deletedAt: null, project: visibleProjects(viewer) }
    case 'share':
      return { deletedAt: null, project: { deletedAt: null }, id: { in: viewer.runIds.filter(isId) } }
  }
}

/** The project's id and slug when the viewer may see it; else throws NotFoundError. */
export async function requireProject(
  db: Db,
  viewer: Viewer,
  projectId: string,
): Promise<{ readonly id: string; readonly slug: string }> {
  const found = isId(projectId)
    ? await db.project.findFirst({
        where: { AND: [{ id: projectId }, visibleProjects(viewer)] },
        select: { id: true, slug: true },
      })
    : null
  if (found === null) throw new NotFoundError('Project')
  return found
}
