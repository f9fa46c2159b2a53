import { notFound } from 'next/navigation'
import { cache } from 'react'
import { currentViewer } from '@/app/_server/current-viewer'
import { NotFoundError } from '@/lib/errors'
import { findProject } from '@/prisma/queries/projects'

/** The viewer and the project of this address, read once a request; an unknown project is the 404 page. */
export const openProject = cache(async (slug: string) => {
  const viewer = await currentViewer()
  return { viewer, project: (await findProject(viewer, slug)) ?? notFound() }
})

/** What a query gives; where it throws NotFoundError, the 404 page. */
export async function foundOr404<Found>(query: Promise<Found>): Promise<Found> {
  try {
    return await query
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
}
