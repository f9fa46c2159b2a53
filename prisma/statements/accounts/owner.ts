import { NotFoundError } from '../../../lib/errors'
import type { AccountViewer, Viewer } from '../../../lib/viewer'
import { requireScope } from '../access'

/**
 * The account of a viewer; from a token only with scope admin and for all projects. Throws NotFoundError,
 * ForbiddenError.
 */
export function requireAccount(viewer: Viewer): AccountViewer {
  requireScope(viewer, 'administer')
  if (viewer.kind === 'member') return viewer
  if (viewer.kind === 'token' && viewer.projectId === null) return viewer
  throw new NotFoundError('Account')
}

/** The same, for an owner of the installation: for others, what only owners see does not exist. */
export function requireOwner(viewer: Viewer): AccountViewer {
  const account = requireAccount(viewer)
  if (!account.isOwner) throw new NotFoundError('Page')
  return account
}
