import { notFound } from 'next/navigation'
import { cache } from 'react'
import { currentViewer, pageFrame } from '@/app/_server/pages/current-viewer'
import { pageProjects } from '@/app/_server/pages/page-projects'
import { ForbiddenError, NotFoundError } from '@/lib/errors'
import { grant } from '@/prisma/queries/projects/projects'

/**
 * The viewer and the project of this address, with the right to read it, once per request; an unknown project is the
 * 404 page. `version`: of the project, as the page shows it; `limits`: that its rules set. Send neither `granted` nor
 * `viewer` to the client.
 */
export const openProject = cache(async (slug: string) => {
  const project = (await pageProjects()).find((one) => one.slug === slug) ?? notFound()
  const viewer = await currentViewer()
  const frame = (await pageFrame())?.projects.find(({ id }) => id === project.id)
  const granted = await foundOr404(grant(viewer, project, 'read'))
  return { viewer, project, granted, version: frame?.version ?? '', limits: frame?.limits ?? [] }
})

/** The result of a query; if it throws NotFoundError or ForbiddenError, the 404 page. */
export async function foundOr404<Found>(query: Promise<Found>): Promise<Found> {
  try {
    return await query
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ForbiddenError) notFound()
    throw error
  }
}
