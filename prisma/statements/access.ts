import { roleRefusal } from '../../lib/account/right-words'
import { ForbiddenError, NotFoundError } from '../../lib/errors'
import type { ProjectAddress } from '../../lib/project/stored-projects'
import {
  roleAllows,
  scopeAllows,
  type AccountViewer,
  type Need,
  type Role,
  type TokenScope,
  type Viewer,
} from '../../lib/viewer'
import { Prisma } from '../generated/client'
import { isId, isSlug } from '../rows/ids'
import { runRulesSelect, toRunRules, type RunRules } from '../rows/project-rows'
import { readOnce, shareReadings } from './read-once'

/** The client or a transaction. Inside a transaction, use only the transaction: there may be only one session. */
export type Db = Prisma.TransactionClient

/** A condition that no row meets. */
const nothing = { id: { in: [] } } satisfies Prisma.ProjectWhereInput & Prisma.RunWhereInput

/** Projects of an account: all for owners, else those where it is a member. */
const projectsOf = ({ accountId, isOwner }: AccountViewer): Prisma.ProjectWhereInput =>
  isOwner ? { deletedAt: null } : { deletedAt: null, members: { some: { accountId } } }

/**
 * The projects that a viewer may know of; `requireProject` decides what they may do there. A share shows runs, never
 * the project around them.
 */
function knownProjects(viewer: Viewer): Prisma.ProjectWhereInput {
  switch (viewer.kind) {
    case 'local':
      return { deletedAt: null }
    case 'system':
      return { deletedAt: null, id: viewer.projectId }
    case 'share':
      return nothing
    case 'member':
      return projectsOf(viewer)
    case 'token':
      return viewer.projectId === null ? projectsOf(viewer) : { AND: [{ id: viewer.projectId }, projectsOf(viewer)] }
  }
}

/** Throws ForbiddenError when the viewer's token may not do that in any project. */
export function requireScope(viewer: Viewer, need: Need): void {
  if (viewer.kind === 'token' && !scopeAllows(viewer.scope, need)) throw new ForbiddenError(scopeRefusal(viewer.scope))
}

const scopeRefusal = (scope: TokenScope) => `This token's scope is ${scope}, which does not allow that`

/** The projects that a viewer may read. Throws ForbiddenError for a token that may read none. */
export function visibleProjects(viewer: Viewer): Prisma.ProjectWhereInput {
  requireScope(viewer, 'read')
  return knownProjects(viewer)
}

/** The same as a condition on rows of `project`. Throws as `visibleProjects` does. */
export function visibleProjectsSql(viewer: Viewer): Prisma.Sql {
  requireScope(viewer, 'read')
  const live = Prisma.sql`project.deleted_at IS NULL`
  switch (viewer.kind) {
    case 'local':
      return live
    case 'system':
      return Prisma.sql`${live} AND project.id = ${viewer.projectId}`
    case 'share':
      return Prisma.sql`false`
    case 'member':
      return Prisma.sql`${live} AND ${isProjectOf(viewer)}`
    case 'token': {
      const only = viewer.projectId === null ? Prisma.sql`true` : Prisma.sql`project.id = ${viewer.projectId}`
      return Prisma.sql`${live} AND ${only} AND ${isProjectOf(viewer)}`
    }
  }
}

const isProjectOf = ({ accountId, isOwner }: AccountViewer): Prisma.Sql =>
  isOwner
    ? Prisma.sql`true`
    : Prisma.sql`EXISTS (
        SELECT FROM membership WHERE membership.project_id = project.id AND membership.account_id = ${accountId}
      )`

/** The runs that a viewer may see: those of visible projects, or the shared ones. Never trashed ones. */
export function visibleRuns(viewer: Viewer): Prisma.RunWhereInput {
  if (viewer.kind === 'share')
    return { deletedAt: null, project: { deletedAt: null }, id: { in: viewer.runIds.filter(isId) } }
  return { deletedAt: null, project: visibleProjects(viewer) }
}

/** The result of `requireProject`. */
type KnownProject = ProjectAddress & RunRules

/**
 * The project's id, slug and rules for new runs, if the viewer may do there what the caller is about to do. Throws
 * NotFoundError when the viewer may not know of it, ForbiddenError when the token's scope or the member's role is not
 * enough.
 */
export const requireProject = (db: Db, viewer: Viewer, projectId: string, need: Need): Promise<KnownProject> =>
  requireProjectOf(db, viewer, { id: projectId }, need)

