import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { PageBar } from '@/components/shell/page-bar'
import { readTables } from '@/components/charts/plot/table'
import { AlertView } from '@/components/alerts/alert-view'
import { alertTitle } from '@/lib/rules/alert-words'
import { seriesIdsOf } from '@/lib/rules/stored-alerts'
import { getAlert } from '@/prisma/queries/alerts'
import { getSeriesHistories } from '@/prisma/queries/series'
import { foundOr404, openProject } from '../../open-project'

export const metadata: Metadata = { title: 'Alert' }

interface Props {
  readonly params: Promise<{ project: string; alert: string }>
  readonly searchParams: Promise<{ table?: string | string[] }>
}

export default async function AlertPage({ params, searchParams }: Props) {
  const { project: slug, alert: alertId } = await params
  const { viewer, project } = await openProject(slug)
  const alert = await foundOr404(getAlert(viewer, project.id, alertId))
  // It merged into an earlier one.
  if (alert.id !== alertId) redirect(`/p/${project.slug}/alerts/${alert.id}`)
  const seriesId = seriesIdsOf(alert)[0] ?? ''
  const isThere = alert.seriesOf[seriesId] !== undefined
  const [history] = isThere ? await getSeriesHistories(viewer, project.id, [seriesId], 100) : []
  const tables = readTables((await searchParams).table)
  const shown = { alert, history: history ?? null, tables, repositoryUrl: project.repositoryUrl }
  return (
    <>
      <PageBar project={project} crumbs={[{ name: 'Alerts', href: `/p/${slug}/alerts` }]} here={alertTitle(alert)} />
      <AlertView projectSlug={slug} {...shown} nowMs={Date.now()} />
    </>
  )
}
