import { cache } from 'react'
import { whyOf, type LoadedWhy } from '@/app/p/[project]/compare/load-why'
import { viewShareLink } from '@/app/_server/sharing/open-share-link'
import { NotFoundError } from '@/lib/errors'
import type { OpenedShare } from '@/lib/project/stored-shares'
import { prepareSharedRuns } from './prepare-share'

export interface SharedWhy extends LoadedWhy {
  readonly share: OpenedShare
}

/**
 * What the difference of a shared comparison stands with, read with the rights of its share alone, once per request;
 * null: the link is none, or its share leaves that out. `side`: which one is compared with the first.
 */
export const loadSharedWhy = cache(async (token: string, side: number): Promise<SharedWhy | null> => {
  const link = await viewShareLink(token, false)
  if (link?.kind !== 'runs' || !link.share.includeWhy) return null
  const prepared = prepareSharedRuns(link)
  if (prepared === null) return null
  const { share } = link
  try {
    const shared = { viewer: { kind: 'share', runIds: share.runIds }, id: share.projectId } as const
    return { share, ...(await whyOf(shared, prepared, side)) }
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
})
