import { normalEmail, type Account } from '../../../lib/account/account'
import { NotFoundError } from '../../../lib/errors'
import type { Viewer } from '../../../lib/viewer'
import { database } from '../../db'
import { Prisma } from '../../generated/client'
import { isId } from '../../rows/ids'
import { checkedName } from '../../rows/limits'
import { handOverProjects, keepAdministrators } from '../../statements/accounts/administrators'
import { requireAccount, requireOwner } from '../../statements/accounts/owner'
import { revokeTokens } from '../../statements/accounts/token-children'

type Row = Prisma.AccountGetPayload<object>

const toAccount = (row: Row): Account => ({
  ...{ id: row.id, email: row.email, name: row.name, isOwner: row.isOwner },
  ...{ hasPassword: row.passwordHash !== null, hasOidc: row.oidcSubject !== null },
  createdAt: row.createdAt.toISOString(),
  disabledAt: row.disabledAt?.toISOString() ?? null,
})

/** The data of an account for signing in. `passwordHash` null: it has none. */
export interface SignInAccount {
  readonly id: string
  readonly name: string
  readonly isOwner: boolean
  readonly passwordHash: string | null
}

const signInSelect = { id: true, name: true, isOwner: true, passwordHash: true } as const

/** The enabled account of an e-mail address; null when there is none. For sign-in only: there is no viewer yet. */
export function findAccountByEmail(email: string): Promise<SignInAccount | null> {
  return database().account.findFirst({ where: { email: normalEmail(email), disabledAt: null }, select: signInSelect })
}

/** The enabled account that is linked with a subject of an OpenID Connect provider; null: none. */
export function findAccountBySubject(oidcIssuer: string, oidcSubject: string): Promise<SignInAccount | null> {
  return database().account.findFirst({ where: { oidcIssuer, oidcSubject, disabledAt: null }, select: signInSelect })
}

/**
 * Links an account with the subject that it signed in as. False, and nothing changes: the account has another subject
 * of that issuer, or the subject belongs to a disabled account.
 */
export async function linkSubject(accountId: string, oidcIssuer: string, oidcSubject: string): Promise<boolean> {
  try {
    const { count } = await database().account.updateMany({
      where: { id: accountId, OR: [{ oidcIssuer: null }, { oidcIssuer: { not: oidcIssuer } }] },
      data: { oidcIssuer, oidcSubject },
    })
    return count > 0
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') return false
    throw error
  }
}

/**
 * Removes a provider's subject from an account and ends its sessions, except the viewer's own: the next subject with
 * its verified e-mail address is linked. For owners; throws NotFoundError.
 */
export async function unlinkSubject(viewer: Viewer, accountId: string): Promise<void> {
  requireOwner(viewer)
  await readAccount(accountId)
  const own = viewer.kind === 'member' ? viewer.sessionId : ''
  await database().$transaction(async (tx) => {
    const { count } = await tx.account.updateMany({
      where: { id: accountId, oidcSubject: { not: null } },
      data: { oidcIssuer: null, oidcSubject: null },
    })
    if (count > 0) await tx.session.deleteMany({ where: { accountId, id: { not: own } } })
  })
}

/** Whether an enabled account has a password whose hash begins like this. */
export async function hasPasswordHash(prefix: string): Promise<boolean> {
  const where = { passwordHash: { startsWith: prefix }, disabledAt: null }
  return (await database().account.findFirst({ where, select: { id: true } })) !== null
}

/**
 * Stores the hash of a new password for the enabled account of an e-mail address, and ends its sessions; its id. Null:
 * there is none. For who controls the database: there is no viewer.
 */
export function resetPasswordHash(email: string, passwordHash: string): Promise<string | null> {
  return database().$transaction(async (tx) => {
    const where = { email: normalEmail(email), disabledAt: null }
    const found = await tx.account.findFirst({ where, select: { id: true } })
    if (found === null) return null
    await tx.account.update({ where: found, data: { passwordHash } })
    await tx.session.deleteMany({ where: { accountId: found.id } })
    return found.id
  })
}

/** Whether anyone can administer the installation yet. */
export async function hasOwner(): Promise<boolean> {
  return (await database().account.findFirst({ where: { isOwner: true }, select: { id: true } })) !== null
}

