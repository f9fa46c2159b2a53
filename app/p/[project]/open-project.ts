import { notFound } from 'next/navigation'
import { cache } from 'react'
import { currentViewer } from '@/app/_server/http/current-viewer'
import { pageProjects } from '@/app/_server/page-projects'
import { ForbiddenError, NotFoundError } from '@/lib/errors'
import { grant } from '@/prisma/queries/projects'

/**
 * The viewer and the project of this address, with the right to read it, once a request; an unknown project is the 404
 * page. What goes to the client is of `project`: `granted` holds the viewer.
 */
export const openProject = cache(async (slug: string) => {
  const project = (await pageProjects()).find((one) => one.slug === slug) ?? notFound()
  const viewer = await currentViewer()
  return { viewer, project, granted: await foundOr404(grant(viewer, project, 'read')) }
})

/** What a query gives; where it throws NotFoundError or ForbiddenError, the 404 page. */
export async function foundOr404<Found>(query: Promise<Found>): Promise<Found> {
  try {
    return await query
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ForbiddenError) notFound()
    throw error
  }
}
