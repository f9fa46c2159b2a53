import { cache } from 'react'
import { getSeries } from '@/prisma/queries/series/series'
import { foundOr404, openProject } from '../../open-project'

/** The series of an address in its project, read once per request: the title names it. Else the page is a 404. */
export const openSeries = cache(async (slug: string, id: string) => {
  const opened = await openProject(slug)
  return { ...opened, own: await foundOr404(getSeries(opened.granted, id)) }
})
