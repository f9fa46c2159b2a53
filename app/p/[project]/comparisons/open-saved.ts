import { cache } from 'react'
import { getComparison } from '@/prisma/queries/projects/comparisons'
import { foundOr404, openProject } from '../open-project'

/** A saved comparison by its id; read once per request. */
export const openSaved = cache(async (slug: string, id: string) => {
  const { granted } = await openProject(slug)
  return foundOr404(getComparison(granted, id))
})
