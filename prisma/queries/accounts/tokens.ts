import { z } from 'zod'
import type { TokenRow } from '../../../lib/account/account'
import { ConflictError, InvalidInputError, NotFoundError } from '../../../lib/errors'
import { tokenScopes, type Need, type TokenScope, type Viewer } from '../../../lib/viewer'
import { database } from '../../db'
import type { Prisma } from '../../generated/client'
import { isId, newId } from '../../rows/ids'
import { checkedName } from '../../rows/limits'
import { requireProject, type Granted } from '../../statements/access'
import { writeLater } from '../../statements/commit-later'
import { requireAccount } from '../../statements/accounts/owner'
import { earlierEnd, lockTokens, makingToken, revokeTokens } from '../../statements/accounts/token-children'

const maxTokens = 100
/** The right that an account needs for each scope of its tokens. */
const needOfScope = { upload: 'upload', read: 'read', admin: 'administer' } as const satisfies Record<TokenScope, Need>
const usedEveryMs = 5 * 60_000

/** A token to make. Its secret never reaches the database. */
export interface NewToken {
  readonly name: string
  readonly scope: TokenScope
  /** Null: all projects of the account; an upload token needs one. */
  readonly projectId: string | null
  readonly tokenSha256: string
  readonly hint: string
  readonly expiresAt: Date | null
}

const rowSelect = {
  ...{ id: true, name: true, scope: true, hint: true, createdAt: true, expiresAt: true, lastUsedAt: true },
  parentId: true,
  account: { select: { name: true } },
  project: { select: { slug: true, name: true } },
} as const satisfies Prisma.ApiTokenSelect

const toRow = (
  row: Prisma.ApiTokenGetPayload<{ select: typeof rowSelect }>,
  parent: { readonly id: string; readonly name: string } | null,
): TokenRow => ({
  ...{ id: row.id, name: row.name, scope: row.scope, hint: row.hint, project: row.project },
  parent: parent === null ? null : { id: parent.id, name: parent.name },
  accountName: row.account.name,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
})

/**
 * Makes a token that acts for the viewer's account. One made by a token ends no later than that token. Throws
 * NotFoundError, ForbiddenError when the account lacks the scope's rights in the project, InvalidInputError,
 * ConflictError when the account has 100.
 */
export async function createToken(viewer: Viewer, token: NewToken, now: Date): Promise<TokenRow> {
  const { accountId } = requireAccount(viewer)
  const { scope, projectId, tokenSha256, hint } = token
  const name = checkedName('name', token.name)
  if (scope === 'upload' && projectId === null)
    throw new InvalidInputError('An upload token is for one project.', { field: 'project' })
  if (token.expiresAt !== null && token.expiresAt <= now)
    throw new InvalidInputError('The token would have expired already.', { field: 'expiresAt' })
  return database().$transaction(async (tx) => {
    if (projectId !== null) await requireProject(tx, viewer, projectId, needOfScope[scope])
    await lockTokens(tx, accountId)
    const parent = await makingToken(tx, viewer, now)
    const expiresAt = earlierEnd(token.expiresAt, parent?.expiresAt ?? null)
    if ((await tx.apiToken.count({ where: { accountId, revokedAt: null } })) >= maxTokens)
      throw new ConflictError(`An account has at most ${maxTokens} tokens.`, 'Revoke one that is not used.')
    const made = {
      ...{ accountId, projectId, scope, name, hint, tokenSha256, expiresAt },
      parentId: parent?.id ?? null,
    }
    return toRow(
      await tx.apiToken.create({ data: { id: newId(), ...made, createdAt: now }, select: rowSelect }),
      parent,
    )
  })
}

const liveTokensSchema = z.array(
  z.object({
    tokenId: z.string(),
    accountId: z.string(),
    scope: z.enum(tokenScopes),
    projectId: z.string().nullable(),
    tokenName: z.string(),
    lastUsedAt: z.date().nullable(),
    name: z.string(),
    isOwner: z.boolean(),
  }),
)

/** The viewer of a token; null when it is unknown, revoked or expired, or its account is disabled. */
export async function findTokenViewer(tokenSha256: string, now: Date): Promise<(Viewer & { kind: 'token' }) | null> {
  const [found] = liveTokensSchema.parse(
    await database().$queryRaw`
      SELECT token.id AS "tokenId", token.account_id AS "accountId", token.scope, token.project_id AS "projectId",
        token.name AS "tokenName", token.last_used_at AS "lastUsedAt", account.name, account.is_owner AS "isOwner"
      FROM api_token AS token JOIN account ON account.id = token.account_id
      WHERE token_sha256 = ${tokenSha256} AND token.revoked_at IS NULL AND account.disabled_at IS NULL
        AND (token.expires_at IS NULL OR token.expires_at > ${now})`,
  )
  if (found === undefined) return null
  const { tokenName, lastUsedAt, name, ...own } = found
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= usedEveryMs)
    await writeLater(database(), (tx) =>
      tx.apiToken.updateMany({ where: { id: own.tokenId }, data: { lastUsedAt: now } }),
    )
  return { kind: 'token', ...own, name: `${name} (token ${tokenName})` }
}

/** The tokens of the viewer's account, newest first. Throws NotFoundError. */
export async function listOwnTokens(viewer: Viewer): Promise<readonly TokenRow[]> {
  const { accountId } = requireAccount(viewer)
  return listWhere({ accountId })
}

/** The tokens that open this project alone, of all accounts, newest first. */
export async function listProjectTokens(project: Granted<'administer'>): Promise<readonly TokenRow[]> {
  return listWhere({ projectId: project.id })
}

async function listWhere(where: Prisma.ApiTokenWhereInput): Promise<readonly TokenRow[]> {
  const newest = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]
  const rows = await database().apiToken.findMany({
    where: { ...where, revokedAt: null },
    orderBy: newest,
    take: 500,
    select: rowSelect,
  })
  const parents = await database().apiToken.findMany({
    where: { id: { in: rows.flatMap(({ parentId }) => parentId ?? []) } },
    select: { id: true, name: true },
  })
  return rows.map((row) => toRow(row, parents.find(({ id }) => id === row.parentId) ?? null))
}

/** Revokes a token of the viewer's account, with what the token made. Throws NotFoundError. */
export async function revokeOwnToken(viewer: Viewer, tokenId: string, now: Date): Promise<void> {
  const { accountId } = requireAccount(viewer)
  await revokeWhere({ accountId }, tokenId, now)
}

/**
 * Revokes a token that opens this project alone, no matter who made it, with what the token made. Throws NotFoundError.
 */
export async function revokeProjectToken(project: Granted<'administer'>, tokenId: string, now: Date): Promise<void> {
  await revokeWhere({ projectId: project.id }, tokenId, now)
}

async function revokeWhere(where: Prisma.ApiTokenWhereInput, tokenId: string, now: Date): Promise<void> {
  if (!isId(tokenId)) throw new NotFoundError('Token')
  await database().$transaction(async (tx) => {
    const found = await tx.apiToken.findFirst({
      where: { ...where, id: tokenId, revokedAt: null },
      select: { accountId: true },
    })
    if (found === null) throw new NotFoundError('Token')
    await revokeTokens(tx, found.accountId, [tokenId], now)
  })
}
