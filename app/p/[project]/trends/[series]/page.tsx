import type { Metadata } from 'next'
import { PageBar } from '@/components/shell/page-bar'
import { SeriesView } from '@/components/trends/series-view'
import { linesToDraw } from '@/components/trends/scenario-trends'
import { readTrendsQuery } from '@/components/trends/trends-url'
import { listBadges } from '@/prisma/queries/series/badges'
import { listAnnotations } from '@/prisma/queries/series/annotations'
import { listReportedShifts } from '@/prisma/queries/series/environments'
import { getJudgements } from '@/prisma/queries/runs/runs'
import { listSeries } from '@/prisma/queries/series/series'
import { getTrends, listSeriesNoise } from '@/prisma/queries/series/trends'
import { metrics } from '@/lib/run/metrics'
import { openSeries } from './open-series'

interface Props {
  readonly params: Promise<{ project: string; series: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project, series } = await params
  return { title: `Trend: ${(await openSeries(project, series)).own.scenario}` }
}

/** A chart distinguishes seven lines, and a series has at least one. */
const maxSeries = 7
/** Runs of each series that a small chart shows. */
const maxSmallRuns = 100

export default async function SeriesPage({ params, searchParams }: Props) {
  const { project: slug, series: id } = await params
  const { project, granted, limits, own } = await openSeries(slug, id)
  const query = readTrendsQuery(await searchParams)
  const [listed, badges, annotations] = await Promise.all([
    listSeries(granted, { scenario: own.scenario }),
    listBadges(granted, id),
    listAnnotations(granted, own.scenario),
  ])
  const all = [own, ...listed.filter((one) => one.id !== id)]
  const seriesIds = all.slice(0, maxSeries).map((one) => one.id)
  const large = await getTrends(granted, { seriesIds, metrics: [query.metric], runs: query.last })
  const shown = large.get(query.metric) ?? []
  const smallRuns = Math.min(maxSmallRuns, query.last)
  const drawnIds = [...new Set(linesToDraw(shown).map((trend) => trend.profile.series.id))]
  const small = await getTrends(granted, { seriesIds: drawnIds, metrics, runs: smallRuns })
  const newest = linesToDraw(shown).flatMap(({ points }) => points.at(-1)?.runIds.at(-1) ?? [])
  const judgements = await getJudgements(granted, newest)
  const [noises, shifts] = await Promise.all([listSeriesNoise(granted, drawnIds), listReportedShifts(granted)])
  const marks = { badges, annotations, judgements, noises, shifts }
  return (
    <>
      <PageBar project={project} crumbs={[{ name: 'Trends', href: `/p/${slug}/trends` }]} here={own.scenario} />
      <SeriesView projectSlug={slug} {...{ all, shown, small, smallRuns, query, limits }} {...marks} />
    </>
  )
}
