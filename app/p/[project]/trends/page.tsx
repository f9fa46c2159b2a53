import type { Metadata } from 'next'
import { PageBar } from '@/components/shell/page-bar'
import { openTrends } from '@/app/_server/alerts/judge-trends'
import { TrendsView } from '@/components/trends/trends-view'
import { readTrendsQuery } from '@/components/trends/trends-url'
import { listReportedShifts } from '@/prisma/queries/series/environments'
import { listSeries } from '@/prisma/queries/series/series'
import { openProject } from '../open-project'

export const metadata: Metadata = { title: 'Trends' }

interface Props {
  readonly params: Promise<{ project: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Runs of each series that a small chart shows. */
const shownRuns = 100
/** The series that changed most among these come first. */
const shownSeries = 60

export default async function TrendsPage({ params, searchParams }: Props) {
  const { project, granted, limits } = await openProject((await params).project)
  const query = readTrendsQuery(await searchParams)
  const series = await listSeries(granted)
  const seriesIds = series.slice(0, shownSeries).map((one) => one.id)
  const wanted = { seriesIds, metrics: [query.metric], runs: shownRuns }
  const { trends, waiting } = await openTrends(granted, wanted)
  return (
    <>
      <PageBar project={project} here="Trends" isHeading />
      <TrendsView
        projectSlug={project.slug}
        series={trends.get(query.metric) ?? []}
        waiting={waiting}
        query={query}
        limits={limits}
        shifts={await listReportedShifts(granted)}
        hasMore={series.length > seriesIds.length}
      />
    </>
  )
}