/** The same, by its slug. */
export const requireSlug = (db: Db, viewer: Viewer, slug: string, need: Need): Promise<KnownProject> =>
  requireProjectOf(db, viewer, { slug }, need)

type ProjectKey = { readonly id: string } | { readonly slug: string }

async function requireProjectOf(db: Db, viewer: Viewer, key: ProjectKey, need: Need): Promise<KnownProject> {
  // A token without read access learns nothing about what exists; others get "not found" for what they may not see.
  if (viewer.kind === 'token' && !scopeAllows(viewer.scope, 'read')) requireScope(viewer, need)
  const { role, ...project } = await readProject(db, viewer, key)
  requireScope(viewer, need)
  if (!roleAllows(role, need)) throw new ForbiddenError(roleRefusal(role, need))
  return project
}

/** A project and the viewer's role in it. Throws NotFoundError when the viewer may not know of it. */
async function readProject(db: Db, viewer: Viewer, key: ProjectKey): Promise<KnownProject & { readonly role: Role }> {
  return readOnce(viewer, questionOf(key), async () => {
    const isAccount = viewer.kind === 'member' || viewer.kind === 'token'
    const found = await db.project.findFirst({
      where: { AND: [isWellFormed(key) ? key : nothing, knownProjects(viewer)] },
      select: {
        ...{ id: true, slug: true },
        ...runRulesSelect,
        ...(isAccount ? { members: { where: { accountId: viewer.accountId }, select: { role: true } } } : {}),
      },
    })
    const role = isAccount && !viewer.isOwner ? found?.members?.[0]?.role : 'admin'
    if (found === null || role === undefined) throw new NotFoundError('Project')
    const project = { id: found.id, slug: found.slug, ...toRunRules(found), role }
    // Who names it by its address goes on by its id.
    if ('slug' in key) await readOnce(viewer, questionOf(project), () => Promise.resolve(project))
    return project
  })
}

const questionOf = (key: ProjectKey): string => ('id' in key ? `project ${key.id}` : `project at ${key.slug}`)

/** For work in this project that another viewer's request has the right to. */
export const systemViewer = (project: KnownProject): Viewer =>
  withProjects({ kind: 'system', projectId: project.id }, [{ ...project, role: 'admin' }])

/** A viewer of one request, for whom these projects have just been read with the viewer's role in each. */
export function withProjects<V extends Viewer>(own: V, projects: readonly (KnownProject & { role: Role })[]): V {
  const viewer = shareReadings({ ...own })
  for (const { id, slug, candidateRule, controlRule, role } of projects) {
    const project = { id, slug, candidateRule, controlRule, role }
    void readOnce(viewer, questionOf({ id }), () => Promise.resolve(project))
  }
  return viewer
}

const isWellFormed = (key: ProjectKey): boolean => ('id' in key ? isId(key.id) : isSlug(key.slug))

/** What a need includes: a viewer who may change a project's content may read it, too. */
type Implied<N extends Need> = N extends 'administer' ? Need : N extends 'edit' ? 'read' | 'upload' | 'edit' : N

declare const granted: unique symbol

/**
 * A project in which a viewer has this right. Only `grantIn` makes one: a query that takes it instead of a viewer and a
 * project cannot be called without the check.
 */
export interface Granted<N extends Need = Need> extends KnownProject {
  readonly viewer: Viewer
  readonly [granted]: { readonly [K in Implied<N>]: true }
}

/**
 * The right to do this in a project, which is named by its id or by its address. Throws NotFoundError, ForbiddenError as
 * `requireProject` does.
 */
export async function grantIn<N extends Need>(
  db: Db,
  viewer: Viewer,
  project: ProjectKey,
  need: N,
): Promise<Granted<N>> {
  const key = 'id' in project ? { id: project.id } : { slug: project.slug }
  return { ...(await requireProjectOf(db, viewer, key, need)), viewer } as Granted<N>
}

/** The runs of a share, of the project with this id: the share itself is the right to see them. */
export interface SharedRuns {
  readonly viewer: Extract<Viewer, { readonly kind: 'share' }>
  readonly id: string
}

/** Throws NotFoundError unless each of these is a run of the project that is not in the trash. */
export async function requireRuns(db: Db, projectId: string, runIds: readonly string[]): Promise<void> {
  const ids = [...new Set(runIds)]
  if (ids.length === 0) return
  const isThere = ids.every(isId) && (await db.run.count({ where: { id: { in: ids }, projectId, deletedAt: null } }))
  if (isThere !== ids.length) throw new NotFoundError('Run')
}
