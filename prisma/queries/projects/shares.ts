import { ConflictError, InvalidInputError, NotFoundError } from '../../../lib/errors'
import { maxRuns } from '../../../lib/judge/compare-url'
import {
  maxSharedSeries,
  type OpenedShare,
  type SharedView,
  type ShareSummary,
} from '../../../lib/project/stored-shares'
import { storableText } from '../../../lib/text'
import type { Viewer } from '../../../lib/viewer'
import { database } from '../../db'
import { isId, newId } from '../../rows/ids'
import { jsonColumn } from '../../rows/json-columns'
import { checkedName, checkedNotes } from '../../rows/limits'
import { toShareSummary } from '../../rows/share-rows'
import { requireRuns, type Granted } from '../../statements/access'
import { writeLater } from '../../statements/commit-later'

const maxShares = 1_000
const maxShared = { run: 1, comparison: maxRuns, matrix: 200, board: maxSharedSeries } as const
const maxCellNotes = 1_000
/** As many as ten lone runs with every metric need. */
const maxNoise = 1_000
const longestView = 2_000

export interface NewShare extends Omit<SharedView, 'cellNotes' | 'noise' | 'includeWhy'> {
  /** Absent: none. */
  readonly cellNotes?: SharedView['cellNotes']
  /** Absent: nothing is known. */
  readonly noise?: SharedView['noise']
  /** Only of a comparison; absent: it is not shown. */
  readonly includeWhy?: boolean
  /** Whether pages of other sites may show it in a frame; absent: they may not. */
  readonly embeddable?: boolean
  readonly name: string
  /** Of the token's text, lower-case hex; the token itself stays with the caller. */
  readonly tokenSha256: string
  /** Null: never. */
  readonly expiresAt: Date | null
}

/** Makes a share of runs of a project. Throws NotFoundError (one of the runs), InvalidInputError. */
export async function createShare(project: Granted<'edit'>, share: NewShare): Promise<ShareSummary> {
  const runIds = [...new Set(share.runIds)]
  const max = maxShared[share.kind]
  if (runIds.length === 0 || runIds.length > max) {
    throw new InvalidInputError(`A share of a ${share.kind} shows 1 to ${max} runs.`, { field: 'runIds' })
  }
  if (
    share.sideSizes.reduce((sum, size) => sum + size, 0) !== runIds.length ||
    share.sideSizes.some((size) => size < 1)
  ) {
    throw new InvalidInputError('The sides must contain each run exactly once.', { field: 'sides' })
  }
  if (share.includeWhy === true && (share.kind !== 'comparison' || share.sideSizes.length < 2))
    throw new InvalidInputError('Only a comparison of two sides or more has a difference to explain.', {
      field: 'includeWhy',
    })
  if (share.view.length > longestView) throw new InvalidInputError('The view is too long.', { field: 'view' })
  await requireRuns(database(), project.id, runIds)
  const made = await database().share.create({
    data: {
      id: newId(),
      projectId: project.id,
      name: checkedName('name', share.name),
      tokenSha256: share.tokenSha256,
      kind: share.kind,
      runIds,
      sideSizes: [...share.sideSizes],
      view: storableText(share.view),
      notes: checkedNotes(share.notes),
      cellNotes: jsonColumn((share.cellNotes ?? []).slice(0, maxCellNotes)),
      noise: jsonColumn((share.noise ?? []).slice(0, maxNoise)),
      includeRaw: share.includeRaw,
      includeWhy: share.includeWhy ?? false,
      embeddable: share.embeddable ?? false,
      expiresAt: share.expiresAt,
    },
  })
  return toShareSummary(made)
}

/** A project's shares, newest first, open or not; at most 1000. */
export async function listShares(project: Granted<'read'>): Promise<readonly ShareSummary[]> {
  const found = await database().share.findMany({
    where: { projectId: project.id },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: maxShares,
  })
  return found.map(toShareSummary)
}

/** Ends a share permanently. Throws NotFoundError, ConflictError when it was revoked before. */
export async function revokeShare(project: Granted<'edit'>, shareId: string, now: Date): Promise<ShareSummary> {
  if (!isId(shareId)) throw new NotFoundError('Share')
  const where = { id: shareId, projectId: project.id }
  const { count } = await database().share.updateMany({
    where: { ...where, revokedAt: null },
    data: { revokedAt: now },
  })
  const found = await database().share.findFirst({ where })
  if (found === null) throw new NotFoundError('Share')
  if (count === 0) throw new ConflictError('This share is already revoked.')
  return toShareSummary(found)
}

/**
 * Sets whether pages of other sites may show an open share in a frame, from now on. Throws NotFoundError, ConflictError
 * when it was revoked.
 */
export async function setShareEmbeddable(
  project: Granted<'edit'>,
  shareId: string,
  embeddable: boolean,
): Promise<ShareSummary> {
  if (!isId(shareId)) throw new NotFoundError('Share')
  const where = { id: shareId, projectId: project.id }
  const { count } = await database().share.updateMany({ where: { ...where, revokedAt: null }, data: { embeddable } })
  const found = await database().share.findFirst({ where })
  if (found === null) throw new NotFoundError('Share')
  if (count === 0) throw new ConflictError('This share is revoked.')
  return toShareSummary(found)
}

/**
 * What the link with this token shows, for anyone: the token is the credential, so the viewer's own rights neither help
 * nor hinder. Tokens that are unknown, revoked, expired, of a deleted project or with deleted runs all give the same
 * NotFoundError. `counted`: this is a person opening the page.
 */
export async function openShare(
  _viewer: Viewer,
  tokenSha256: string,
  { now, counted }: { readonly now: Date; readonly counted: boolean },
): Promise<OpenedShare> {
  const open = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }], project: { deletedAt: null } }
  const isHash = /^[0-9a-f]{64}$/.test(tokenSha256)
  const include = { project: { select: { name: true } } }
  const found = isHash ? await database().share.findFirst({ where: { tokenSha256, ...open }, include }) : null
  if (found === null) throw new NotFoundError('Share')
  if (counted) {
    const seen = { viewCount: { increment: 1 }, lastViewedAt: now }
    await writeLater(database(), (tx) => tx.share.update({ where: { id: found.id }, data: seen, select: { id: true } }))
  }
  const { revokedAt: _revoked, viewCount: _views, lastViewedAt: _last, ...opened } = toShareSummary(found)
  return { ...opened, projectName: found.project.name }
}
