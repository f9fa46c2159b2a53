import type { Metadata } from 'next'
import { SeriesView } from '@/components/trends/series-view'
import { readTrendsQuery } from '@/components/trends/trends-url'
import { listBadges } from '@/prisma/queries/badges'
import { listAnnotations } from '@/prisma/queries/annotations'
import { getSeriesHistories, listSeries } from '@/prisma/queries/series'
import { foundOr404, openProject } from '../../open-project'

export const metadata: Metadata = { title: 'Trend' }

interface Props {
  readonly params: Promise<{ project: string; series: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function SeriesPage({ params, searchParams }: Props) {
  const { project: slug, series } = await params
  const { viewer, project } = await openProject(slug)
  const query = readTrendsQuery(await searchParams)
  const [own] = await foundOr404(getSeriesHistories(viewer, project.id, [series], query.last))
  const all = await listSeries(viewer, project.id, { scenario: own?.scenario })
  const others = all.map((one) => one.id).filter((id) => id !== series)
  const rest = await getSeriesHistories(viewer, project.id, others, query.last)
  const badges = await listBadges(viewer, project.id, series)
  const histories = [...(own ? [own] : []), ...rest]
  const annotations = await listAnnotations(viewer, project.id, own?.scenario ?? null)
  const marks = { badges, annotations }
  return <SeriesView projectSlug={project.slug} histories={histories} query={query} {...marks} />
}
