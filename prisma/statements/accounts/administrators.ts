import { ConflictError } from '../../../lib/errors'
import type { Prisma } from '../../generated/client'
import type { Db } from '../access'

/** An admin who may sign in: the role of a disabled account administers nothing. */
const mayAdminister = { role: 'admin', account: { disabledAt: null } } satisfies Prisma.MembershipWhereInput
const mayOwn = { isOwner: true, disabledAt: null } satisfies Prisma.AccountWhereInput

/**
 * Makes a change that may affect who administers the installation, a project, or those of an account: one after the
 * other, so that two who leave at once see each other. Every change of roles, members, owners and disabled accounts
 * goes through here. Throws ConflictError, and changes nothing, if the last owner or the last admin of a project would
 * be gone. A project from before accounts may have no admin: owners administer every project.
 */
export async function keepAdministrators<T>(
  tx: Db,
  of: { readonly projectId: string } | { readonly accountId: string },
  change: () => Promise<T>,
): Promise<T> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('administrators', 0))`
  const hadOwner = await hasOne(tx)
  const administered = await tx.project.findMany({
    where: { deletedAt: null, members: { some: mayAdminister }, ...reachOf(of) },
    select: { id: true },
  })
  const changed = await change()
  if (hadOwner && !(await hasOne(tx)))
    throw new ConflictError('This is the last owner.', 'Make another account an owner first.')
  const left = await tx.project.findFirst({
    where: { id: { in: administered.map(({ id }) => id) }, members: { none: mayAdminister } },
    orderBy: { name: 'asc' },
    select: { name: true },
  })
  if (left !== null)
    throw new ConflictError(`This is the last admin of ${left.name}.`, 'Make another member an admin first.')
  return changed
}

const hasOne = async (tx: Db): Promise<boolean> =>
  (await tx.account.findFirst({ where: mayOwn, select: { id: true } })) !== null

const reachOf = (of: { readonly projectId: string } | { readonly accountId: string }): Prisma.ProjectWhereInput =>
  'projectId' in of ? { id: of.projectId } : { AND: { members: { some: { accountId: of.accountId, role: 'admin' } } } }

/**
 * Makes one account an admin of the projects that only another one administers; returns their slugs. Within
 * `keepAdministrators`.
 */
export async function handOverProjects(tx: Db, fromId: string, toId: string): Promise<readonly string[]> {
  const found = await tx.project.findMany({
    where: {
      deletedAt: null,
      AND: { members: { some: { accountId: fromId, role: 'admin' } } },
      members: { none: { ...mayAdminister, accountId: { not: fromId } } },
    },
    select: { id: true, slug: true },
  })
  for (const { id: projectId } of found) {
    const key = { projectId, accountId: toId }
    await tx.membership.upsert({
      where: { projectId_accountId: key },
      create: { ...key, role: 'admin' },
      update: { role: 'admin' },
    })
  }
  return found.map(({ slug }) => slug)
}