/** The account of the viewer. Throws NotFoundError, ForbiddenError. */
export async function getOwnAccount(viewer: Viewer): Promise<Account> {
  return readAccount(requireAccount(viewer).accountId)
}

async function readAccount(id: string): Promise<Account> {
  const found = isId(id) ? await database().account.findUnique({ where: { id } }) : null
  if (found === null) throw new NotFoundError('Account')
  return toAccount(found)
}

/** Gives the viewer's account another name. Throws NotFoundError, InvalidInputError. */
export async function renameOwnAccount(viewer: Viewer, text: string): Promise<Account> {
  const { accountId: id } = requireAccount(viewer)
  return toAccount(await database().account.update({ where: { id }, data: { name: checkedName('name', text) } }))
}

/** The hash of the viewer's current password; null: the account has none. */
export async function getOwnPasswordHash(viewer: Viewer): Promise<string | null> {
  const { accountId: id } = requireAccount(viewer)
  const { passwordHash } = await database().account.findUniqueOrThrow({ where: { id }, select: { passwordHash: true } })
  return passwordHash
}

/** What ends with a password change. */
export interface EndsWithPassword {
  /** Whether every other session of the account is signed out. */
  readonly signsOutElsewhere: boolean
  /** Tokens of the account to revoke, with what they made. */
  readonly tokenIds: readonly string[]
}

/**
 * Stores the hash of the viewer's new password, and ends what is chosen to end with the old one. Throws NotFoundError
 * for a token.
 */
export async function setOwnPasswordHash(
  viewer: Viewer,
  passwordHash: string,
  { signsOutElsewhere, tokenIds }: EndsWithPassword,
  now: Date,
): Promise<void> {
  const { accountId: id } = requireAccount(viewer)
  const sessionId = viewer.kind === 'member' ? viewer.sessionId : ''
  const ids = [...new Set(tokenIds)]
  if (!ids.every(isId)) throw new NotFoundError('Token')
  await database().$transaction(async (tx) => {
    await tx.account.update({ where: { id }, data: { passwordHash } })
    if (signsOutElsewhere) await tx.session.deleteMany({ where: { accountId: id, id: { not: sessionId } } })
    if (ids.length === 0) return
    const known = await tx.apiToken.count({ where: { accountId: id, id: { in: ids }, revokedAt: null } })
    if (known < ids.length) throw new NotFoundError('Token')
    await revokeTokens(tx, id, ids, now)
  })
}

/** All accounts of the installation, by name. For owners; throws NotFoundError to others. */
export async function listAccounts(viewer: Viewer): Promise<readonly Account[]> {
  requireOwner(viewer)
  const found = await database().account.findMany({ orderBy: [{ name: 'asc' }, { id: 'asc' }], take: 1_000 })
  return found.map(toAccount)
}

interface AccountEdits {
  readonly isOwner?: boolean | undefined
  readonly isDisabled?: boolean | undefined
}

/** An account after a change, and the projects that the person who changed it took over: they had no other admin. */
interface ChangedAccount {
  readonly account: Account
  /** Their slugs. */
  readonly handedOver: readonly string[]
}

/**
 * Makes an account an owner or not, or takes its right to sign in and ends its sessions; its tokens fail from then on,
 * and the viewer becomes an admin of the projects that it alone administered. For owners. Throws NotFoundError,
 * ConflictError when the installation or a project would be left without an administrator.
 */
export async function updateAccount(viewer: Viewer, accountId: string, edits: AccountEdits): Promise<ChangedAccount> {
  const own = requireOwner(viewer)
  if (!isId(accountId)) throw new NotFoundError('Account')
  const isDisabled = edits.isDisabled === true
  const data = {
    ...(edits.isOwner === undefined ? {} : { isOwner: edits.isOwner }),
    ...(edits.isDisabled === undefined ? {} : { disabledAt: isDisabled ? new Date() : null }),
  }
  const handedOver = await database().$transaction((tx) =>
    keepAdministrators(tx, { accountId }, async () => {
      const { count } = await tx.account.updateMany({ where: { id: accountId }, data })
      if (count === 0) throw new NotFoundError('Account')
      if (isDisabled) await tx.session.deleteMany({ where: { accountId } })
      return isDisabled && own.accountId !== accountId ? handOverProjects(tx, accountId, own.accountId) : []
    }),
  )
  return { account: await readAccount(accountId), handedOver }
}
