import { normalEmail, type InvitationRow, type OpenInvitation } from '../../../lib/account/account'
import { ConflictError, InvalidInputError, NotFoundError } from '../../../lib/errors'
import { nameOf, roles, type Role, type Viewer } from '../../../lib/viewer'
import { database } from '../../db'
import { Prisma } from '../../generated/client'
import { isId, newId } from '../../rows/ids'
import { checkedName } from '../../rows/limits'
import { requireProject, type Db } from '../../statements/access'
import { keepAdministrators } from '../../statements/accounts/administrators'
import { requireOwner } from '../../statements/accounts/owner'
import { earlierEnd, makingToken } from '../../statements/accounts/token-children'

const lifeMs = 7 * 24 * 3_600_000
const maxOpen = 200

/** A link to make. Its secret never reaches the database. */
export interface NewInvitation {
  /** Null: anyone who has the link. */
  readonly email: string | null
  readonly into: { readonly projectId: string; readonly role: Role } | { readonly isOwner: boolean }
  readonly tokenSha256: string
}

const toRow = (row: Prisma.InvitationGetPayload<object>): InvitationRow => ({
  ...{ id: row.id, email: row.email, role: row.role, isOwner: row.isOwner },
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
})

const openAt = (now: Date) => ({ acceptedAt: null, expiresAt: { gt: now } })

/**
 * Invites to a project (its admins) or to the installation (its owners); the link holds for a week, but no longer than
 * the token that makes it. Throws NotFoundError, ForbiddenError, ConflictError when too many are open.
 */
export async function createInvitation(viewer: Viewer, input: NewInvitation, now: Date): Promise<InvitationRow> {
  const { into, tokenSha256 } = input
  const email = input.email === null ? null : normalEmail(input.email)
  return database().$transaction(async (tx) => {
    const projectId = 'isOwner' in into ? null : await requireAdmin(tx, viewer, into.projectId)
    if (projectId === null) requireOwner(viewer)
    if ((await tx.invitation.count({ where: { projectId, ...openAt(now) } })) >= maxOpen)
      throw new ConflictError(`${maxOpen} invitations are open.`, 'Revoke those that are not needed.')
    const token = await makingToken(tx, viewer, now)
    const expiresAt = earlierEnd(new Date(now.getTime() + lifeMs), token?.expiresAt ?? null)
    const made = { tokenSha256, email, tokenId: token?.id ?? null, invitedBy: nameOf(viewer) }
    const target = 'isOwner' in into ? { isOwner: into.isOwner } : { projectId, role: into.role }
    return toRow(await tx.invitation.create({ data: { id: newId(), ...made, createdAt: now, expiresAt, ...target } }))
  })
}

const requireAdmin = async (db: Db, viewer: Viewer, projectId: string) =>
  (await requireProject(db, viewer, projectId, 'administer')).id

/**
 * The one link that makes the first owner, replacing earlier ones. For the first start alone: there is no account yet.
 */
export async function createOwnerInvitation(tokenSha256: string, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + lifeMs)
  await database().$transaction([
    database().invitation.deleteMany({ where: { isOwner: true, invitedBy: null, acceptedAt: null } }),
    database().invitation.create({ data: { id: newId(), tokenSha256, isOwner: true, createdAt: now, expiresAt } }),
  ])
}

/**
 * Open invitations to a project (for its admins), or with null to the installation (for its owners), newest first.
 * Throws.
 */
