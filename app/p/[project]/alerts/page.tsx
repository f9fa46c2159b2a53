import type { Metadata } from 'next'
import { PageBar } from '@/components/shell/page-bar'
import { readAlertsQuery, shownAlerts } from '@/components/alerts/alert-list'
import { AlertsView } from '@/components/alerts/alerts-view'
import { alertStates } from '@/lib/rules/stored-alerts'
import { listAlerts } from '@/prisma/queries/alerts/alerts'
import { listChannels } from '@/prisma/queries/alerts/channels'
import { openProject } from '../open-project'
import { loadStrips } from './load-alerts'

export const metadata: Metadata = { title: 'Alerts' }

interface Props {
  readonly params: Promise<{ project: string }>
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function AlertsPage({ params, searchParams }: Props) {
  const { viewer, project, granted, limits } = await openProject((await params).project)
  const query = readAlertsQuery(await searchParams)
  const all = await listAlerts(granted, alertStates)
  const accountId = viewer.kind === 'member' ? viewer.accountId : null
  const alerts = shownAlerts(all, query, accountId)
  const strips = await loadStrips(granted, alerts, limits)
  const channels = await listChannels(granted)
  const dead = channels.filter((one) => !one.isEnabled && one.disabledReason !== 'user')
  return (
    <>
      <PageBar project={project} here="Alerts" isHeading />
      <AlertsView
        {...{ all, alerts, query, strips, projectSlug: project.slug, repositoryUrl: project.repositoryUrl }}
        nowMs={Date.now()}
        deadChannels={dead}
        accountId={accountId}
      />
    </>
  )
}
