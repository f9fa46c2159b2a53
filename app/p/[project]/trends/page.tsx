import type { Metadata } from 'next'
import { TrendsView } from '@/components/trends/trends-view'
import { readTrendsQuery } from '@/components/trends/trends-url'
import { getSeriesHistories, listSeries } from '@/prisma/queries/series'
import { openProject } from '../open-project'

export const metadata: Metadata = { title: 'Trends' }

interface Props {
  readonly params: Promise<{ project: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Runs of each series that a small chart shows. */
const shownRuns = 100
/** Each is read and judged for the page. */
const shownSeries = 60

export default async function TrendsPage({ params, searchParams }: Props) {
  const { viewer, project } = await openProject((await params).project)
  const query = readTrendsQuery(await searchParams)
  const series = await listSeries(viewer, project.id)
  const ids = series.slice(0, shownSeries).map((one) => one.id)
  const histories = await getSeriesHistories(viewer, project.id, ids, shownRuns)
  return (
    <TrendsView projectSlug={project.slug} histories={histories} query={query} hasMore={series.length > ids.length} />
  )
}
