import { notFound } from 'next/navigation'
import { cache } from 'react'
import { currentViewer } from '@/app/_server/http/current-viewer'
import { pageProjects } from '@/app/_server/page-projects'
import { ForbiddenError, NotFoundError } from '@/lib/errors'

/** The viewer and the project of this address, read once a request; an unknown project is the 404 page. */
export const openProject = cache(async (slug: string) => {
  const project = (await pageProjects()).find((one) => one.slug === slug)
  return { viewer: await currentViewer(), project: project ?? notFound() }
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
