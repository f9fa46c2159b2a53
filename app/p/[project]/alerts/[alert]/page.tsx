import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { PageBar } from '@/components/shell/page-bar'
import { readTables } from '@/components/charts/plot/address'
import { AlertView } from '@/components/alerts/alert-view'
import { environmentEventOf } from '@/lib/rules/environment-alert'
import { alertSentence, alertSubject, seriesWords } from '@/lib/rules/alert-words'
import type { StoredAlert } from '@/lib/rules/stored-alerts'
import { getAlert } from '@/prisma/queries/alerts/alerts'
import { foundOr404, openProject } from '../../open-project'
import { listPeople, loadEvidence } from './load-alert'

interface Props {
  readonly params: Promise<{ project: string; alert: string }>
  readonly searchParams: Promise<{ table?: string | string[]; m?: string | string[] }>
}

const openAlert = cache(async (slug: string, alertId: string) => {
  const { viewer, project, granted } = await openProject(slug)
  return { viewer, project, granted, alert: await foundOr404(getAlert(granted, alertId)) }
})

const isOfSeries = (alert: StoredAlert) => alert.series !== null && environmentEventOf(alert) === null

/** The verdict is the title of the tab. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project: slug, alert: alertId } = await params
  const { alert } = await openAlert(slug, alertId)
  return { title: `${isOfSeries(alert) ? `${seriesWords(alert.series)}: ` : ''}${alertSentence(alert)}` }
}

export default async function AlertPage({ params, searchParams }: Props) {
  const { project: slug, alert: alertId } = await params
  const { project, granted, alert } = await openAlert(slug, alertId)
  // It merged into an earlier one.
  if (alert.id !== alertId) redirect(`/p/${project.slug}/alerts/${alert.id}`)
  const { table, m } = await searchParams
  const evidence = await loadEvidence(granted, alert, [m].flat()[0] ?? null)
  const people = await listPeople(granted)
  const subject = alertSubject(alert)
  const here = subject === null ? 'Alert' : [subject.scenario, subject.variant].filter(Boolean).join(' › ')
  const origin = requestOrigin(await headers())
  const shown = { alert, evidence, people, origin, tables: readTables(table), repositoryUrl: project.repositoryUrl }
  return (
    <>
      <PageBar project={project} crumbs={[{ name: 'Alerts', href: `/p/${slug}/alerts` }]} here={here} />
      <AlertView projectSlug={slug} {...shown} nowMs={Date.now()} />
    </>
  )
}