export async function listInvitations(
  viewer: Viewer,
  project: string | null,
  now: Date,
): Promise<readonly InvitationRow[]> {
  if (project === null) requireOwner(viewer)
  const projectId = project === null ? null : await requireAdmin(database(), viewer, project)
  const found = await database().invitation.findMany({
    where: { projectId, ...openAt(now) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: maxOpen,
  })
  return found.map(toRow)
}

/** Revokes an open invitation. Throws NotFoundError, ForbiddenError. */
export async function revokeInvitation(viewer: Viewer, project: string | null, invitationId: string): Promise<void> {
  if (project === null) requireOwner(viewer)
  const projectId = project === null ? null : await requireAdmin(database(), viewer, project)
  const { count } = isId(invitationId)
    ? await database().invitation.deleteMany({ where: { id: invitationId, projectId, acceptedAt: null } })
    : { count: 0 }
  if (count === 0) throw new NotFoundError('Invitation')
}

/**
 * What a link invites to, and whether the account (null: a new one) already has as much; null when it is unknown, used,
 * expired or revoked. For anyone who has it.
 */
export async function findInvitation(
  tokenSha256: string,
  accountId: string | null,
  now: Date,
): Promise<OpenInvitation | null> {
  const found = await database().invitation.findFirst({
    where: { tokenSha256, ...openAt(now), OR: [{ projectId: null }, { project: { deletedAt: null } }] },
    include: { project: { select: { slug: true, name: true } } },
  })
  if (found === null) return null
  const { id, email, isOwner, projectId, project, role, expiresAt } = found
  const into = project === null || role === null ? null : { ...project, role }
  const isHeld = accountId !== null && (await holds(accountId, { isOwner, projectId, role }))
  return { id, email, isOwner, project: into, isHeld, expiresAt: expiresAt.toISOString() }
}

type Offer = Pick<Prisma.InvitationGetPayload<object>, 'isOwner' | 'projectId' | 'role'>

/** Whether an account already has all that an invitation would give it. */
async function holds(accountId: string, { isOwner, projectId, role }: Offer): Promise<boolean> {
  const account = await database().account.findUnique({
    where: { id: accountId },
    select: { isOwner: true, memberships: { where: { projectId: projectId ?? '' }, select: { role: true } } },
  })
  if (account === null || (isOwner && !account.isOwner)) return false
  const own = account.memberships[0]?.role
  return role === null || (own !== undefined && !isAbove(role, own))
}

const isAbove = (role: Role, other: Role): boolean => roles.indexOf(role) > roles.indexOf(other)

/** The account that accepts an invitation: a signed-in one, or a new one. */
export type Invited =
  | { readonly kind: 'member'; readonly accountId: string }
  | {
      readonly kind: 'new'
      readonly email: string
      readonly name: string
      /** Null: signs in with OpenID Connect. */
      readonly passwordHash: string | null
      readonly subject: { readonly issuer: string; readonly subject: string } | null
    }

/**
 * Uses up a link: makes the account if it is new, and its membership. An existing role is raised, never lowered.
 * Returns the account's id. Throws NotFoundError when the link no longer holds, ConflictError when the e-mail address
 * has an account, InvalidInputError when the link is for another address.
 */
export async function acceptInvitation(tokenSha256: string, invited: Invited, now: Date): Promise<string> {
  try {
    return await database().$transaction(async (tx) => {
      const { count } = await tx.invitation.updateMany({
        where: { tokenSha256, ...openAt(now) },
        data: { acceptedAt: now },
      })
      if (count === 0) throw new NotFoundError('Invitation')
      const { email, ...offer } = await tx.invitation.findUniqueOrThrow({ where: { tokenSha256 } })
      const accountId = invited.kind === 'new' ? await makeAccount(tx, invited, now) : invited.accountId
      const account = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { email: true } })
      if (email !== null && account.email !== email)
        throw new InvalidInputError(`The invitation is for ${email}.`, { field: 'email' })
      await keepAdministrators(tx, { accountId }, () => raiseTo(tx, accountId, offer))
      return accountId
    })
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002')
      throw new ConflictError(
        'This e-mail address already has an account.',
        'Sign in first, then open the invitation again.',
      )
    throw error
  }
}

async function raiseTo(tx: Db, accountId: string, { isOwner, projectId, role }: Offer): Promise<void> {
  if (isOwner) await tx.account.update({ where: { id: accountId }, data: { isOwner: true } })
  if (projectId === null || role === null) return
  const key = { projectId_accountId: { projectId, accountId } }
  const own = await tx.membership.findUnique({ where: key, select: { role: true } })
  if (own === null) await tx.membership.create({ data: { projectId, accountId, role } })
  else if (isAbove(role, own.role)) await tx.membership.update({ where: key, data: { role } })
}

async function makeAccount(tx: Db, invited: Invited & { kind: 'new' }, now: Date): Promise<string> {
  const { passwordHash, subject } = invited
  const name = checkedName('name', invited.name)
  const oidc = subject === null ? {} : { oidcIssuer: subject.issuer, oidcSubject: subject.subject }
  const email = normalEmail(invited.email)
  const data = { id: newId(), email, name, passwordHash, createdAt: now, ...oidc }
  return (await tx.account.create({ data, select: { id: true } })).id
}
