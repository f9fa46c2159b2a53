import type { Member } from '../../../lib/account/account'
import { NotFoundError } from '../../../lib/errors'
import type { Role } from '../../../lib/viewer'
import { database } from '../../db'
import { isId } from '../../rows/ids'
import { requireProject, type Db, type Granted } from '../../statements/access'
import { keepAdministrators } from '../../statements/accounts/administrators'

/** The members of a project, by name; owners of the installation see every project without being members. */
export async function listMembers(project: Granted<'read'>): Promise<readonly Member[]> {
  const found = await database().membership.findMany({
    where: { projectId: project.id, account: { disabledAt: null } },
    orderBy: [{ account: { name: 'asc' } }, { accountId: 'asc' }],
    take: 1_000,
    select: { role: true, createdAt: true, account: { select: { id: true, name: true, email: true } } },
  })
  return found.map(({ role, createdAt, account: { id: accountId, name, email } }) => {
    return { accountId, name, email, role, since: createdAt.toISOString() }
  })
}

/** Changes a member's role. Throws NotFoundError, ForbiddenError, ConflictError when no admin would be left. */
export async function setMemberRole(project: Granted<'administer'>, accountId: string, role: Role): Promise<void> {
  await changeMembers(project, accountId, (tx, where) => tx.membership.updateMany({ where, data: { role } }))
}

/** Removes a member from a project. Throws NotFoundError, ForbiddenError, ConflictError when no admin would be left. */
export async function removeMember(project: Granted<'administer'>, accountId: string): Promise<void> {
  await changeMembers(project, accountId, (tx, where) => tx.membership.deleteMany({ where }))
}

async function changeMembers(
  granted: Granted<'administer'>,
  accountId: string,
  change: (tx: Db, where: { projectId: string; accountId: string }) => Promise<{ count: number }>,
): Promise<void> {
  await database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'administer')
    await keepAdministrators(tx, { projectId: project.id }, async () => {
      const { count } = isId(accountId) ? await change(tx, { projectId: project.id, accountId }) : { count: 0 }
      if (count === 0) throw new NotFoundError('Member')
    })
  })
}
