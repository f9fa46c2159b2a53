import { ConflictError, InvalidInputError, NotFoundError } from '../../../lib/errors'
import type { BadgeSummary } from '../../../lib/rules/badge'
import { findMetric } from '../../../lib/run/metrics'
import type { Viewer } from '../../../lib/viewer'
import { database } from '../../db'
import { isId, newId } from '../../rows/ids'
import { checkedName } from '../../rows/limits'
import type { Granted } from '../../statements/access'

const maxBadges = 50
const columns = { id: true, projectId: true, seriesId: true, metricId: true, label: true, createdAt: true } as const

export interface NewBadge {
  readonly seriesId: string
  readonly metricId: string
  readonly label: string
  /** Of the token's text, lower-case hex; the token itself stays with the caller. */
  readonly tokenSha256: string
}

/** Makes a badge of a series, 50 at most. Throws NotFoundError, InvalidInputError, ConflictError beyond 50. */
export async function createBadge(project: Granted<'edit'>, badge: NewBadge): Promise<BadgeSummary> {
  if (findMetric(badge.metricId) === null) throw new InvalidInputError('Unknown metric.', { field: 'metric' })
  const seriesId = await requireSeries(project.id, badge.seriesId)
  if ((await database().badge.count({ where: { seriesId, revokedAt: null } })) >= maxBadges)
    throw new ConflictError(`This series has ${maxBadges} badges.`, 'Revoke unused ones.')
  const { metricId, tokenSha256 } = badge
  const label = checkedName('label', badge.label)
  const made = await database().badge.create({
    data: { id: newId(), projectId: project.id, seriesId, metricId, label, tokenSha256 },
    select: columns,
  })
  return { ...made, createdAt: made.createdAt.toISOString() }
}

/** The badges of a series that still show something, newest first. Throws NotFoundError. */
export async function listBadges(project: Granted<'read'>, seriesId: string): Promise<readonly BadgeSummary[]> {
  await requireSeries(project.id, seriesId)
  const found = await database().badge.findMany({
    where: { projectId: project.id, seriesId, revokedAt: null },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: maxBadges,
    select: columns,
  })
  return found.map((badge) => ({ ...badge, createdAt: badge.createdAt.toISOString() }))
}

/** The id of a series in the project. Throws NotFoundError. */
async function requireSeries(projectId: string, id: string): Promise<string> {
  const count = isId(id) ? await database().series.count({ where: { id, projectId } }) : 0
  if (count === 0) throw new NotFoundError('Series')
  return id
}

/**
 * Ends a badge permanently: its address no longer shows anything. Throws NotFoundError, also when it was already
 * revoked.
 */
export async function revokeBadge(project: Granted<'edit'>, badgeId: string, now: Date): Promise<void> {
  const where = { id: badgeId, projectId: project.id, revokedAt: null }
  const count = isId(badgeId) ? (await database().badge.updateMany({ where, data: { revokedAt: now } })).count : 0
  if (count === 0) throw new NotFoundError('Badge')
}

/**
 * The badge with this token, for anyone: the token is the credential, so the viewer's own rights neither help nor
 * hinder. Unknown tokens, revoked ones and those of a deleted project give the same NotFoundError.
 */
export async function openBadge(_viewer: Viewer, tokenSha256: string): Promise<BadgeSummary> {
  const where = { tokenSha256, revokedAt: null, series: { project: { deletedAt: null } } }
  const found = /^[0-9a-f]{64}$/.test(tokenSha256) ? await database().badge.findFirst({ where, select: columns }) : null
  if (found === null) throw new NotFoundError('Badge')
  return { ...found, createdAt: found.createdAt.toISOString() }
}
